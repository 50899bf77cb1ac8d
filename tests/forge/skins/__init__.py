"""The three forges that the double can be."""
