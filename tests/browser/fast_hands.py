"""A quick player: a click every 200 ms on cards in sight, with the mouse or a finger, on several pages at once."""

from __future__ import annotations

import heapq
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from app.engine.actions import Deal, Move, parse_action
from app.engine.history import History
from app.games.clicks import Grip, Select, read_click
from tests.browser.event_clock import EventClock

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from playwright.sync_api import CDPSession, Page

    from tests.golden.records import Record

APART = 0.2  # seconds between two clicks
DOWN = (
    20  # milliseconds that the button or the finger is down; a long press would mean something else
)
HELD = 0.35  # seconds; a press that lasts longer may be a long one
SETTLED = 1.0  # seconds until the page has certainly taken a click
SEEING = 0.06  # seconds, less than anybody takes to see
PATIENCE = 60.0  # seconds until a card has to be in sight
DOUBLE_CLICK = (0.5, 5)  # seconds and pixels within which a mouse counts on

# The place of a card in sight: its corner, if a click there would hit it.
_SPOT = """([pile, face, anywhere]) => {
    const shown = (b) => b.querySelector("use")?.getAttribute("href").split("#")[1] ?? "";
    const face_of = (b) => b.classList.contains("empty") ? "" : shown(b);
    const buttons = [...document.querySelectorAll(anywhere && face ? "#table .pile button" : `#${pile} button`)];
    const found = buttons.filter((b) => face_of(b) === face).at(-1);
    if (!found) return null;
    const box = found.getBoundingClientRect();
    const spot = [box.left + 8, box.top + Math.min(8, box.height / 2)];
    return document.elementFromPoint(...spot)?.closest("button") === found ? spot : null;
}"""


_SUBMITTED = """() => {
    if (window.submittedClicks === undefined) {
        window.submittedClicks = 0;
        document.addEventListener("htmx:config:request", () => window.submittedClicks++);
    }
    return window.submittedClicks;
}"""


class Step(NamedTuple):
    """A click on the card ``face`` of ``pile``, or on its empty place; a drag if there is a ``target``."""

    pile: str
    face: str
    target: str = ""
    played: int = 0  # actions before this one


def steps_of(record: Record, begun: int = 0) -> list[Step]:
    """The clicks that play a recorded game after its first moves; drags where a click would mean another move."""
    history = History.start(record.rules, record.cards)
    layout = record.rules.layout
    steps: list[Step] = []

    def face(pile: str, count: int = 1) -> str:
        cards = history.position.piles[layout.index[pile]]  # type: ignore[index]  # a pile of this game
        return cards.cards[-count].text if len(cards.cards) - cards.down >= count else ""

    for number, text in enumerate(record.moves):
        action = parse_action(layout, text)
        if number == begun:
            steps.clear()
        match action:
            case Deal():
                steps.append(Step("stock", ""))
            case Move(source, target, count):
                grip = Grip(source, count)
                meaning = read_click(record.rules, history.position, grip, None)
                if meaning == action:
                    steps.append(Step(source, face(source, count)))
                elif meaning == Select(grip):
                    steps += [Step(source, face(source, count)), Step(target, face(target))]
                else:
                    steps.append(Step(source, face(source, count), target, number))
        history = history.apply(action)
    return steps


