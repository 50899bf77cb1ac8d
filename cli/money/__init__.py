"""`treadle money`: what the month has cost, and limits."""
