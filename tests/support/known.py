"""What tests of every part use: a deal, a password, and what htmx says of itself."""

from __future__ import annotations

from typing import Final

CODE: Final = "7KQ4M-2XWTP"
"""The code of a deal, as people write it."""

PASSWORD: Final = "seven ravens sleep"

HTMX: Final = {"HX-Request": "true"}
"""The header with which a page asks for a fragment."""
