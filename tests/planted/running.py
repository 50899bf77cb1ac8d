"""Planted bugs in turns, messages, flows, the queue, and in what a run carries and holds."""

from tests.planted.bug import PlantedBug

RUNNING = (
    PlantedBug(
        name="the late end of a turn ends the next one",
        file="domain/tasks/turns.py",
        old="    if turn is None or conversation is None or result.turn_id != turn.turn_id:",
        new="    if turn is None or conversation is None:",
        tests=("tests/domain/test_task_outcomes.py",),
    ),
    PlantedBug(
        name="a session answers its newest message first",
        file="domain/conversations/sessions/state.py",
        old="waiting = (*state.conversation.messages, message_of(event))",
        new="waiting = (message_of(event), *state.conversation.messages)",
        tests=("tests/domain/test_session_machine.py",),
    ),
    PlantedBug(
        name="a task works on while a person's question to another session waits",
        file="domain/tasks/turns.py",
        old="if (chat := next(asked, None)) is not None:",
        new="if (chat := next(asked, None)) is not None and state.phase in _IDLE:",
        tests=("tests/domain/test_taking_back.py",),
    ),
    PlantedBug(
        name="a turn that resumes forgets its agent's session",
        file="domain/conversations/conversation.py",
        old='return {"agent_session": event.agent_session or conversation.agent_session}',
        new='return {"agent_session": event.agent_session}',
        tests=("tests/domain/test_sleeping_turns.py",),
    ),
    PlantedBug(
        name="a refusal shortens the wait for a provider",
        file="domain/agents/limits/rate_limits.py",
        old="later = max(retry_at, self.open_until or retry_at)",
        new="later = retry_at",
        tests=("tests/domain/test_rate_limits.py",),
    ),
    PlantedBug(
        name="all turns try at once when a provider is back",
        file="domain/agents/limits/rate_limits.py",
        old='if self.trying in {"", turn_id} or self.tried_at is None or now > self.tried_at + PROBE:',
        new="if self.tried_at is None or now > self.tried_at:",
        tests=("tests/domain/test_rate_limits.py",),
    ),
    PlantedBug(
        name="a withdrawn message still reaches the agent",
        file="domain/tasks/evolution.py",
        old='"messages": conversations.without(state.messages, event),',
        new='"messages": state.messages,',
        tests=("tests/domain/test_taking_back.py",),
    ),
    PlantedBug(
        name="the message that woke an agent is withdrawn",
        file="domain/tasks/withdrawal.py",
        old="if decided.events and is_workers and _is_next(state):",
        new="if decided.events and not is_workers and _is_next(state):",
        tests=("tests/domain/test_taking_back.py",),
    ),
    PlantedBug(
        name="a loop goes round once too often",
        file="domain/flows/program.py",
        old="if limit is not None and frame.iteration + 1 >= limit:",
        new="if limit is not None and frame.iteration >= limit:",
        tests=("tests/domain/test_flow_rules.py",),
    ),
    PlantedBug(
        name="a break leaves all loops",
        file="domain/flows/program.py",
        old="return Spot(position=end + 1, loops=loops[:-1])",
        new="return Spot(position=end + 1, loops=())",
        tests=("tests/domain/test_flow_rules.py",),
    ),
    PlantedBug(
        name="a resume begins the loops around its step anew",
        file="domain/flows/program.py",
        old="return Spot(position=position, loops=loops[: len(needed)])",
        new="return Spot(position=position, loops=tuple(LoopFrame(position=p) for p in needed))",
        tests=("tests/domain/test_flow_rules.py",),
    ),
    PlantedBug(
        name="one more entry of a project runs than its limit",
        file="domain/queue/admission.py",
        old="if (here := self.projects[entry.project]) >= limit.per_project:",
        new="if (here := self.projects[entry.project]) > limit.per_project:",
        tests=("tests/domain/test_queue_admission.py",),
    ),
    PlantedBug(
        name="an entry starts although what it waits for failed",
        file="domain/queue/admission.py",
        old="        case Phase.COMPLETED:\n            return None\n        case Phase.FAILED:",
        new="        case Phase.COMPLETED | Phase.FAILED:\n            return None\n        case Phase.ASKING:",
        tests=("tests/domain/test_queue_rules.py",),
    ),
    PlantedBug(
        name="a scheduled entry is entered twice",
        file="domain/queue/rules.py",
        old="    if entry.entry_id in state.entries:\n        return",
        new="    if entry.entry_id in state.served:\n        return",
        tests=("tests/domain/test_queue_rules.py",),
    ),
    PlantedBug(
        name="a new entry ends by what was known under its id before",
        file="domain/queue/evolution.py",
        old='"standings": {n: s for n, s in state.standings.items() if n != entry.entry_id},',
        new='"standings": state.standings,',
        tests=("tests/domain/test_queue_rules.py",),
    ),
    PlantedBug(
        name="a schedule does not see that its last entry still runs",
        file="domain/queue/rules.py",
        old='if command.overlap == "skip" and (before := next(earlier, None)) is not None:',
        new='if command.overlap == "queue" and (before := next(earlier, None)) is not None:',
        tests=("tests/domain/test_queue_rules.py",),
    ),
    PlantedBug(
        name="a command that comes again acts again",
        file="domain/core/answered.py",
        old='return self.model_copy(update={"stops": _with(self.stops, command.command_id, given)})',
        new="return self",
        tests=("tests/domain/test_answered.py",),
    ),
    PlantedBug(
        name="the next run forgets what was answered",
        file="workflows/loop.py",
        old='            "answered": self._answered,\n',
        new="",
        tests=(
            "tests/workflows/test_continue_as_new.py"
            "::test_a_conversation_goes_on_over_many_runs_of_its_session",
        ),
    ),
    PlantedBug(
        name="the next run numbers its events anew",
        file="workflows/loop.py",
        old='            "events_so_far": self._outbox.numbered,\n',
        new="",
        tests=(
            "tests/workflows/test_continue_as_new.py"
            "::test_a_plan_goes_on_over_many_runs_of_its_thread",
        ),
    ),
    PlantedBug(
        name="a released port stays leased",
        file="adapters/port_leases.py",
        old="if lease.owner != owner or (port_id is not None and lease.port_id != port_id)",
        new="if lease.owner != owner or port_id is not None",
        tests=("tests/adapters/test_port_leases.py",),
    ),
    PlantedBug(
        name="a port is taken from a terminal that serves on it",
        file="domain/tasks/resources.py",
        old="    if serving:\n",
        new="    if not serving:\n",
        tests=("tests/domain/test_task_resources.py",),
    ),
)
