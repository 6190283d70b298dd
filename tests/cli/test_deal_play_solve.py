import io
import json
import sys
from itertools import chain
from typing import Any

import pytest

from app import cli
from app.cli import ProgressBar
from app.cli.deal_play_solve import draw_progress
from app.solver.solve import Budget, SearchProgress
from tests.support.known import CODE

Json = dict[str, Any]


def dealt(fairdeal, ruleset: str) -> Json:
    deal: Json = json.loads(fairdeal("deal", ruleset, CODE).out)
    return deal


def play(fairdeal, monkeypatch, tmp_path, ruleset: str, lines: bytes) -> list[Json]:
    deck = tmp_path / "deck.json"
    deck.write_text(json.dumps(dealt(fairdeal, ruleset)["deck"]))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    run = fairdeal("play", ruleset, "--deck", str(deck))
    assert (run.code, run.err) == (0, "")
    return [json.loads(line) for line in run.out.splitlines()]


# --- deal


def test_a_deal_is_one_json_object(fairdeal):
    run = fairdeal("deal", "rouge-et-noir", CODE)
    assert (run.code, run.err, run.out.count("\n")) == (0, "", 1)
    deal = json.loads(run.out)
    assert list(deal) == ["ruleset", "revision", "code", "deck", "piles"]
    assert (deal["ruleset"], deal["revision"], deal["code"]) == ("rouge-et-noir", 1, CODE)
    assert len(deal["deck"]) == 104
    assert deal["piles"]["t1"] == deal["deck"][:9]  # face-down cards too, bottom to top
    assert sorted(chain(*deal["piles"].values())) == sorted(deal["deck"])


def test_rule_sets_and_codes_are_read_leniently(fairdeal):
    assert dealt(fairdeal, "wood") == dealt(fairdeal, "Blondes-and-Brunettes")
    loose = fairdeal("deal", "bristol", "7kq4m 2xwtp")
    assert json.loads(loose.out)["code"] == CODE


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("deal", "whist", CODE), "Unknown rule set 'whist'. Choose one of: bristol,"),
        (("deal", "bristol", "nonsense"), "“nonsense” isn't a deal code"),
        (("deal", "bristol", "\udcff"), "isn't a deal code"),
        (("deal", "freecell", "--ms", "0"), "numbered from 1 to 2,147,483,647"),
        (("solve", "freecell", "--ms", "2147483648"), "numbered from 1 to 2,147,483,647"),
        (("deal", "bristol", CODE, "--format", "fc-solve"), "can't describe Bristol"),
        (("deal", "bristol", "--ms", "1"), "dealt like FreeCell; Bristol isn't one"),
        (("play", "whist", "--deck", "x"), "Unknown rule set 'whist'"),
        (("play", "bristol", "--deck", "/nothing/here"), "Can't read the deck"),
        (("play", "bristol", "--deck", "/"), "Can't read the deck"),
        (("serve", "--workers", "2"), "SQLite is written by one process only"),
        (("serve", "--port", "99999"), "FAIRDEAL_PORT is '99999'"),
        (("migrate", "--database-url", "mysql://x"), "DATABASE_URL must start with"),
    ],
)
def test_bad_input_is_a_sentence_and_exit_code_2(fairdeal, arguments, said):
    run = fairdeal(*arguments)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("fairdeal: ")
    assert said in run.err
    assert len(run.err.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("fly",),
        ("deal",),
        ("deal", "bristol"),
        ("deal", "freecell", "--ms", "x"),
        ("deal", "freecell", CODE, "--ms", "1"),
        ("play", "bristol"),
        ("serve", "--port", "x"),
    ],
)
def test_wrong_usage_is_explained(capfd, arguments):
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 2
    assert "usage: fairdeal" in capfd.readouterr().err


@pytest.mark.parametrize(
    "deck",
    ["", "hello", "{}", "7", "[]", '["7H"]', '[["7H"]]', "[null]", '["1H"]', "[" * 100_000, "\xff"],
)
def test_a_malformed_deck_is_refused(fairdeal, tmp_path, deck):
    path = tmp_path / "deck.json"
    path.write_text(deck, encoding="latin-1")
    run = fairdeal("play", "bristol", "--deck", str(path))
    assert (run.code, run.out) == (2, "")
    assert len(run.err.splitlines()) == 1


