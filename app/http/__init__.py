"""What every page and every answer shares: errors, templates, security, limits, metrics, logs."""
