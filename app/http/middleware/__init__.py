"""What every request passes through, from the outside in."""
