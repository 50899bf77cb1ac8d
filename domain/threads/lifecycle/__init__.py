"""Names, archives, kept changes and plan files of a thread."""
