"""Spending limits: warnings, questions at a limit, and what people say of them."""
