"""An engine with something real on every screen of the page, filled through REST alone."""
