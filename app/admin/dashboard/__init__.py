"""The overview for staff: counters and charts."""
