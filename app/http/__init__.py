"""HTTP: middleware, responses, and what every page and route uses."""
