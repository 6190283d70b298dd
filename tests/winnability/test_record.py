"""The record of winnability: its file, merging, continuing and checking."""

import lzma
import re
from dataclasses import replace
from pathlib import Path

import pytest

from app.rulesets import RULESETS
from app.solver import solve
from app.solver.solve import SearchOutcome
from app.winnability.model import Tally, tally, wilson
from app.winnability.record import (
    HEADER,
    Trial,
    TrialError,
    code_of,
    merge,
    read_trials,
    write_trials,
)
from bench import winnability

WON, UNWINNABLE, UNDECIDED = SearchOutcome.WON, SearchOutcome.UNWINNABLE, SearchOutcome.UNDECIDED


def trial(number: int, verdict: SearchOutcome, limit: float = 5, ruleset: str = "bristol") -> Trial:
    return Trial(ruleset, 1, code_of(number), verdict, 1000 + number, 0.25, limit, "abc")


def test_the_number_of_a_deal_is_its_code():
    assert [code_of(n) for n in (0, 1, 31, 32, 33 * 1024)] == [
        "00000-00000",
        "00000-00001",
        "00000-0000Z",
        "00000-00010",
        "00000-01100",
    ]


@pytest.mark.parametrize("name", ["deals.csv", "deals.csv.xz"])
def test_a_record_is_read_as_it_was_written(tmp_path: Path, name: str):
    file = tmp_path / name
    trials = [trial(0, WON), trial(1, UNDECIDED), trial(2, UNWINNABLE, 0.5)]
    write_trials(file, trials)
    assert list(read_trials(file)) == trials
    assert [path.name for path in tmp_path.iterdir()] == [name]
    text = file.read_bytes() if name == "deals.csv" else lzma.decompress(file.read_bytes())
    assert text.decode().splitlines()[1] == "bristol,1,00000-00000,won,1000,0.25,5,abc"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "its first line is wrong"),
        ("ruleset,code\n", "its first line is wrong"),
        (HEADER + trial(0, WON).line + "bristol,1,00000-00001,won,1000\n", "line 3: not enough"),
        (HEADER + trial(0, WON).line.replace("won", "lost"), "line 2: 'lost'"),
    ],
)
def test_a_line_that_is_no_trial_is_named(tmp_path: Path, text: str, wrong: str):
    file = tmp_path / "deals.csv"
    file.write_text(text)
    with pytest.raises(TrialError, match=wrong):
        list(read_trials(file))


def test_merging_keeps_verdicts_and_the_longest_try_in_the_order_of_games_and_codes():
    assert merge(
        [
            trial(2, WON, ruleset="signora"),
            trial(1, UNDECIDED, 5),
            trial(1, UNDECIDED, 60),
            trial(1, UNDECIDED, 10),
            trial(0, UNDECIDED, 60),
            trial(0, UNWINNABLE, 5),
            trial(0, UNDECIDED, 90),
        ]
    ) == [trial(0, UNWINNABLE, 5), trial(1, UNDECIDED, 60), trial(2, WON, ruleset="signora")]


def test_contradicting_verdicts_are_not_merged():
    with pytest.raises(TrialError, match="bristol 00000-00000 is both won and unwinnable"):
        merge([trial(0, WON), trial(1, WON), trial(0, UNWINNABLE)])


def test_a_tally_counts_an_undecided_deal_both_ways():
    trials = [trial(n, WON) for n in range(90)]
    trials += [trial(n, UNDECIDED, 60) for n in range(90, 96)]
    trials += [trial(n, UNWINNABLE) for n in range(96, 100)]
    trials += [replace(trial(100, UNWINNABLE), revision=99)]  # of other rules: not counted
    (found,) = tally(trials)
    assert found == Tally("bristol", won=90, unwinnable=4, undecided=6, seconds=60, usual_seconds=5)
    assert found.deals == 100
    assert list(found.bounds) == pytest.approx([0.8256, 0.9843], abs=1e-4)


@pytest.mark.parametrize(
    ("hits", "of", "bounds"),
    [(0, 10, [0, 0.2775]), (10, 10, [0.7225, 1]), (81, 263, [0.2553, 0.3662]), (0, 0, [0, 1])],
)
def test_the_wilson_interval_has_its_published_values(hits: int, of: int, bounds: list[float]):
    assert list(wilson(hits, of)) == pytest.approx(bounds, abs=1e-4)


def test_the_revision_of_the_solver_covers_every_module_that_a_search_imports():
    folder = Path(solve.__file__).parent
    needed, waiting = {"solve"}, ["solve"]
    while waiting:
        text = (folder / f"{waiting.pop()}.py").read_text(encoding="utf-8")
        found = set(re.findall(r"^from app\.solver\.(\w+) import", text, re.MULTILINE)) - needed
        needed |= found
        waiting += found
    assert needed == set(winnability.SOURCES)
    assert len(winnability.solver_revision()) == 12


def test_a_run_continues_where_it_was_interrupted_and_tries_again_with_more_time(tmp_path: Path):
    file = tmp_path / "deals.csv"

    def run(*more: str) -> list[Trial]:
        words = ["run", "--rulesets", "bristol", "--deals", "0-2", "--out", str(file), *more]
        assert winnability.main(words) == 0
        return list(read_trials(file))

    known = trial(0, WON)
    undecided = trial(1, UNDECIDED, limit=7)
    file.write_text(HEADER + known.line + undecided.line + "bristol,1,00000-0000")
    found = run("--seconds", "7")
    assert found[:2] == [known, undecided]
    assert [(one.code, one.verdict) for one in found[2:]] == [(code_of(2), WON)]
    assert found[2].revision == RULESETS[0].revision
    again = run("--seconds", "8")
    assert again[:3] == found
    assert [(one.code, one.limit) for one in again[3:]] == [(code_of(1), 8)]
    assert run("--seconds", "8") == again


def test_a_check_finds_a_wrong_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file, copy = tmp_path / "deals.csv", tmp_path / "deals.csv.xz"
    words = ["run", "--rulesets", "bristol", "--deals", "0-3", "--out", str(file)]
    assert winnability.main(words) == 0
    assert winnability.main(["merge", str(file), "--out", str(copy)]) == 0
    assert winnability.main(["check", str(copy)]) == 0
    assert "4 same" in capsys.readouterr().out
    lied = [replace(one, verdict=UNWINNABLE) for one in read_trials(copy)]
    write_trials(copy, [*lied[:1], *list(read_trials(copy))[1:]])
    assert winnability.main(["check", str(copy), "--sample", "0"]) == 1
    assert "bristol 00000-00000, unwinnable: contradiction" in capsys.readouterr().out
    assert winnability.main(["merge", str(file), str(copy), "--out", str(copy)]) == 2
    assert "both won and unwinnable" in capsys.readouterr().err
