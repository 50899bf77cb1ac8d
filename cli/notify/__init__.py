"""News: the channels that tell people what waits for them."""
