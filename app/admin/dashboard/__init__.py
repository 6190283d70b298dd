"""How the site is doing, in numbers."""
