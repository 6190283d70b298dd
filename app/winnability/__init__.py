"""How many deals of each game can be won at all: the record of the solver's results, as a page."""
