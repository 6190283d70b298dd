"""Fair Deal: patience games on an authoritative server."""
