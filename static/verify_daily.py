#!/usr/bin/env python3
"""Verify a published daily deal or race of Fair Deal. Needs Python 3.9 or later and nothing else.

    python3 verify_daily.py fairdeal-signora-2026-11-20.json
    python3 verify_daily.py https://SITE/api/v1/daily/2026-11-20/signora/record.json
    python3 verify_daily.py fairdeal-race-7KQ4M2.json --commitment COMMITMENT

With --commitment you pass the commitment that you saved before the day or race began, with --record
the record that you saved earlier: this shows that they have not been replaced. The exit code is 0 if
everything is correct.

The script checks that the seed matches the commitment; that the deck follows from the seed; that the
moves and times of every game match its hash, were made in time and in order, and match its result;
and that the hashes of all games give the record. It does not check the rules of the game: for that,
replay the moves from the deck with a rules engine.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import sys
import urllib.request
from datetime import datetime, timezone

RACE = "fairdeal/race/1"
SUITS, RANKS = "CDHS", "A23456789TJQK"


def main() -> int:
    asked = argparse.ArgumentParser(
        description="Verify a published daily deal or race of Fair Deal."
    )
    asked.add_argument("source", help="the record: a file or a URL")
    asked.add_argument("--commitment", help="the commitment that you saved before the start")
    asked.add_argument("--record", help="the hash of the record that you saved earlier")
    options = asked.parse_args()
    published = read(options.source)
    faults = check(published, options.commitment, options.record)
    name = f"{published.get('game')}, {published.get('day') or published.get('code')}"
    for fault in faults:
        print(f"FAULT  {fault}")
    if faults:
        print(f"{name}: {len(faults)} {'fault' if len(faults) == 1 else 'faults'}.")
        return 1
    runs = published["runs"]
    if published["format"] == RACE:
        won = sum(run["ending"] == "won" for run in runs)
        print(f"{name}: commitment, seed and deck match; {len(runs)} runs, {won} won.")
        return 0
    solved = sum(run["verdict"] == "solved" for run in runs)
    removed = sum(run["verdict"] in ("removed", "hidden") for run in runs)
    print(
        f"{name}: commitment, seed and deck match; {len(runs)} runs, {solved} solved, {removed} removed."
    )
    set_aside = sum(run["verdict"] == "set_aside" for run in runs)
    if set_aside:
        print(f"{set_aside} set aside: too long to be replayed when the day closed.")
    unconfirmed = sum(run["listed"] and not run.get("confirmed", True) for run in runs)
    if unconfirmed:
        print(f"{unconfirmed} unconfirmed: listed, but without a rank.")
    print(f"record {published['record']}")
    return 0


def read(source: str) -> dict:
    if source.startswith(("https://", "http://")):
        with urllib.request.urlopen(source, timeout=60) as answer:
            return json.load(answer)
    with open(source, encoding="utf-8") as file:
        return json.load(file)


def check(published: dict, commitment: str | None = None, record: str | None = None) -> list[str]:
    """Return a sentence for each fault."""
    if published.get("format") == RACE:
        return check_race(published, commitment)
    if published.get("format") != "fairdeal/daily/1":
        return ["this is not a record of a daily deal or race"]
    purpose = f"fairdeal/daily/1/{published['game']}/{published['day']}/"
    faults = check_deal(published, purpose, commitment)
    for run in published["runs"]:
        faults += [f"run {run['id']}: {fault}" for fault in check_run(published, run)]
    if record_of(published) != published["record"]:
        faults.append("the record does not match the runs")
    if record and record.lower() != published["record"]:
        faults.append("the record is not the one that you saved")
    return faults


def check_deal(published: dict, purpose: str, commitment: str | None) -> list[str]:
    """Check seed, commitment and deck. ``purpose`` is the prefix of the hashed text."""
    faults = []
    seed = bytes.fromhex(published["seed"])
    expected = hashlib.sha256(purpose.encode("ascii") + seed).hexdigest()
    if expected != published["commitment"]:
        faults.append("the seed does not match the commitment")
    if commitment and commitment.lower() != published["commitment"]:
        faults.append("the commitment is not the one that you saved")
    if deck_of(seed, published["decks"]) != published["deck"]:
        faults.append("the deck does not follow from the seed")
    return faults


def check_race(published: dict, commitment: str | None = None) -> list[str]:
    """Check a race: its deal, and the order, time and number of the moves of every run."""
    purpose = f"{RACE}/{published['game']}/{published['code']}/"
    faults = check_deal(published, purpose, commitment)
    for run in published["runs"]:
        times = [after for after, _ in run["moves"]]
        name = f"run {run['id']}"
        if times != sorted(times) or (times and times[0] < 0):
            faults.append(f"{name}: its moves are not in order of time")
        if (times[-1] if times else 0) > min(run["elapsed_ms"], published["minutes"] * 60_000):
            faults.append(f"{name}: a move was made after its end")
        if run["ending"] == "won" and (times[-1] if times else 0) != run["elapsed_ms"]:
            faults.append(f"{name}: its time does not match its moves")
        if run["actions"] != len(run["moves"]):
            faults.append(f"{name}: its number of moves is wrong")
        if run["ending"] == "won" and run["cards_home"] != len(published["deck"]):
            faults.append(f"{name}: it counts as won, but not every card is home")
    return faults


def check_run(published: dict, run: dict) -> list[str]:
    faults = []
    started, moves = run["started_ms"], run["moves"]
    lines = ["fairdeal/run/1", published["game"], published["day"], run["id"], str(started)]
    lines += [f"{after} {action}" for after, action in moves]
    if sha256_of(lines) != run["digest"]:
        faults.append("its moves or times do not match its hash")
    if run["verdict"] in ("removed", "set_aside"):
        return faults  # its reason says why it doesn't count
    times = [after for after, _ in moves]
    if times != sorted(times) or (times and times[0] < 0):
        faults.append("its moves are not in order of time")
    if not moment(published["opened"]) <= started < moment(published["closed"]):
        faults.append("it did not start on that day")
    if times and started + times[-1] > moment(published["finish_by"]):
        faults.append("it ended too late")
    if run["actions"] != len(moves):
        faults.append("its number of moves is wrong")
    if run["seconds"] != (times[-1] if times else 0) // 1000:
        faults.append("its time does not match its moves")
    if run["verdict"] == "solved" and run["cards_home"] != len(published["deck"]):
        faults.append("it counts as solved, but not every card is home")
    return faults


def record_of(published: dict) -> str:
    head = ["fairdeal/daily/record/1", published["game"], published["day"]]
    head += [published["commitment"], published["previous_record"]]
    return sha256_of(head + sorted(run["digest"] for run in published["runs"]))


def deck_of(seed: bytes, decks: int) -> list[str]:
    """Shuffle the deck with a seed. The first card is dealt first."""
    cards = [rank + suit for suit in SUITS for rank in RANKS] * decks
    numbers = numbers_of(seed, decks)
    for i in range(len(cards) - 1, 0, -1):
        limit = i + 1
        fair = (1 << 32) - (1 << 32) % limit  # larger numbers would bias the shuffle
        j = next(number for number in numbers if number < fair) % limit
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def numbers_of(seed: bytes, decks: int):
    block = 0
    while True:
        text = f"fairdeal/deck/1/{decks}/{block}".encode("ascii")
        digest = hmac.new(seed, text, hashlib.sha256).digest()
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def sha256_of(lines: list[str]) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode("ascii")).hexdigest()


def moment(text: str) -> int:
    """Convert a time such as 2026-11-21T00:00:00Z to milliseconds since 1970."""
    at = datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)
    return int(at.timestamp()) * 1000


if __name__ == "__main__":
    sys.exit(main())
