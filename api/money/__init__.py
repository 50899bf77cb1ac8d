"""Money: how limits stand, and answers at them."""