@dataclass
class FastHand:
    """Plays the steps on one page; ``slowly`` means that a card may be clicked wherever it lies by now."""

    page: Page
    steps: list[Step]
    by_touch: bool
    anywhere: bool
    wire: CDPSession
    posted: int = 0
    clicks: int = 0
    held: int = 0
    """Presses that became long ones because the machine was slow."""
    _count: int = 0
    _down: bool = False
    _last: tuple[float, float, float] = field(default=(0.0, 0.0, 0.0))
    _clock: EventClock = field(init=False)

    def __post_init__(self) -> None:
        self._clock = EventClock(self.page, self.wire)

    def play(self) -> Iterator[float]:
        """Play; yields how long to wait."""
        due = time.monotonic()
        for step in self.steps:
            yield max(0.0, due - SEEING - time.monotonic())
            # A card must be seen before it is clicked: on a busy machine it may have come only now.
            seen = yield from self._spot(step)
            yield SEEING
            while seen != (spot := (yield from self._spot(step))):
                seen = spot
                yield SEEING
            due = time.monotonic() + APART
            if step.target:
                yield from self._drag(step, spot)
                due = time.monotonic() + APART
                continue
            yield from self._click(step, spot)

    def _click(self, step: Step, spot: tuple[float, float]) -> Generator[float, None, None]:
        while True:
            submitted, began = self._submitted(), time.monotonic()
            self._press(*spot)
            self.page.wait_for_timeout(DOWN)  # not left to the other hands, which may take long
            self._release(*spot)
            self.clicks += 1
            if time.monotonic() - began < HELD:
                return
            # A busy machine delivered the release so late that this was a long press, which plays nothing.
            yield SETTLED
            if self._submitted() > submitted:
                return
            self.clicks -= 1
            self.held += 1
            spot = yield from self._spot(step)

    def _spot(self, step: Step) -> Generator[float, None, tuple[float, float]]:
        until = time.monotonic() + PATIENCE
        while True:
            quiet = not step.target or self._version() == step.played
            spot = quiet and self.page.evaluate(_SPOT, [step.pile, step.face, self.anywhere])
            if spot:
                x, y = spot
                return float(x), float(y)
            assert time.monotonic() < until, f"{step} is not in sight: {self._situation()}"
            yield 0.04

    def _submitted(self) -> int:
        """How many clicks the page has taken so far; some of them may wait for the answer to another."""
        return int(self.page.evaluate(_SUBMITTED))

    def _situation(self) -> str:
        said, held = (
            self.page.locator(place).all_inner_texts()
            for place in ("#notice", "#table [aria-pressed=true]")
        )
        return f"{self.clicks} clicks, version {self._version()}, notice {said}, {held} held, last at {self._last}"

    def _version(self) -> int:
        return int(self.page.locator("#state").get_attribute("data-version") or 0)

    def _drag(self, step: Step, spot: tuple[float, float]) -> Iterator[float]:
        box = self.page.locator(f"#{step.target}").bounding_box()
        assert box
        end = (box["x"] + box["width"] / 2, box["y"] + min(box["height"], 60) / 2)
        self._press(*spot)
        for part in (0.3, 0.7, 1.0):
            yield 0.04
            here = [a + (b - a) * part for a, b in zip(spot, end, strict=True)]
            self._send("Move", *here)
        self._release(*end)
        self._count = 0
        until = time.monotonic() + PATIENCE
        while self._version() == step.played and time.monotonic() < until:
            yield 0.04

    def _press(self, x: float, y: float) -> None:
        at, *place = self._last
        seconds, pixels = DOUBLE_CLICK
        now = time.monotonic()
        is_near = max(abs(x - place[0]), abs(y - place[1])) <= pixels
        self._count = self._count + 1 if is_near and now - at <= seconds else 1
        self._last = (now, x, y)
        if not self.by_touch:
            self._send("Move", x, y)
        self._send("Start", x, y)

    def _release(self, x: float, y: float) -> None:
        self._send("End", x, y)

    def _send(self, kind: str, x: float, y: float) -> None:
        # The time is that of the hand: a busy machine may deliver two clicks closer to each other than they were made.
        at = {"timestamp": self._clock.now()}
        if self.by_touch:
            points = [] if kind == "End" else [{"x": x, "y": y}]
            event: dict[str, Any] = {"type": f"touch{kind}", "touchPoints": points}
            self.wire.send("Input.dispatchTouchEvent", event | at)
            return
        word = {"Start": "mousePressed", "Move": "mouseMoved", "End": "mouseReleased"}[kind]
        self._down = kind == "Start" or (self._down and kind == "Move")
        event = {"type": word, "x": x, "y": y, "buttons": int(self._down)}
        if kind != "Move":
            event |= {"button": "left", "clickCount": max(self._count, 1)}
        self.wire.send("Input.dispatchMouseEvent", event | at)


def play_together(hands: list[FastHand]) -> None:
    """Let all hands play at the same time, each at its own pace."""
    waiting = [(0.0, number, hand.play()) for number, hand in enumerate(hands)]
    while waiting:
        due, number, moves = heapq.heappop(waiting)
        pause = due - time.monotonic()
        if pause > 0:
            hands[number].page.wait_for_timeout(pause * 1000)
        try:
            heapq.heappush(waiting, (time.monotonic() + next(moves), number, moves))
        except StopIteration:
            continue
