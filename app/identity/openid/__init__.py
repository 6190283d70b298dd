"""OpenID Connect: signing in with an account elsewhere, if the operator has configured a provider."""
