"""People: tokens, who is signed in, and the audit log."""
