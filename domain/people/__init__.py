"""People: roles by project, personal access tokens, and what a person may do."""
