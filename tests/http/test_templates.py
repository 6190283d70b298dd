"""What templates say in the same way everywhere."""

from __future__ import annotations

from contextvars import copy_context

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from app.http.template_filters import initials
from app.http.templates import environment
from app.i18n.languages import find as find_language
from app.i18n.wording import speak
from app.text import gettext


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Quiet Heron", "QH"),
        ("anna", "A"),
        ("Ada Byron King", "AB"),
        ("Sage Salmon", "S"),
        ("Hardy Hare", "H"),
    ],
)
def test_initials_are_of_two_words_and_never_what_plates_of_cars_may_not_say(
    name: str, letters: str
) -> None:
    assert initials(name) == letters


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        ("a & <b>'\"", "a &amp; &lt;b&gt;&#39;&#34;"),
        (Markup("<b>"), "<b>"),
        (1234, "1234"),
        (1.5, "1.5"),
        (None, "None"),
        (["<"], "[&#39;&lt;&#39;]"),
        (gettext("%(what)s", what="<i>"), "&lt;i&gt;"),
    ],
)
def test_what_a_template_prints_is_escaped_unless_it_is_markup(value: object, printed: str) -> None:
    assert environment().from_string("{{ value }}").render(value=value) == printed


def test_a_name_that_a_template_does_not_know_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        environment().from_string("{{ unknown }}").render()


def test_messages_are_said_in_the_reader_s_language_and_may_have_markup() -> None:
    template = environment().from_string(
        '{{ _("Undo and redo count as moves.") }}|{{ pgettext("that a game took", "Time") }}'
        "|{% trans %}100% <b>sure</b>{% endtrans %}|{{ text }}|{{ '<' ~ _('Settings') }}"
        "|{% trans n=count %}{{ n }} <b>move</b>{% pluralize %}{{ n }} <b>moves</b>{% endtrans %}"
    )
    text = gettext("Move undone.")
    english = template.render(text=text, count=1234)
    info = find_language("de")
    assert info
    context = copy_context()
    context.run(speak, info)
    german = context.run(template.render, text=text, count=1234)

    assert english == (
        "Undo and redo count as moves.|Time|100% <b>sure</b>|Move undone.|&lt;Settings"
        "|1,234 <b>moves</b>"
    )
    assert german.split("|")[0] != english.split("|")[0]
    assert german.split("|")[1] == "Zeit"
    assert german.split("|")[3] != "Move undone."
    assert german.endswith("|1.234 <b>moves</b>")


def test_a_message_without_parameters_takes_one_call() -> None:
    code = environment().compile('{{ _("Settings") }}{% trans %}Home{% endtrans %}', raw=True)

    assert "environment.message('', 'Settings')" in code
    assert "environment.message('', 'Home')" in code
    assert "context.call" not in code
