"""What tasks learned, kept for a repository's later threads: identity, expiry, relevance, promotion."""
