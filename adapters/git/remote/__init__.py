"""Repositories by URL: mirrors of them on this host, and copies of threads on a hub."""
