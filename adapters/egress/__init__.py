"""The way out of a sandbox: a small proxy that knows hosts by name, and asks for those it does not know."""
