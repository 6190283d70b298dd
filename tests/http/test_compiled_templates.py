"""Compiled templates are kept in files."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment

from app.http.templates import CompiledTemplates, environment


class CountingEnvironment(Environment):
    """Counts what it compiles."""

    compiled = 0

    def _generate(self, *arguments, **options):
        self.compiled += 1
        return super()._generate(*arguments, **options)


def render(folder: Path, source: str) -> tuple[str, int]:
    """The text of a template in a new process, and how many templates that compiled."""
    environment = CountingEnvironment(
        loader=DictLoader({"page": source}),
        bytecode_cache=CompiledTemplates(folder),
        autoescape=True,
    )
    return environment.get_template("page").render(name="Ann"), environment.compiled


def test_a_template_is_compiled_once_until_it_changes(tmp_path):
    folder = tmp_path / "compiled"
    assert render(folder, "Hello {{ name }}") == ("Hello Ann", 1)
    assert render(folder, "Hello {{ name }}") == ("Hello Ann", 0)
    assert render(folder, "Good morning {{ name }}") == ("Good morning Ann", 1)


@pytest.mark.parametrize("content", [b"", b"nonsense", None])
def test_a_file_that_is_damaged_is_made_anew(tmp_path, content):
    assert render(tmp_path, "Hello {{ name }}") == ("Hello Ann", 1)
    [kept] = tmp_path.iterdir()
    kept.write_bytes(kept.read_bytes()[:-9] if content is None else content)
    assert render(tmp_path, "Hello {{ name }}") == ("Hello Ann", 1)
    assert render(tmp_path, "Hello {{ name }}") == ("Hello Ann", 0)


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path):
    folder = tmp_path / "file"
    folder.write_text("not a folder")
    for _ in range(2):
        assert render(folder, "Hello {{ name }}") == ("Hello Ann", 1)


def test_indentation_is_not_sent_but_a_space_still_parts_two_words():
    source = "<p>\n    {% trans %}one{% endtrans %}\n    <b\n       id='two'>two</b>\n  </p>\n"
    assert environment().from_string(source).render() == "<p>\none <b\n id='two'>two</b>\n </p>"
