"""Child processes: the one spawner, isolation, the ledger of what runs, capped output."""
