"""The command line, as a client of the REST API."""
