"""Many looks at one page, such as at many sizes of the window, in one test."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from playwright.sync_api import Page

# The window has its new size some frames after it was asked for, on a busy machine many. Then one container query after
# the other sees it: the panel at the end of a game moves until the fourth frame. What slides in is at rest at its end.
_DRAWN = """async ([width, height]) => {
  const frame = () => new Promise(requestAnimationFrame);
  for (let n = 0; n < 60 && (innerWidth !== width || innerHeight !== height); n++) await frame();
  for (let n = document.querySelector(".ending") ? 5 : 2; n > 0; n--) await frame();
  const ends = (animation) => animation.effect.getComputedTiming().endTime !== Infinity;
  for (const animation of document.getAnimations().filter(ends)) animation.finish();
}"""


@contextmanager
def all_faults() -> Iterator[Callable[[object], AbstractContextManager[None]]]:
    """Go on after a failed assertion, and fail at the end with all of them.

    Each look at the page takes place in ``with at(NAME):``, and the message has its name.
    """
    found: list[str] = []

    @contextmanager
    def at(name: object) -> Iterator[None]:
        try:
            yield
        except AssertionError as error:
            found.append(f"{name}: {error}")

    yield at
    assert not found, "\n\n".join(found)


def resize(page: Page, width: int, height: int, *, has_script: bool = True) -> None:
    """Give an open page another size, and its scripts the time to see that."""
    if page.viewport_size != {"width": width, "height": height}:
        page.set_viewport_size({"width": width, "height": height})
        if has_script:
            page.evaluate(_DRAWN, [width, height])
