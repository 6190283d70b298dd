"""Playing in a browser: the table, its rules of clicking, its pages and its programs' face."""
