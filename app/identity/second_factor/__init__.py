"""Second factors: codes of an authenticator app (TOTP), and what re-authentication asks for."""
