"""Going on with sessions that began elsewhere."""
