"""Plans: their shape, what is wrong with one, how it is fixed, compared, changed and handed over."""
