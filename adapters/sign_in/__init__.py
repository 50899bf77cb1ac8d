"""Identity providers: OpenID Connect, and the signed headers of proxies."""
