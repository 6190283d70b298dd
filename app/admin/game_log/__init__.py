"""The game log for staff: list, pages and export."""
