"""The inbox, timelines, the report and exports."""
