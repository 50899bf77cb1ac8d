"""The `Terminals` port: long-lived processes of agents, kept by the worker, live in the journal."""
