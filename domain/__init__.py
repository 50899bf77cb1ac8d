"""Rules and contracts, pure: standard library and pydantic only."""
