"""Events: as pages, as streams, and the texts that they refer to."""
