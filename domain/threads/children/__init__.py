"""Child threads, and what a parent and a child tell each other."""
