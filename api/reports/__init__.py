"""What is read across threads: inbox, timeline, report, export."""
