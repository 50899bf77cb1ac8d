"""Tests of domain/core."""
