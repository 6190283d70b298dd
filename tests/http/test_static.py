import base64
import gzip
from pathlib import Path

import pytest
from httpx import AsyncClient

from app.http.static import StaticFiles, compact, static_files, with_fonts

pytestmark = pytest.mark.anyio

SHEET = static_files().url("css/site.css")
STALE = "/static/000000000000/css/site.css"


async def test_a_file_of_this_release_is_immutable(visitor: AsyncClient):
    response = await visitor.get(SHEET)
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/css; charset=utf-8"
    assert "immutable" in response.headers["cache-control"]
    assert "etag" not in response.headers  # its address has the hash


async def test_an_old_url_gives_the_new_file_without_caching(visitor):
    response = await visitor.get(STALE)
    assert response.content == (await visitor.get(SHEET)).content
    assert response.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("zstd", None),
    ],
)
async def test_files_are_compressed_as_well_as_the_client_accepts(
    visitor: AsyncClient, accepted: str, encoding: str | None
):
    small = await visitor.get(STALE, headers={"Accept-Encoding": accepted})
    plain = await visitor.get(STALE, headers={"Accept-Encoding": "identity"})
    assert small.headers.get("content-encoding") == encoding
    assert small.content == plain.content
    assert small.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    if encoding:
        assert int(small.headers["content-length"]) < int(plain.headers["content-length"])
        assert small.headers["etag"] != plain.headers["etag"]


async def test_brotli_is_smaller_than_gzip(visitor: AsyncClient):
    sizes = [
        int((await visitor.get(SHEET, headers={"Accept-Encoding": way})).headers["content-length"])
        for way in ("br", "gzip")
    ]
    assert sizes[0] < 0.95 * sizes[1]


async def test_fonts_are_sent_as_they_are_and_kept(visitor: AsyncClient):
    response = await visitor.get(
        static_files().url("vendor/figtree-latin-ext.woff2"), headers={"Accept-Encoding": "br"}
    )
    assert response.headers["content-type"] == "font/woff2"
    assert "content-encoding" not in response.headers
    assert "immutable" in response.headers["cache-control"]
    assert response.content[:4] == b"wOF2"


async def test_a_matching_etag_gets_304(visitor: AsyncClient):
    etag = (await visitor.get(STALE)).headers["etag"]
    response = await visitor.get(STALE, headers={"If-None-Match": f'"other", {etag}'})
    assert response.status_code == 304
    assert response.content == b""
    assert response.headers["etag"] == etag
    other = await visitor.get(STALE, headers={"If-None-Match": '"other"'})
    assert other.status_code == 200


async def test_head_has_no_body(visitor: AsyncClient):
    response = await visitor.head(SHEET)
    assert response.status_code == 200
    assert response.content == b""
    assert int(response.headers["content-length"]) > 0


@pytest.mark.parametrize(
    "path",
    [
        "/static/",
        "/static/x",
        "/static/x/nothing.css",
        "/static/x/../../app/main.py",
        "/static/x/%2e%2e/%2e%2e/pyproject.toml",
        "/static/x/%252e%252e/%252e%252e/pyproject.toml",
        "/static/x//etc/passwd",
        "/static/x/%00",
    ],
)
async def test_no_other_file_can_be_read(visitor: AsyncClient, path):
    assert (await visitor.get(path)).status_code == 404


async def test_only_get_and_head_are_allowed(visitor: AsyncClient):
    response = await visitor.post(SHEET)
    assert response.status_code == 405


def tree(root: Path, **contents: str) -> StaticFiles:
    for name, content in contents.items():
        path = root / name.replace("_", "/").replace("DOT", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return StaticFiles(root)


def test_any_change_changes_every_url(tmp_path):
    first = tree(tmp_path, css_aDOTcss="a", css_bDOTcss="b")
    again = StaticFiles(tmp_path)
    assert first.url("css/a.css") == again.url("css/a.css")
    changed = tree(tmp_path, css_bDOTcss="c")
    assert first.url("css/a.css") != changed.url("css/a.css")


def test_a_missing_file_has_no_url(tmp_path):
    files = tree(tmp_path, css_aDOTcss="a")
    assert "css/a.css" in files
    assert "css/b.css" not in files
    with pytest.raises(KeyError, match=r"css/b\.css"):
        files.url("css/b.css")


def test_files_of_unknown_kinds_are_not_served(tmp_path):
    assert "notesDOTmd".replace("DOT", ".") not in tree(tmp_path, notesDOTmd="private")


async def test_compression_is_the_same_on_every_machine():
    # No time of day inside: the same file must have the same ETag in every worker.
    sent = await static_files()._files["css/site.css"].best(b"gzip")
    assert sent.body[4:8] == b"\0\0\0\0"
    assert gzip.decompress(sent.body) == static_files()._files["css/site.css"].plain.body


def test_a_style_sheet_has_the_fonts_in_it_that_it_marks():
    sheet = b'a { src: url("../vendor/a.woff2#inline"); b: url("../vendor/b.woff2"); }'
    sent = with_fonts(sheet, {"vendor/a.woff2": b"wOF2a", "vendor/b.woff2": b"wOF2b"})
    font = base64.b64encode(b"wOF2a")
    assert sent == sheet.replace(b'"../vendor/a.woff2#inline"', b"data:font/woff2;base64," + font)
    assert with_fonts(sheet, {}) == sheet


@pytest.mark.parametrize("name", ["site", "fraunces"])
async def test_no_text_waits_for_a_font(visitor: AsyncClient, name: str):
    sheet = (await visitor.get(static_files().url(f"css/{name}.css"))).text
    assert sheet.count("url(data:font/woff2;base64,d09GMg") == 1  # wOF2
    assert sheet.count("-latin-ext.woff2") == 1


async def test_robots_txt_is_at_the_root_and_cached_for_a_day(visitor: AsyncClient):
    response = await visitor.get("/robots.txt")
    assert response.text.startswith("User-agent: *\n")
    assert response.headers["cache-control"] == "public, max-age=86400"


async def test_browsers_find_the_icon_that_they_ask_for_unasked(visitor: AsyncClient):
    response = await visitor.get("/favicon.ico")
    assert response.status_code == 200
    assert response.headers["content-type"] == "image/x-icon"
    assert response.content[:4] == b"\0\0\1\0"  # an icon by its first bytes, whatever it is called


@pytest.mark.parametrize(
    ("name", "source", "sent"),
    [
        ("a.css", "/* why */\na { /* x\n y */\n  color: red;\n}\n", "\na {\ncolor: red;\n}\n"),
        ("a.js", "// why\nf(\n  'http://x', // kept\n);\n", "\nf(\n'http://x', // kept\n);\n"),
        ("a.js", "/** One.\n * two */\nf();\n", "\n\nf();\n"),
        ("a.js", "/** One */ f();\ng(); /* two */\n", "/** One */ f();\ng(); /* two */\n"),
        ("a.txt", "  // as it is\n", "  // as it is\n"),
    ],
)
def test_comments_and_indentation_are_not_sent(name: str, source: str, sent: str) -> None:
    assert compact(name, source.encode()).decode() == sent
