"""Other people's servers, installed for a measurement and thrown away after it."""
