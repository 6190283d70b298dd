"""Passkeys: signing in with a device instead of a password (WebAuthn)."""
