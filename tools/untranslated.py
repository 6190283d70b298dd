"""Finds the words of a page that are not said in the reader's language.

Pseudo-English puts every translated message in brackets, so whatever has letters outside of them was never given to a
catalog. On a running site (`FAIRDEAL_PSEUDO_LANGUAGE=true make run`):

    python -m tools.untranslated http://127.0.0.1:8000/ http://127.0.0.1:8000/games ...
"""

import re
import sys
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser

import httpx

from app.rulesets import RULESETS

ATTRIBUTES = {
    "alt",
    "aria-description",
    "aria-label",
    "aria-roledescription",
    "placeholder",
    "title",
}
META = {"description", "og:title", "og:description", "og:image:alt", "twitter:title"}
SILENT = {"script", "style", "code", "kbd", "pre"}
WORD = re.compile(r"[^\W\d_]{2,}")
ADDRESS = re.compile(r"https?://\S+")
NAMES = ["Fair Deal", *(rules.title for rules in RULESETS)]
INLINE = {
    "a",
    "abbr",
    "b",
    "bdi",
    "code",
    "dfn",
    "em",
    "i",
    "kbd",
    "small",
    "span",
    "strong",
    "time",
}
VOID = {"br", "hr", "img", "input", "link", "meta"}


class _Texts(HTMLParser):
    """The texts of a page, joined over inline elements: a sentence may have links in it."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.run_together: list[str] = []
        self._parts: list[str] = []
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in INLINE:
            self._end()
        found = {name: value or "" for name, value in attrs}
        # Names, and what is in English for everybody, say so in their markup.
        is_silent = (
            tag in SILENT or found.get("translate") == "no" or (tag != "html" and "lang" in found)
        )
        if (is_silent or self._silent) and tag not in VOID:
            self._silent.append(tag)
        if self._silent:
            return
        self.texts += [
            value
            for name, value in found.items()
            if name in ATTRIBUTES or name.startswith("data-say")
        ]
        if tag == "meta" and (found.get("name") or found.get("property")) in META:
            self.texts.append(found["content"])
        if tag == "input" and found.get("type") in {"button", "submit"}:
            self.texts.append(found.get("value", ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element of SVG that has no content, so no texts."""

    def handle_endtag(self, tag: str) -> None:
        if tag in self._silent:
            while self._silent.pop() != tag:
                pass
        if tag not in INLINE:
            self._end()

    def handle_data(self, data: str) -> None:
        if self._silent:
            return
        self._parts.append(data)
        if "][" in data:  # a template took the space between two messages away
            self.run_together.append(data)

    def _end(self) -> None:
        text = " ".join("".join(self._parts).split())
        if text:
            self.texts.append(text)
        self._parts = []

    def close(self) -> None:
        super().close()
        self._end()


def outside_brackets(text: str) -> str:
    depth, kept = 0, []
    for letter in text:
        depth += letter == "["
        if depth <= 0:
            kept.append(letter)
        depth -= letter == "]"
    return "".join(kept)


def untranslated(page: str, names: Iterable[str] = ()) -> Iterator[str]:
    """The texts with English words outside of brackets, except ``names`` and addresses, and texts that run together."""
    parser = _Texts()
    parser.feed(page)
    parser.close()
    known = sorted(names, key=len, reverse=True)
    for text in parser.texts:
        rest = ADDRESS.sub(" ", outside_brackets(text))
        for name in known:
            rest = rest.replace(name, " ")
        if WORD.search(rest):
            yield text
    yield from parser.run_together


if __name__ == "__main__":
    for url in sys.argv[1:]:
        answer = httpx.get(url, headers={"Accept-Language": "en-XA"}, follow_redirects=True)
        for found in untranslated(answer.text, NAMES):
            print(f"{url}: {found}")
