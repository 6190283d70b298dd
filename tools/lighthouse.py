"""What Lighthouse says about a running site, on a phone with slow 4G and a fourth of this machine's speed.

    python tools/lighthouse.py http://127.0.0.1:8000
    python tools/lighthouse.py http://127.0.0.1:8000 --pages home,daily --runs 1

Each page is opened several times, and the medians are printed with their limits; the exit status is 1 if one is missed.
It needs Node.js with npm, which installs the pinned version on first use, and Chromium: name one in ``CHROME_PATH``.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

FOLDER: Final = Path(__file__).parent / "lighthouse"
PAGES: Final = {"home": "/", "games": "/games", "table": "", "daily": "/daily"}
_PRIVATE: Final = {"table"}  # not for search engines
_AT_LEAST: Final = {"performance": 95, "accessibility": 100, "best-practices": 100, "seo": 100}
_BELOW: Final = {"largest-contentful-paint": 1800.0, "cumulative-layout-shift": 0.01}
_SECONDS: Final = 180.0  # a run, which takes some 20
_BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns 1 if a page misses a limit."""
    parser = argparse.ArgumentParser(prog="tools/lighthouse.py", description=__doc__)
    parser.add_argument("address", help="of the running site, such as http://127.0.0.1:8000")
    parser.add_argument("--pages", default=",".join(PAGES), help="some of home,games,table,daily")
    parser.add_argument("--runs", type=int, default=5, help="of which the median counts")
    chosen = parser.parse_args(arguments)
    names = chosen.pages.split(",")
    if set(names) - set(PAGES) or chosen.runs < 1:
        parser.error(f"pages are some of {', '.join(PAGES)}, and there is at least one run")
    program, missed = install(), 0
    for name in names:
        address = chosen.address.rstrip("/")
        url, cookie = (address + PAGES[name], "") if PAGES[name] else new_table(address)
        reports = [measure(program, url, cookie) for _ in range(chosen.runs)]
        lines = judge(name, reports)
        missed += sum(not holds for _, holds in lines)
        for line, holds in lines:
            print(f"{line}  {'' if holds else 'MISSED'}".rstrip(), flush=True)
        for report in reports[:1]:
            for failed in failures(report, is_private=name in _PRIVATE):
                print(f"      {failed}")
    return int(missed > 0)


def install() -> Path:
    """The program in its pinned version, from npm, which checks the hashes in ``package-lock.json``."""
    program = FOLDER / "node_modules" / "lighthouse" / "cli" / "index.js"
    if not program.exists():
        npm = shutil.which("npm")
        if npm is None:
            sys.exit("No npm on this machine: install Node.js 20 or newer.")
        subprocess.run([npm, "ci", "--ignore-scripts", "--no-audit"], cwd=FOLDER, check=True)
    return program


def new_table(address: str) -> tuple[str, str]:
    """The address of a new game, and the cookie of its player."""
    request = urllib.request.Request(  # noqa: S310  # the user gives the address
        f"{address}/api/v1/games",
        data=json.dumps({"ruleset": "bristol"}).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
        return f"{address}/games/{json.load(answer)['id']}", cookie


def measure(program: Path, url: str, cookie: str) -> dict[str, Any]:
    """Run Lighthouse once, as on a phone, which is its default; returns its report."""
    chrome = os.environ.get("CHROME_PATH") or next(filter(None, map(shutil.which, _BROWSERS)), "")
    flags = "--headless=new" + (" --no-sandbox" if os.geteuid() == 0 else "")
    command = ["node", str(program), url, "--output=json", "--quiet", f"--chrome-flags={flags}"]
    if cookie:
        command.append(f"--extra-headers={json.dumps({'Cookie': cookie})}")
    environment = {**os.environ, "CHROME_PATH": chrome}

    def once(*, is_last: bool) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, check=is_last, timeout=_SECONDS
        )

    done = once(is_last=False)
    if done.returncode:
        done = once(is_last=True)  # now and then the browser loses its trace
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def judge(name: str, reports: Sequence[dict[str, Any]]) -> list[tuple[str, bool]]:
    """A line for each figure of a page, the median of its reports, and whether it holds."""
    lines = []
    for key, least in _AT_LEAST.items():
        if key == "seo" and name in _PRIVATE:
            continue
        score = round(100 * median(report["categories"][key]["score"] or 0 for report in reports))
        lines.append((f"{name:6} {key:26} {score:8}  at least {least}", score >= least))
    for key, limit in _BELOW.items():
        value = median(report["audits"][key].get("numericValue", limit) for report in reports)
        lines.append((f"{name:6} {key:26} {value:8.4g}  below {limit:g}", value < limit))
    return lines


def failures(report: dict[str, Any], *, is_private: bool) -> list[str]:
    """What costs a page points in the categories that are not about speed."""
    found = []
    for key in (
        ("accessibility", "best-practices")
        if is_private
        else ("accessibility", "best-practices", "seo")
    ):
        for part in report["categories"][key]["auditRefs"]:
            audit = report["audits"][part["id"]]
            if part["weight"] and audit["score"] is not None and audit["score"] < 1:
                found.append(f"{key}: {audit['id']}: {audit['title']}")
    return found


if __name__ == "__main__":
    sys.exit(main())
