"""What people read: views, inbox, timeline, report, exports."""