# --- play


def test_each_line_is_answered_with_the_state(fairdeal, monkeypatch, tmp_path):
    lines = b"state\nt1-f1\nundo\nredo\ndeal\nstate\n"
    states = play(fairdeal, monkeypatch, tmp_path, "signora", lines)
    assert [state["version"] for state in states] == [0, 1, 2, 3, 4, 4]
    opening, chosen, undone, redone, *_ = states
    contract = {"id", "ruleset", "revision", "code", "version", "status", "base_rank", "actions"}
    contract |= {"elapsed_ms", "can_undo", "can_redo", "piles", "legal_moves"}
    assert contract <= set(opening)
    assert (opening["ruleset"], opening["status"], opening["base_rank"]) == (
        "signora",
        "playing",
        None,
    )
    assert "t1-f1" in opening["legal_moves"]
    assert opening["piles"]["t1"] == {"count": 1, "cards": chosen["piles"]["f1"]["cards"]}
    assert chosen["base_rank"] == opening["piles"]["t1"]["cards"][0][0]
    assert undone["piles"] == opening["piles"]
    assert redone["piles"] == chosen["piles"]
    assert (undone["can_undo"], undone["can_redo"]) == (False, True)


def test_hidden_cards_are_shown(fairdeal, monkeypatch, tmp_path):
    (state,) = play(fairdeal, monkeypatch, tmp_path, "rouge-et-noir", b"state\n")
    piles = {name: pile["cards"] for name, pile in state["piles"].items()}
    assert piles == dealt(fairdeal, "rouge-et-noir")["piles"]


def test_a_bad_line_is_answered_and_changes_nothing(fairdeal, monkeypatch, tmp_path):
    bad = [b"", b"nonsense", b"t1-t99", b"t1-f1:0", b"STATE", b"\xff\xfe", b"\xe2\x80\xae", b"\x00"]
    illegal = [b"undo", b"redo", b"t1-t1", b"f1-t1"]
    lines = b"\n".join([*bad, *illegal, b"state"])
    *errors, state = play(fairdeal, monkeypatch, tmp_path, "bristol", lines)
    assert [error["error"] for error in errors] == ["malformed"] * 8 + ["illegal_move"] * 4
    assert all(error["detail"].endswith(".") for error in errors)
    assert state["version"] == 0


def test_a_game_that_has_ended_takes_no_more_moves(fairdeal, monkeypatch, tmp_path):
    *_, resigned, after, state = play(
        fairdeal, monkeypatch, tmp_path, "bristol", b"resign\ndeal\nstate"
    )
    assert resigned["status"] == state["status"] == "resigned"
    assert after["error"] == "game_over"


def test_a_game_can_be_played_until_no_move_is_left(fairdeal, monkeypatch, tmp_path):
    lines = b"deal\n" * 9 + b"state\n"
    states = play(fairdeal, monkeypatch, tmp_path, "bristol", lines)
    assert [state["version"] for state in states] == [*range(1, 10), 9]
    assert states[-1]["piles"]["stock"]["count"] == 0
    assert "deal" not in states[-1]["legal_moves"]


# --- solve


def test_a_solution_can_be_played(fairdeal, monkeypatch, tmp_path):
    run = fairdeal("solve", "bristol", CODE, "--positions", "50000")
    assert (run.code, run.err) == (0, "")
    answer = json.loads(run.out)
    assert answer["outcome"] == "won"
    lines = "\n".join(answer["actions"]).encode()
    answers = play(fairdeal, monkeypatch, tmp_path, "bristol", lines)
    assert answers[-1]["status"] == "won"


def test_a_number_of_microsoft_is_dealt_like_a_code(fairdeal):
    deal = json.loads(fairdeal("deal", "freecell", "--ms", "1").out)
    assert list(deal) == list(dealt(fairdeal, "freecell"))
    assert deal["code"] is None
    assert deal["piles"]["t8"] == ["5H", "3H", "3C", "7S", "7D", "TC"]


