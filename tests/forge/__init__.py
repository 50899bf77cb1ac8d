"""Publishing, against what GitHub says of its own API and a bare repository."""
