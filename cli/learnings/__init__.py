"""What tasks learned, on the command line."""