def test_a_deal_as_a_board_for_other_solvers(fairdeal):
    run = fairdeal("deal", "freecell", "--ms", "1", "--format", "fc-solve")
    assert (run.code, run.out.splitlines()[2]) == (0, ": JD KD 2S 4C 3S 6D 6S")


def test_numbers_of_microsoft_are_solved(fairdeal, monkeypatch, tmp_path):
    answer = json.loads(fairdeal("solve", "freecell", "--ms", "1", "--positions", "50000").out)
    assert answer["outcome"] == "won"
    deck = tmp_path / "deck.json"
    deck.write_text(json.dumps(json.loads(fairdeal("deal", "freecell", "--ms", "1").out)["deck"]))
    lines = "\n".join(answer["actions"]).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    run = fairdeal("play", "freecell", "--deck", str(deck))
    assert json.loads(run.out.splitlines()[-1])["status"] == "won"


def test_a_board_of_another_program_is_solved(fairdeal, tmp_path, monkeypatch):
    board = fairdeal("deal", "freecell", "--ms", "24", "--format", "fc-solve").out
    (tmp_path / "24.board").write_text(board, encoding="utf-8")
    ways = (str(tmp_path / "24.board"), "-")
    for way in ways:
        monkeypatch.setattr(sys, "stdin", io.StringIO(board))
        run = fairdeal("solve", "freecell", "--board", way, "--positions", "50000")
        assert (run.code, json.loads(run.out)["outcome"]) == (0, "won")
    monkeypatch.setattr(sys, "stdin", io.StringIO(board.replace("4C", "XX")))
    run = fairdeal("solve", "freecell", "--board", "-")
    assert (run.code, run.out) == (2, "")
    assert run.err == "fairdeal: Can't read the board. Line 3, column 3: 'XX' is not a card.\n"
    assert fairdeal("solve", "bristol", "--board", ways[0]).code == 2
    assert fairdeal("solve", "freecell", "--board", str(tmp_path / "none")).code == 2


def test_a_budget_that_is_too_small_leaves_a_deal_undecided(fairdeal):
    answer = json.loads(fairdeal("solve", "rouge-et-noir", CODE, "--positions", "10").out)
    assert (answer["outcome"], answer["actions"]) == ("undecided", [])


@pytest.mark.parametrize("number", ["0", "-1", "many"])
def test_a_budget_is_a_positive_number(capfd, number):
    with pytest.raises(SystemExit, match="2"):
        cli.main(["solve", "bristol", CODE, "--seconds", number])
    assert "positive number" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("budget", "progress", "full"),
    [
        (Budget(positions=1000), SearchProgress(500, 2.0), 15),
        (Budget(seconds=10), SearchProgress(500, 10.0), 30),
        (Budget(seconds=10), SearchProgress(500, 12.0), 30),
        (Budget(positions=1000, seconds=10), SearchProgress(100, 5.0), 15),
        (Budget(positions=1000), SearchProgress(0, 0.0), 0),
    ],
)
def test_the_nearer_limit_fills_the_bar(
    terminal, budget: Budget, progress: SearchProgress, full: int
):
    draw_progress(ProgressBar(terminal), budget, progress)
    text = terminal.getvalue()
    assert text.startswith(f"\r[{'#' * full}{'.' * (30 - full)}] ")
    assert text.endswith(f"{progress.positions:,} positions, {progress.seconds:.1f} s")


def test_on_a_terminal_each_drawing_covers_the_last(terminal):
    bar = ProgressBar(terminal)
    draw_progress(bar, Budget(positions=10), SearchProgress(1, 0.0))
    draw_progress(bar, Budget(positions=10), SearchProgress(2, 0.0))
    bar.close()
    drawn = terminal.getvalue()
    assert drawn.count("\r") == 2
    assert drawn.endswith("2 positions, 0.0 s\n")


def test_nothing_is_written_outside_a_terminal():
    stream = io.StringIO()
    bar = ProgressBar(stream)
    draw_progress(bar, Budget(), SearchProgress(1, 0.0))
    bar.close()
    assert stream.getvalue() == ""
