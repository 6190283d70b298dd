"""Who may enter the admin area, and how they prove it."""
