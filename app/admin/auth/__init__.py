"""Staff roles, sign-in and re-authentication."""
