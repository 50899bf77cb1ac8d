"""Who verifies and who instructs: what a change to them is called, and when a person is asked."""
