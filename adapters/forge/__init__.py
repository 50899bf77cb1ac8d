"""Forges: pull requests over their REST APIs."""
