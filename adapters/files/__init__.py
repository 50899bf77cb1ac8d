"""Files that Treadle reads or keeps: templates, profiles, secrets, small state."""
