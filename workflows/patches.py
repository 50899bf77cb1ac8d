"""Patch ids: one for each change of the order or kind of commands since the first release.

Each has its reason, its date, and when it may go (when no history older than it can still run).
"""

BOUNDED_HISTORY = "bounded-history"
"""A run continues as new at a length of our own, long before the server suggests it: a longer one
replays longer than its workflow task may take. 2026-11-23; may go when no run of before is left,
which can be as long as its thread, session or task."""

SHORTER_HISTORY = "shorter-history"
"""A run continues as new at half of that length: on a busy machine, a longer one still replays longer than its
workflow task may take. 2026-11-29; may go when no run of before is left."""

UNDELIVERED_EVENTS = "undelivered-events"
"""A run continues as new with events that are not journaled yet, which the next run journals: under a
steady stream of commands there is no moment without any. 2026-11-24; may go as BOUNDED_HISTORY."""

FLOWS_ARE_PLACED = "flows-are-placed"
"""A host is chosen for a run of a flow, and its repository is looked at there; before, whoever polled opened it.
2026-11-28; may go when no run of before is left that is not open yet."""

CANCELLATION_IS_A_COMMAND = "cancellation-is-a-command"
"""A request for cancellation is taken as our cancel, abort or stop; a run of before ended by it and left
its agents and worktrees. 2026-11-26; may go when no run of before is left."""

STOPS_ARE_PROVEN = "stops-are-proven"
"""What stops something is checked for who sends it, in a local activity; before, it was taken from anybody.
Asked at the first stop of a run, so that most record none. 2026-11-28; may go when no run of before is left."""

SIGNALS_ARE_SENT = "signals-are-sent"
"""A signal that was cancelled before it was sent is sent again; before, the stop of a turn that had just ended
failed its session. 2026-11-29; may go when no run of before is left."""

FORGES_ARE_LEFT_ALONE = "forges-are-left-alone"
"""A forge that limits requests is not asked before its time because of webhooks; before, each of them was one more
request. 2026-11-30; may go when no run of before is left."""
