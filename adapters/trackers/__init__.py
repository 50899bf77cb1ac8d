"""Trackers: issues of GitHub, GitLab, Linear and Jira, behind one port."""
