"""Third-party servers, installed temporarily for a measurement."""
