"""Planted faults: patches against the site, each of which some seed has to find. See README.md here."""
