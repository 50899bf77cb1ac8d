"""Pull requests that are watched until they are merged or closed."""
