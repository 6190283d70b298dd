"""The catalogs in `locale/`: collect messages from the sources, merge them, check them, compile them.

    python -m tools.translations update     collect all messages, and merge them into each catalog
    python -m tools.translations check      fail if a message is not collected, or a catalog has a wrong translation
    python -m tools.translations compile    compile each complete catalog; the site offers the languages that are

The build runs the last one. A language with a message missing is not compiled, so not offered: nobody gets a page in
two languages.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT: Final = Path(__file__).resolve().parent.parent
LOCALE: Final = ROOT / "locale"
TEMPLATE: Final = LOCALE / "fairdeal.pot"
DOMAIN: Final = "fairdeal"

_JINJA: Final = {"trimmed": "true", "newstyle_gettext": "true", "silent": "false"}
KEYWORDS: Final[dict[str, Any]] = {
    "gettext": None,
    "ngettext": (1, 2),
    "ngettext_noop": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
_PLACES: Final = re.compile(r"%\((\w+)\)s|%%|%")
_TAGS: Final = re.compile(r"<[^>]*>|&\w+;")

Key = tuple[str, str]
"""The context and the singular of a message, which tell it from all others."""


def collect() -> Catalog:
    """All messages of the sources, sorted by where they stand."""
    catalog = Catalog(
        project="Fair Deal", copyright_holder="Fair Deal contributors", charset="utf-8"
    )
    found = [
        *_extract("app/**.py", "python", KEYWORDS),
        # Only templates: a variable `_` in Python is no message.
        *_extract("templates/**.html", "jinja2", {**KEYWORDS, "_": None}),
        *_extract("templates/**.js", "jinja2", {**KEYWORDS, "_": None}),
    ]
    for file, _line, message, comments, context in sorted(found, key=lambda each: each[:2]):
        catalog.add(message, None, [(file, 0)], auto_comments=comments, context=context)
    for context, phrase in card_phrases():
        catalog.add(phrase, None, [("app/engine/card_names.py", 0)], context=context)
    return catalog


def _extract(files: str, method: str, keywords: dict[str, Any]) -> Iterator[Any]:
    options = {files: _JINJA if method == "jinja2" else {}}
    return extract_from_dir(
        ROOT,
        [(files, method)],
        options,
        keywords,
        comment_tags=("Translators:",),
        strip_comment_tags=True,
    )


def card_phrases() -> Iterator[Key]:
    """The names of cards and ranks, which the sources put together."""
    sys.path.insert(0, str(ROOT))
    from app.engine.card_names import all_phrases  # noqa: PLC0415 - only this needs the site's code

    yield from all_phrases()


def catalogs() -> list[Path]:
    return sorted(LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def read(path: Path) -> Catalog:
    folder = path.parent.parent.name
    with path.open("rb") as opened:
        return read_po(opened, locale=folder, domain=DOMAIN)


def update() -> None:
    """Write the template, and merge it into each catalog; what is no longer used is dropped."""
    template = collect()
    TEMPLATE.write_bytes(_as_bytes(template, is_template=True))
    for path in catalogs():
        catalog = read(path)
        catalog.update(template, no_fuzzy_matching=True)
        catalog.obsolete.clear()
        path.write_bytes(_as_bytes(catalog))
        print(f"{path.parent.parent.name}: {len(list(missing(catalog, template)))} to translate")


def _as_bytes(catalog: Catalog, *, is_template: bool = False) -> bytes:
    """The file without line numbers and dates, which would change with every edit of the sources."""
    written = io.BytesIO()
    write_po(
        written,
        catalog,
        width=100,
        omit_header=is_template,
        include_lineno=False,
        ignore_obsolete=True,
    )
    lines = written.getvalue().splitlines(keepends=True)
    dates = (b'"POT-Creation-Date', b'"PO-Revision-Date', b'"Generated-By')
    return b"".join(line for line in lines if not line.startswith(dates))


def key_of(message: Message) -> Key:
    return message.context or "", _ids(message)[0]


def messages(catalog: Catalog) -> dict[Key, Message]:
    return {key_of(message): message for message in catalog if message.id}


def missing(catalog: Catalog, template: Catalog) -> Iterator[Key]:
    """The messages of the template that the catalog does not translate completely."""
    translated = messages(catalog)
    for key in messages(template):
        message = translated.get(key)
        strings = _strings(message) if message else ()
        if message is None or message.fuzzy or not strings or not all(strings):
            yield key


def wrong(catalog: Catalog) -> Iterator[str]:
    """What is wrong with the translations of a catalog, one line each."""
    for key, message in messages(catalog).items():
        ids = _ids(message)
        allowed = {place for text in ids for place in _PLACES.findall(text) if place}
        # A number may be said as digits (`n`) or, as in English, as a word (`word`), and by a plural form that is for
        # one number only, such as a dual, not at all.
        numbers = {"n", "num", "word"} if len(ids) > 1 else set[str]()
        allowed |= numbers - {"word"}
        needed = {place for place in allowed if all(f"%({place})s" in text for text in ids)}
        forms = _strings(message)
        for form in forms:
            if not form:
                continue
            places = {place for place in _PLACES.findall(form) if place}
            lacks = needed - places - numbers
            if places - allowed or lacks or "%" in re.sub(r"%\(\w+\)s|%%", "", form):
                yield f"{key!r}: the parameters of {form!r} are not those of the message"
            if sorted(_TAGS.findall(form)) not in [sorted(_TAGS.findall(text)) for text in ids]:
                yield f"{key!r}: the markup of {form!r} is not that of the message"


def _ids(message: Message) -> tuple[str, ...]:
    """The singular, and the plural if there is one."""
    return tuple(map(str, message.id)) if isinstance(message.id, list | tuple) else (message.id,)


def _strings(message: Message) -> tuple[str, ...]:
    """The translations, one for each plural form."""
    found = message.string
    return tuple(map(str, found)) if isinstance(found, list | tuple) else (found or "",)


def check() -> int:
    """Print what is wrong, and return how much."""
    template = collect()
    faults: list[str] = []
    with TEMPLATE.open("rb") as opened:
        kept = messages(read_po(opened))
    if kept.keys() != messages(template).keys():
        faults.append(
            f"{TEMPLATE.relative_to(ROOT)} is not up to date: python -m tools.translations update"
        )
    for path in catalogs():
        name, catalog = path.relative_to(ROOT), read(path)
        faults += [
            f"{name}: {context} {text!r} is not translated"
            for context, text in missing(catalog, template)
        ]
        faults += [f"{name}: {fault}" for fault in wrong(catalog)]
    print(*faults, sep="\n")
    return len(faults)


def compile_catalogs() -> None:
    """Compile the complete catalogs, and remove what was compiled of those that no longer are."""
    with TEMPLATE.open("rb") as opened:
        template = read_po(opened)
    for path in catalogs():
        compiled, catalog = path.with_suffix(".mo"), read(path)
        if any(missing(catalog, template)):
            compiled.unlink(missing_ok=True)
            continue
        with compiled.open("wb") as opened:
            write_mo(opened, catalog)


def main(arguments: list[str]) -> int:
    match arguments:
        case ["update"]:
            update()
        case ["compile"]:
            compile_catalogs()
        case ["check"]:
            return min(check(), 1)
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
