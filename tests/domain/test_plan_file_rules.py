"""Rules of a thread's plan files: who may change what, and what is never replaced unseen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.errors import StaleError
from domain.core.ids import ThreadId
from domain.threads import rules
from domain.threads.plan_files.commands import ChangePlanFile
from domain.threads.plan_files.edits import PlanFileAnswer, PlanFileOp, StoredPlanFile
from domain.threads.plan_files.events import PlanArchived, PlanFilesSet
from domain.threads.plan_files.files import PlanFile
from domain.threads.plan_files.rules import EndPlanFileChange
from domain.threads.plan_files.state import MAX_ARCHIVED
from domain.threads.rules import evolve
from domain.threads.state import ThreadState
from tests.domain.world import NOW

THREAD = ThreadId("thread-x")
SESSIONS = ("session-1", "session-2", "task-1/session-1")
FINDINGS = PlanFile.FINDINGS


class Thread:
    """A thread with plan files; texts are told by their references."""

    def __init__(self):
        self.state = evolve(ThreadState(thread_id=THREAD), PlanFilesSet(is_on=True))
        self.refs = 0

    @property
    def findings(self):
        return self.state.plan_files.files.get(FINDINGS)

    def change(self, op, session, known=""):
        """Make a change of `findings`; a refused one raises before anything is made."""
        self.refs += 1
        command = ChangePlanFile(
            op=op,
            which=FINDINGS,
            session_id=f"{THREAD}/{session}",
            content_ref=f"text-{self.refs}",
            known_ref=known,
            is_confirmed=True,
        )
        rules.decide(self.state, command, NOW)
        kept = {FINDINGS: StoredPlanFile(size_bytes=1, content_ref=f"text-{self.refs}")}
        made = PlanFileAnswer(message="", files={} if op is PlanFileOp.CLEAR else kept)
        for event in rules.decide(
            self.state, EndPlanFileChange(change=command, made=made), NOW
        ).events:
            self.state = evolve(self.state, event)


def test_what_another_session_wrote_is_replaced_only_when_it_was_read():
    thread = Thread()
    thread.change(PlanFileOp.INIT, "session-1")
    thread.change(PlanFileOp.WRITE, "session-2")
    with pytest.raises(StaleError, match="session-2 changed findings"):
        thread.change(PlanFileOp.WRITE, "session-1")

    known = thread.findings.content_ref
    thread.change(PlanFileOp.UPDATE, "task-1/session-1")
    with pytest.raises(StaleError, match="task-1/session-1"):
        thread.change(PlanFileOp.WRITE, "session-1", known)
    thread.change(PlanFileOp.WRITE, "session-1", thread.findings.content_ref)
    thread.change(PlanFileOp.WRITE, "session-1")


@given(st.lists(st.tuples(st.sampled_from(PlanFileOp), st.sampled_from(SESSIONS), st.booleans())))
def test_no_writer_ever_replaces_what_it_has_not_seen(acts):
    thread = Thread()
    knows = dict.fromkeys(SESSIONS, "")
    unseen: dict[str, set[str]] = {session: set() for session in SESSIONS}
    for op, session, is_reading in acts:
        if is_reading and thread.findings:
            knows[session] = thread.findings.content_ref
            unseen[session] = set()
        try:
            thread.change(op, session, knows[session])
        except StaleError:
            assert op is PlanFileOp.WRITE
            assert thread.findings
            continue
        if op is PlanFileOp.WRITE:
            assert not unseen[session]
        for other in SESSIONS:
            if op in {PlanFileOp.INIT, PlanFileOp.CLEAR}:
                unseen[other] = set()
            elif other != session:
                unseen[other].add(session)


def test_a_thread_knows_its_newest_archived_plans_and_stays_small():
    thread = Thread()
    files = {which: StoredPlanFile(size_bytes=1, content_ref="0" * 64) for which in PlanFile}
    for number in range(MAX_ARCHIVED + 5):
        event = PlanArchived(name=f"plan-20260116-{number:04}", files=files, session_id="s")
        thread.state = evolve(thread.state, event)

    archived = thread.state.plan_files.archived
    assert len(archived) == MAX_ARCHIVED
    assert archived[-1].name == "plan-20260116-0054"
    assert len(thread.state.plan_files.model_dump_json()) < 24_000
