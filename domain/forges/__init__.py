"""Forges and trackers: pull requests, reviews, checks and issues, as GitHub, GitLab and Gitea all have them."""
