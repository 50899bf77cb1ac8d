"""The report: what plans, tasks, flow runs and agents took, folded from the journal.

Each stream is folded on its own (`projection.StreamFold`), and what is counted adds up (`tally.Tally`):
so no more than one stream's state is in memory, and the order of streams makes no difference.
"""
