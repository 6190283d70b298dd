"""What the code never does, read from its sources: run text as code, use a shell or weak randomness, and so on."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.http.templates import environment

ROOT = Path(__file__).parent.parent
MODULES = sorted((ROOT / "app").rglob("*.py"))
SCRIPTS = sorted((ROOT / "static" / "js").glob("*.js"))

DANGEROUS_CALLS = {"eval", "exec", "compile", "__import__", "create_subprocess_shell", "popen"}
# Formats that run code or fetch things while they are read, interpreters that we have no use for, and broken hashes.
DANGEROUS_MODULES = {
    *("pickle", "marshal", "shelve", "dill", "yaml", "xml", "lxml", "ldap", "ldap3", "smtplib"),
    *("ctypes", "telnetlib", "ftplib", "jsonpickle", "pymemcache"),
}
UNCHECKED = {"_create_unverified_context", "CERT_NONE", "check_hostname"}  # certificates
RANDOM_ALLOWED = {  # they spread load, or sample positions; nothing has to be unguessable
    "app/http/sse.py",
    "app/pubsub/notifier.py",
    "app/solver/fast_player.py",
    "app/solver/trial_games.py",
    "app/solver/portfolio.py",
    "app/solver/sight.py",
}
HASHES_ALLOWED = {"sha256", "blake2b"}


def dangers(source: str, name: str = "app/x.py") -> list[str]:
    """What is dangerous in a module."""
    return list(_dangers(ast.parse(source), name))


def _dangers(tree: ast.Module, name: str) -> Iterator[str]:
    for node in ast.walk(tree):
        imported: list[str] = []
        if isinstance(node, ast.Import):
            imported = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            imported = [node.module or ""]
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            _, _, last = called.rpartition(".")
            bare = called if last == "compile" else last  # re.compile is something else
            if bare in DANGEROUS_CALLS or called == "os.system" or last in UNCHECKED:
                yield f"{name}: {called}()"
            if re.fullmatch(r"hashlib\.\w+", called) and last not in HASHES_ALLOWED:
                yield f"{name}: {called}()"
            yield from (
                f"{name}: {called}({key.arg}=...)"
                for key in node.keywords
                if (key.arg == "shell" and ast.unparse(key.value) != "False")
                or (key.arg == "verify" and ast.unparse(key.value) != "True")
                or (key.arg == "follow_redirects" and ast.unparse(key.value) != "False")
            )
        elif isinstance(node, ast.Attribute) and node.attr in UNCHECKED:
            yield f"{name}: {node.attr}"
        for module in imported:
            top = module.partition(".")[0]
            if top in DANGEROUS_MODULES or (top == "random" and name not in RANDOM_ALLOWED):
                yield f"{name}: import {module}"


def test_the_site_does_nothing_dangerous():
    found = [
        danger
        for path in MODULES
        for danger in dangers(path.read_text(), path.relative_to(ROOT).as_posix())
    ]
    # The feed only writes XML; reading it is what is dangerous.
    assert found == ["app/daily/feed.py: import xml.etree.ElementTree"]
    feed = (ROOT / "app/daily/feed.py").read_text()
    assert not re.search(r"\b(fromstring|parse|iterparse|XML)\b\(", feed)


@pytest.mark.parametrize(
    "source",
    [
        "eval('1')",
        "exec(text)",
        "compile(text, '', 'exec')",
        "import os\nos.system('ls')",
        "subprocess.run('ls', shell=True)",
        "asyncio.create_subprocess_shell('ls')",
        "import pickle",
        "from xml.etree import ElementTree",
        "import random",
        "hashlib.md5(b'')",
        "httpx.AsyncClient(verify=False)",
        "httpx.AsyncClient(verify=settings.verify)",
        "ssl._create_unverified_context()",
        "context.verify_mode = ssl.CERT_NONE",
        "context.check_hostname = False",
        "httpx.AsyncClient(follow_redirects=True)",
    ],
)
def test_each_danger_would_be_found(source):
    assert dangers(source)


def test_harmless_code_is_not_reported():
    assert dangers("import re\nre.compile('a')\nhashlib.sha256(b'')\nhttpx.get(verify=True)") == []


def test_sql_of_requests_is_never_put_together_from_text():
    """What is not written out is SQL that SQLAlchemy compiled, or has names of our own tables and columns only."""
    found = {
        path.relative_to(ROOT).as_posix()
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] in {"text", "exec_driver_sql"}
        and node.args
        and not isinstance(node.args[0], ast.Constant)
    }
    ours = {f"app/db/{name}.py" for name in ("backup", "engine", "event_partitions", "migrate")}
    ours |= {f"app/db/schema/{name}.py" for name in ("games", "competitions")}
    assert found <= ours | {"app/games/repository.py"}


def _calls(name: str) -> Iterator[tuple[str, ast.Call]]:
    """Where the site calls functions whose whole name matches a pattern."""
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and re.fullmatch(name, ast.unparse(node.func)):
                yield path.relative_to(ROOT).as_posix(), node


def test_patterns_and_templates_are_never_made_of_input():
    """What patterns are put together from are constants of the same module, and once a number of ours."""
    put_together = {
        path
        for path, call in _calls(r"re\.(compile|sub|match|search|fullmatch|split|findall|finditer)")
        if not isinstance(call.args[0], ast.Constant)
    }
    assert put_together <= {
        "app/daily/leaderboard.py",
        "app/identity/names.py",
        "app/identity/name_keys.py",
    }
    assert list(_calls(r"(.+\.)?(from_string|Template)")) == []


def test_only_two_modules_make_requests():
    clients = r"^\s*(?:import|from) (httpx|requests|aiohttp|authlib|urllib\.request|http\.client)\b"
    found = [path for path in MODULES if re.search(clients, path.read_text(), re.MULTILINE)]
    assert [path.relative_to(ROOT).as_posix() for path in found] == [
        "app/identity/openid/provider.py",
        "app/reminders/push_client.py",
    ]


def test_logs_go_to_standard_error_only():
    handlers = {
        (path, ast.unparse(call)) for path, call in _calls(r"(.+\.)?(?!add|remove|get)\w*Handler")
    }
    assert handlers == {("app/logs.py", "logging.StreamHandler(sys.stderr)")}


def test_cookies_are_set_in_one_place():
    """Where they get their prefix, Secure, HttpOnly and SameSite."""
    cookies = [
        path.relative_to(ROOT).as_posix()
        for path in MODULES
        if re.search(r"\.set_cookie\(|[\"']set-cookie[\"']", path.read_text(), re.IGNORECASE)
    ]
    assert cookies == ["app/http/cookies.py"]


def test_every_template_escapes():
    assert (
        environment().from_string("{{ text }}").render(text="<b>\"'&") == "&lt;b&gt;&#34;&#39;&amp;"
    )
    compiled = ROOT / "templates" / "__pycache__"
    files = [
        path
        for path in (ROOT / "templates").rglob("*")
        if path.is_file() and path.parent != compiled
    ]
    unescaped = [
        path.name
        for path in files
        if re.search(r"\|\s*safe\b|autoescape\s+false", path.read_text())
    ]
    assert unescaped == []
    assert [path.name for path in files if path.suffix != ".html"] == ["service_worker.js"]


def test_only_commands_write_files():
    """And the database: nothing that is uploaded becomes a file."""
    writing = {
        path
        for path, call in _calls(r"(.+\.)?(open|write_text|write_bytes|mkstemp|\w*TemporaryFile)")
        if _writes(call)
    }
    assert {path for path in writing if not path.startswith("app/cli/")} == {"app/db/file_modes.py"}


def _writes(call: ast.Call) -> bool:
    """A file that is opened with a mode is written if the mode says so."""
    name = ast.unparse(call.func)
    given = [*call.args, *(key.value for key in call.keywords)]
    modes = [str(one.value) for one in given if isinstance(one, ast.Constant)]
    is_mode = any(re.fullmatch(r"[rbt]*[wax+][bt+]*", mode) for mode in modes)
    return name == "os.open" or not name.endswith("open") or is_mode


@pytest.mark.parametrize(
    ("source", "writes"),
    [
        ("open(path)", False),
        ("open(path, 'wb')", True),
        ("path.open(mode='a')", True),
        ("path.write_text('x')", True),
        ("os.open(path, flags)", True),
        ("tempfile.NamedTemporaryFile()", True),
    ],
)
def test_each_way_to_write_a_file_would_be_found(source, writes):
    (expression,) = ast.parse(source).body
    assert isinstance(expression, ast.Expr)
    assert isinstance(expression.value, ast.Call)
    assert _writes(expression.value) is writes


def test_names_of_downloads_are_made_of_constants_ids_and_days():
    """No text of a request is among them: a subject is the id of a game that was found."""
    names = [
        (path.relative_to(ROOT).as_posix(), found)
        for path in MODULES
        for found in re.findall(r"attachment; filename=\"?(.+?)\"?['\"]", path.read_text())
    ]
    assert sorted(names) == [
        ("app/admin/game_log/pages.py", "fairdeal-{subject}.{form}"),
        ("app/daily/api.py", "{name}"),
        ("app/identity/recovery/pages.py", "{_FILE_NAME}"),
        ("app/profiles/export.py", "fairdeal-my-data.json"),
        ("app/races/api.py", "{name}"),
    ]
    for file, name in (
        ("app/daily/api.py", 'f"fairdeal-{closed.ruleset}-{closed.day.isoformat()}.json"'),
        ("app/races/api.py", 'f"fairdeal-race-{room.code}.json"'),
    ):
        assert f"name = {name}" in (ROOT / file).read_text()


def test_scripts_make_no_code_of_text_and_listen_to_no_other_window():
    pattern = (
        r"\beval\(|new Function|document\.write|postMessage|outerHTML *=[^=]|\.cookie\b|__proto__"
    )
    assert SCRIPTS
    assert [path.name for path in SCRIPTS if re.search(pattern, path.read_text())] == []


def test_scripts_put_in_markup_of_this_site_only():
    """In three places, what the site itself has rendered; the policy stops scripts in it anyway."""
    with_markup = {path.name for path in SCRIPTS if "innerHTML" in path.read_text()}
    assert with_markup <= {"challenges.js", "shared-tables.js", "swap.js"}


def test_what_browsers_store_besides_cookies_is_in_few_modules():
    """The last table, whether an ending is folded, the shell, and where reminders go; nothing else."""
    pattern = r"localStorage|sessionStorage|indexedDB|caches\.|serviceWorker"
    assert [path.name for path in SCRIPTS if re.search(pattern, path.read_text())] == [
        "fold.js",
        "last-view.js",
        "push-worker.js",
        "reminder.js",
        "shell.js",
    ]


def test_the_linter_looks_for_insecure_code_everywhere_in_the_site():
    lint = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["lint"]
    assert lint["select"] == ["ALL"]
    assert not [rule for rule in lint["ignore"] if rule.startswith("S")]
    ignoring = {
        path
        for path, rules in lint["per-file-ignores"].items()
        for rule in rules
        if rule.startswith("S") and path.startswith("app")
    }
    assert ignoring == set()
