"""The report as one HTML document that needs nothing else: no script, no other file."""
