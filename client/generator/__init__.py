"""Makes the generated half of the client: `python -m generator` in this folder."""
