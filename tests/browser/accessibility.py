"""What makes a page hard to use, by axe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axe_playwright_python.base import AXE_SCRIPT

if TYPE_CHECKING:
    from playwright.sync_api import Page

# What axe finds besides is as large as the page, and nobody reads it.
_FIND = """async (within) => {
  const rules = { "target-size": { enabled: true } };
  const { violations } = await axe.run(within ?? document, { resultTypes: ["violations"], rules });
  return violations.map(({ id, nodes: [{ html, failureSummary }] }) =>
    `${id}: ${html.slice(0, 120)} ${(failureSummary ?? "").slice(0, 200)}`);
}"""


def violations(page: Page, within: str | None = None) -> list[str]:
    """The rules that a page breaks, each with the first place and why; of a part only, if it is named."""
    page.wait_for_load_state()
    if not page.evaluate("'axe' in window"):  # half a megabyte of script: once a document
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(_FIND, within)
    return found
