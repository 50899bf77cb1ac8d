"""Trackers: issues of GitHub and GitLab, behind one port."""
