"""Events that can say one thing or its opposite say the right one."""

import pytest

from domain.agents.agents import Prompt, TurnResult
from domain.agents.checks import CheckKind, CheckResult
from domain.agents.events import AgentCheckEnded
from domain.conversations.events import (
    AgentSessionOpened,
    ContextCompacted,
    ConversationOpened,
    MessageQueued,
    ToolCalled,
    TurnEnded,
    TurnResumed,
)
from domain.core.approvals import ApprovalRequest, Subject
from domain.core.event_text import Tone
from domain.core.lifecycle.events import (
    DocumentWritten,
    SessionMergeEnded,
    ThreadArchived,
    ThreadUnarchived,
)
from domain.core.workspaces import Snapshot
from domain.queue.entry import QueueLimits
from domain.queue.events import EntryHeld, EntryReleased, LimitsSet
from domain.reading.event_text import text_of
from domain.tasks.events import (
    GateOpened,
    ReportReceived,
    TaskEnded,
    VerificationChecked,
    VerificationEnded,
)
from domain.tasks.plan_events import TaskPlanReviewed
from domain.threads.merging.events import ConflictPrepared, ConflictUnresolved
from domain.verification.steps import StepResult

SESSION = {"session_id": "thread-x/session-1"}
TURN = {**SESSION, "turn_id": "thread-x/session-1/turn-1"}
KEPT = {**SESSION, "number": 1, "branch": "main"}
GATE = ApprovalRequest(request_id="r", subject=Subject.GATE, title="One", content_hash="h")
FOUND = Snapshot(commit="a", tree="b", base="c", files=("a.py",), insertions=2, deletions=1)
RUN = {"task_id": "one", "run": 1}

INFO, SUCCESS, WARNING, ERROR = Tone.INFO, Tone.SUCCESS, Tone.WARNING, Tone.ERROR


def ended(**fields):
    result = TurnResult(turn_id=TURN["turn_id"], duration_ms=1_000, **fields)
    return TurnEnded(**SESSION, result=result)


def checked(**fields):
    result = CheckResult(kind=CheckKind.TRY, duration_ms=1_000, **fields)
    return AgentCheckEnded(agent="codex", result=result)


def failed_step(label):
    return StepResult(step_id="s", label=label, passed=False)


