"""Events as pages and streams, and their long texts."""
