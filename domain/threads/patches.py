"""Ids of changes to the rules of threads, which hold for threads that began with them.

A thread is given all that there are when it is opened, as a part of its input: its rules are then the
same for its whole life and where its history is replayed, and no history needs a marker for them.
"""

PLANNING_IN_CHATS = "planning-in-chats"
"""A chat that is to be planned goes on as the planner; before, another session was opened. 2026-11-26."""

WAITING_TAKES_NO_SLOT = "waiting-takes-no-slot"
"""A task that waits for a person leaves its slot to others; before, it kept it. 2026-11-26."""

RETRIES_ARE_ATTEMPTS = "retries-are-attempts"
"""`maxRetries: 3` is three attempts in all; before, it was three after the first. 2026-11-26."""

ABORTS_ARE_NO_FAILURES = "aborts-are-no-failures"
"""What waits for a task stays pending when all are aborted, and a plan of which nothing failed is not a
failed one; before, it was blocked, and the plan failed. 2026-11-26."""

GATES_ARE_NAMED_ONCE = "gates-are-named-once"
"""One warning of a plan names all tasks without a gate; before, each had its own. 2026-11-26."""

OWN_TURNS = "own-turns"
"""The thread's agent takes turns of its own, within a budget; before, it was told of failures where somebody
had spoken to it. 2026-11-26."""
CHATS_HAVE_CONFLICTS = "chats-have-conflicts"
"""A person is asked how a conflict of a chat's changes is resolved; before, they were told. 2026-11-26."""
WORK_IN_SESSION = "work-in-session"
"""A plan without tasks is carried out in the session that planned it; before, it ran as a task `main`
with a session of its own. 2026-11-26."""
TITLES_ARE_LISTED = "titles-are-listed"
"""A thread that gets another title has it in Temporal's lists as well; before, they had none. 2026-11-26."""
LOST_SESSIONS_ARE_REPLACED = "lost-sessions-are-replaced"
"""A session that ended by itself is archived, and what was said to it is for another; before, it was lost.
2026-11-26."""
HEALTH_URLS_ARE_CHECKED = "health-urls-are-checked"
"""A plan with a health check that no run would ask is refused; before, its run failed. 2026-11-26."""
PLANNING_AGAIN = "planning-again"
"""Planning after a plan has ended shows in the status and keeps the thread's title; before, the thread stayed
`completed` and was called as the new goal. 2026-11-26."""
GATES_OUTLIVE_ABORT_ALL = "gates-outlive-abort-all"
"""Aborting all tasks leaves those alone that are done and wait at their gate; before, they ended too. 2026-11-26."""
FAILURES_ARE_LISTED = "failures-are-listed"
"""A thread with a failed task needs a person in Temporal's lists while other tasks go on; before, only once
nothing went on. 2026-11-26."""
IDS_ARE_NO_SECRETS = "ids-are-no-secrets"
"""A plan with an id that looks like a secret is refused; before, its task was started without end. 2026-11-26."""
PATIENCE_OUTLASTS_CARRIERS = "patience-outlasts-carriers"
"""The timer that ends the wait of events for a carrier runs to its end, for all that wait meanwhile; before, each
wait had one that was cancelled. 2026-11-27."""
TASKS_SETTLE_TOGETHER = "tasks-settle-together"
"""Runs that ended are settled by one activity, as far as that is quick; before, by one each. 2026-11-27."""
TRIALS_ARE_SHARED = "trials-are-shared"
"""Commits are merged on trial where others change the same files, all that wait in one activity; before, each
commit had one. 2026-11-27."""
RUNS_ARE_WATCHED_TOGETHER = "runs-are-watched-together"
"""One timer wakes the supervision of all runs, and stays when a run ends; before, each had one that was cancelled.
2026-11-27."""
HANDOFFS_ARE_QUOTED = "handoffs-are-quoted"
"""Tasks are told which event has the handoff packet, the project's map and the amended plan; before, each had the
texts in its input and its prompts. 2026-11-27."""
PROGRESS_IS_CARRIED = "progress-is-carried"
"""What a run has come to is told to its thread by the activity that starts then, if any; before, always by a signal
of the run's workflow. 2026-11-27."""
PLANS_ARE_LARGE = "plans-are-large"
"""A plan has up to 1,000 tasks, and a megabyte as histories hold it; before, 200, and half of one as the journal
does. 2026-11-27."""
DOCUMENTS_FOLLOW_CHANGES = "documents-follow-changes"
"""Whether the file of a plan is behind follows from the tasks that changed; before, from all of them after each
event. 2026-11-27."""
LARGE_PLANS_ARE_DIGESTED = "large-plans-are-digested"
"""Of more than 60 tasks, packets and planners of amendments are told a digest; before, all that fit, cut in the
middle. Packets are part of what an approval covers. 2026-11-27."""
LATE_BRIEFS_ARE_TAKEN = "late-briefs-are-taken"
"""The prompt by which a chat was to plan, and which comes back after the chat's end was told, opens another planner;
before, planning had failed. 2026-11-27."""
THREADS_ARE_PLACED = "threads-are-placed"
"""A host is chosen for a thread, and its repository is looked at there; before, whoever polled opened it. 2026-11-28."""