@pytest.mark.parametrize(
    ("event", "summary", "tone"),
    [
        (EntryHeld(entry_id="e", by="Ada"), "Entry e held by Ada", WARNING),
        (EntryHeld(by="Ada"), "Queue held by Ada", WARNING),
        (EntryReleased(entry_id="e", by="Ada"), "Entry e released by Ada", INFO),
        (
            LimitsSet(limits=QueueLimits(max_running=3), by="Ada"),
            "Limits set by Ada: 3 running, 2 per project, 4 per host",
            INFO,
        ),
        (LimitsSet(limits=None, by="Ada"), "Limits reset by Ada", INFO),
        (ThreadArchived(by="Ada"), "Archived by Ada", INFO),
        (ThreadUnarchived(by="Ada"), "Unarchived by Ada", INFO),
        (
            SessionMergeEnded(**KEPT, commit="0123456789abcdef"),
            "Changes of session-1 merged into main: 0123456789ab",
            SUCCESS,
        ),
        (SessionMergeEnded(**KEPT), "No changes of session-1 to merge", INFO),
        (
            SessionMergeEnded(**KEPT, conflicts=("a", "b")),
            "Changes of session-1 not merged: conflicts in a, b",
            ERROR,
        ),
        (DocumentWritten(plan_id="p", mark="m", path="plan.md"), "Plan written to plan.md", INFO),
        (DocumentWritten(plan_id="p", mark="m", problem="disk full"), "disk full", ERROR),
        (ended(), "Turn ended after 1.0 s (end turn)", INFO),
        (ended(failure="it broke"), "Turn failed after 1.0 s", ERROR),
        (TurnResumed(**TURN), "Turn resumed", INFO),
        (TurnResumed(**TURN, is_skipped=True, by="Ada"), "Wait skipped by Ada", INFO),
        (
            AgentSessionOpened(turn_id=TURN["turn_id"], agent_session="a", is_resumed=True),
            "Agent session resumed",
            INFO,
        ),
        (
            ContextCompacted(**SESSION, used=9, size=10),
            "Context nearly full, continuing with a fresh one",
            WARNING,
        ),
        (
            ContextCompacted(**SESSION, used=9, size=10, command="compact"),
            "Context nearly full, compacting it (compact)",
            WARNING,
        ),
        (ToolCalled(tool="report_done", answer="ok"), "Tool report_done called: ok", INFO),
        (
            ToolCalled(tool="report_done", answer="not yet", is_refused=True),
            "Tool report_done refused: not yet",
            ERROR,
        ),
        (MessageQueued(message_id="m", prompt=Prompt(name="task")), "Prompt task queued", INFO),
        (
            MessageQueued(message_id="m", prompt=Prompt(fields={"text": "hello"}), by="Ada"),
            "Ada: hello",
            INFO,
        ),
        (
            ConversationOpened(
                session_id="thread-x/one/session-1-2", role="chat", agent="a", by="Ada"
            ),
            "session-1-2 opened by Ada: chat, a",
            INFO,
        ),
        (checked(is_well=True), "codex works (1.0 s)", SUCCESS),
        (checked(failure="no login"), "codex failed (1.0 s)", ERROR),
        (ConflictPrepared(**RUN, path="/w"), "Merge of task one is ready for you in /w", WARNING),
        (ConflictPrepared(**RUN, failure="no room"), "no room", ERROR),
        (
            ConflictUnresolved(task_id="one", files=("a.py",)),
            "Conflict of task one is not resolved: conflict markers are left in a.py",
            ERROR,
        ),
        (
            ConflictUnresolved(session_id="thread-a/session-2", failure="it broke"),
            "Conflict of session-2 is not resolved: it broke",
            ERROR,
        ),
        (
            TaskPlanReviewed(number=1, verdict="approve"),
            "Task plan reviewed by the thread's agent: approve",
            INFO,
        ),
        (
            TaskPlanReviewed(number=1, problem="no verdict"),
            "Review of the task plan failed: no verdict",
            ERROR,
        ),
        (GateOpened(request=GATE), "Waiting for approval: One (no files changed)", WARNING),
        (
            GateOpened(request=GATE, snapshot=FOUND),
            "Waiting for approval: One (+2 -1 in 1 file)",
            WARNING,
        ),
        (
            ReportReceived(report={"summary": "no key"}, is_blocked=True),
            "Reported blocked: no key",
            WARNING,
        ),
        (TaskEnded(end="failed", reason="no budget"), "Run failed: no budget", ERROR),
        (
            VerificationEnded(attempt=2, passed=True),
            "Verification passed, attempt 2",
            SUCCESS,
        ),
        (
            VerificationEnded(attempt=1, passed=True, has_steps=False),
            "No verification steps, attempt 1",
            INFO,
        ),
        (VerificationEnded(attempt=2, passed=False), "Verification failed, attempt 2", ERROR),
        (
            VerificationEnded(attempt=2, passed=False, held="no reviewer"),
            "Verification held, attempt 2: no reviewer",
            WARNING,
        ),
        (
            VerificationChecked(turn_id=TURN["turn_id"], passed=True),
            "Verification check by the agent passed",
            SUCCESS,
        ),
        (
            VerificationChecked(turn_id=TURN["turn_id"], steps=(failed_step("lint"),)),
            "Verification check by the agent failed: lint",
            WARNING,
        ),
        (
            VerificationChecked(turn_id=TURN["turn_id"], is_cut_off=True),
            "Verification check by the agent cut off by the end of its turn",
            WARNING,
        ),
    ],
)
def test_an_event_says_what_happened_and_in_its_tone(event, summary, tone):
    text = text_of(event)
    assert (text.summary, text.tone) == (summary, tone)


def test_the_opening_of_a_sessions_own_conversation_says_nothing():
    assert text_of(ConversationOpened(**SESSION, role="chat", agent="a")) is None
