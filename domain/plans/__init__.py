"""Plans: their shape, what is wrong with one, how it is mended, compared, changed and handed over."""