EVENTS_ARE_COUNTED = "events-are-counted"
"""All of a thread's events are counted, so a prune can compare their number with its archive's; before, none were. 2026-11-29."""

BASES_ARE_TAKEN_IN = "bases-are-taken-in"
"""The base is fetched, and taken in if it has moved, before tasks come into the branch and before a push; before, git
never fetched. 2026-11-29."""
PLANS_AND_CHATS_LOOK_AT_THE_BASE = "plans-and-chats-look-at-the-base"
"""The base is also fetched, and taken in if it has moved, before a plan that is asked for once the thread is open, and
before a chat's changes come in; before, neither looked. 2026-11-30."""
PULL_REQUESTS_ARE_WATCHED = "pull-requests-are-watched"
"""A pull request that was opened has a workflow of its own until it is merged or closed; before, it was left alone.
2026-11-29."""
REWORKS_ARE_BOUNDED = "reworks-are-bounded"
"""A rework that nobody asked for takes a bounded number of turns, and each ends once nothing of its plan is at work, so
that its cost is known; before, turns had no bound, and it ended once it was cancelled. 2026-11-29."""
BEST_OF = "best-of"
"""A plan may have several agents do a task at once; before, it had one for each. 2026-11-30."""

ALL = (
    PLANNING_IN_CHATS,
    WAITING_TAKES_NO_SLOT,
    RETRIES_ARE_ATTEMPTS,
    ABORTS_ARE_NO_FAILURES,
    GATES_ARE_NAMED_ONCE,
    OWN_TURNS,
    CHATS_HAVE_CONFLICTS,
    WORK_IN_SESSION,
    TITLES_ARE_LISTED,
    LOST_SESSIONS_ARE_REPLACED,
    HEALTH_URLS_ARE_CHECKED,
    PLANNING_AGAIN,
    GATES_OUTLIVE_ABORT_ALL,
    FAILURES_ARE_LISTED,
    IDS_ARE_NO_SECRETS,
    PATIENCE_OUTLASTS_CARRIERS,
    TASKS_SETTLE_TOGETHER,
    TRIALS_ARE_SHARED,
    RUNS_ARE_WATCHED_TOGETHER,
    HANDOFFS_ARE_QUOTED,
    PROGRESS_IS_CARRIED,
    PLANS_ARE_LARGE,
    DOCUMENTS_FOLLOW_CHANGES,
    LARGE_PLANS_ARE_DIGESTED,
    LATE_BRIEFS_ARE_TAKEN,
    THREADS_ARE_PLACED,
    EVENTS_ARE_COUNTED,
    BASES_ARE_TAKEN_IN,
    PULL_REQUESTS_ARE_WATCHED,
    PLANS_AND_CHATS_LOOK_AT_THE_BASE,
    REWORKS_ARE_BOUNDED,
    BEST_OF,
)
