"""Exactly one entry per issue: over any order of pages, repeats, labels, closings and lost answers."""

from datetime import UTC, datetime

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from domain.core.event import EventBody
from domain.forges.issues import Issue, IssueId
from domain.forges.projects import Account
from domain.trackers.calls import EnqueueResult, FollowResult, LookResult, SeenIssue
from domain.trackers.events import (
    IssuesSeen,
    IssueTaken,
    IssueWithdrawn,
    TrackerFailed,
    TrackerRecovered,
)
from domain.trackers.notes import NoteEnqueued, NoteFollowed, NoteLook
from domain.trackers.rules import TRACKER_RULES, decide, evolve
from domain.trackers.state import KEPT, MAX_OPEN, Stage, TrackedIssue, TrackerState

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
ISSUES = st.sampled_from(["1", "2", "3"])


def issue(name: str, *, is_open: bool = True, key: str = "") -> Issue:
    return Issue(
        ref=IssueId(tracker="work", id=name, key=key or f"acme/app#{name}"),
        url=f"https://github.com/acme/app/issues/{name}",
        title="title",
        author=Account(id="7", login="ann"),
        is_open=is_open,
        created_at=NOW,
        updated_at=NOW,
    )


class TrackerMachine(RuleBasedStateMachine):
    """A tracker's rules beside a queue that knows entries by their ids and starts what waits."""

    def __init__(self) -> None:
        super().__init__()
        self.state = TrackerState()
        self.waiting: set[str] = set()
        self.started: list[str] = []
        self.taken: list[IssueTaken] = []
        self.withdrawn: list[IssueWithdrawn] = []

    def tell(self, command: object) -> None:
        events: tuple[EventBody, ...] = decide(self.state, command, NOW).events  # type: ignore[arg-type]
        for event in events:
            self.state = evolve(self.state, event)
        self.taken += [e for e in events if isinstance(e, IssueTaken)]
        self.withdrawn += [e for e in events if isinstance(e, IssueWithdrawn)]

    @rule(names=st.lists(ISSUES, max_size=5), is_open=st.booleans(), key=st.sampled_from(["", "b"]))
    def look(self, names: list[str], is_open: bool, key: str) -> None:
        """A page in any order, with repeats, of issues that are labelled, relabelled, moved or edited."""
        seen = [SeenIssue(issue=issue(n, is_open=is_open, key=key), tracker="g h") for n in names]
        self.tell(NoteLook(result=LookResult(issues=tuple(seen), cursor=str(len(names)))))

    @rule(name=ISSUES)
    def look_of_a_stranger(self, name: str) -> None:
        seen = SeenIssue(issue=issue(name), tracker="g h", reason="a stranger's")
        self.tell(NoteLook(result=LookResult(issues=(seen,))))

    @rule(name=ISSUES, is_answered=st.booleans(), is_refused=st.booleans())
    def enqueue(self, name: str, is_answered: bool, is_refused: bool) -> None:
        """The queue takes an entry once; the answer may be lost, and it is told again."""
        known = self.state.issues.get(name)
        if known is None or known.stage is not Stage.TAKEN:
            return
        entry = known.entry_id
        if not is_refused and entry not in self.started and entry not in self.waiting:
            assert entry not in {gone.entry_id for gone in self.withdrawn}
            self.waiting.add(entry)
        if is_answered:
            is_refused = is_refused and entry not in self.waiting and entry not in self.started
            result = EnqueueResult(refusal="no agent" if is_refused else "")
            self.tell(NoteEnqueued(issue_id=name, entry_id=entry, result=result))

    @rule(name=ISSUES)
    def start(self, name: str) -> None:
        known = self.state.issues.get(name)
        if known is not None and known.entry_id in self.waiting:
            self.waiting.remove(known.entry_id)
            self.started.append(known.entry_id)

    @rule(name=ISSUES, is_wanted=st.booleans(), has_ended=st.booleans(), is_late=st.booleans())
    def follow(self, name: str, is_wanted: bool, has_ended: bool, is_late: bool) -> None:
        """What waits and is not wanted is withdrawn; a late answer, of another entry, changes nothing."""
        known = self.state.issues.get(name)
        if known is None or known.stage is not Stage.QUEUED:
            return
        if is_late:
            old = known.model_copy(update={"entry_id": "thread-of-before"})
            self.tell(NoteFollowed(result=FollowResult(issue=old, withdrawn="late")))
        elif known.entry_id in self.started:
            now = known.model_copy(update={"is_started": True})
            reason = "" if is_wanted else "label removed"
            ended = "completed" if has_ended else ""
            self.tell(NoteFollowed(result=FollowResult(issue=now, unwanted=reason, ended=ended)))
        elif not is_wanted:
            self.waiting.discard(known.entry_id)
            self.tell(NoteFollowed(result=FollowResult(issue=known, withdrawn="label removed")))

    @rule()
    def restart(self) -> None:
        """A run that continues as new has nothing but the state."""
        self.state = TrackerState.model_validate_json(self.state.model_dump_json())

    @invariant()
    def one_entry_of_each_issue(self) -> None:
        for known in self.state.issues.values():
            of_it = [e for e in self.taken if e.ref.id == known.ref.id]
            gone = {e.entry_id for e in self.withdrawn}
            assert len({e.entry_id for e in of_it} - gone) <= 1
            begun = [e for e in self.started if e in {t.entry_id for t in of_it}]
            assert len(begun) <= 1
            if begun:
                assert not (self.waiting & {t.entry_id for t in of_it})

    @invariant()
    def nothing_is_lost(self) -> None:
        assert all(e.ref.id in self.state.issues for e in self.taken)


TestTracker = TrackerMachine.TestCase


def test_a_look_that_ends_after_a_pause_takes_nothing() -> None:
    seen = SeenIssue(issue=issue("1"), tracker="g h")
    note = NoteLook(result=LookResult(issues=(seen,), cursor="c"))
    assert decide(TrackerState(is_paused=True), note, NOW).events == ()
    assert len(decide(TrackerState(), note, NOW).events) == 2


def test_what_is_watched_ends_with_a_pause() -> None:
    assert len(TRACKER_RULES.effects(TrackerState())) == 1
    assert TRACKER_RULES.effects(TrackerState(is_paused=True)) == []


class Told:
    """A tracker's state, and the events of what it was told last."""

    def __init__(self) -> None:
        self.state = TrackerState()

    def tell(self, command: object) -> list[str]:
        events = decide(self.state, command, NOW).events  # type: ignore[arg-type]
        for event in events:
            self.state = evolve(self.state, event)
        return [event.kind for event in events]

    def look(self, *names: str, cursor: str = "c") -> list[str]:
        seen = tuple(SeenIssue(issue=issue(name), tracker="g h") for name in names)
        return self.tell(NoteLook(result=LookResult(issues=seen, cursor=cursor)))


def test_what_cannot_be_done_for_an_issue_is_told_once_and_goes_with_the_first_success() -> None:
    told = Told()
    told.look("1")
    known = told.state.issues["1"]
    refused = NoteEnqueued(
        issue_id="1", entry_id=known.entry_id, result=EnqueueResult(problem="no token")
    )
    assert told.tell(refused) == ["issue_followed"]
    for _ in range(3):  # the tracker answers, and this is in its way each time
        assert told.look() == []
        assert told.tell(refused) == []
    assert told.state.trouble == "acme/app#1: no token"

    told.tell(NoteEnqueued(issue_id="1", entry_id=known.entry_id, result=EnqueueResult()))
    assert told.state.trouble == ""
    queued = told.state.issues["1"]
    locked = NoteFollowed(result=FollowResult(issue=queued, problem="the issue is locked"))
    assert [told.tell(locked) for _ in range(2)] == [["issue_followed"], []]
    told.tell(NoteFollowed(result=FollowResult(issue=told.state.issues["1"])))
    assert told.state.trouble == ""


def test_so_many_issues_are_at_work_and_the_others_are_taken_later() -> None:
    told = Told()
    names = [str(number) for number in range(MAX_OPEN + 2)]
    kinds = told.look(*names)
    assert (kinds.count("issue_taken"), kinds[-1]) == (MAX_OPEN, "tracker_failed")
    assert told.state.cursor == ""
    assert len(told.state.model_dump_json()) < 2 << 19
    assert told.look(*names[MAX_OPEN:]) == []

    known = told.state.issues["7"]
    told.tell(
        NoteEnqueued(issue_id="7", entry_id=known.entry_id, result=EnqueueResult(refusal="no"))
    )
    assert told.look(*names[MAX_OPEN:]) == ["issue_taken"]


def test_a_tracker_that_answers_again_has_no_problem_any_more() -> None:
    failed = evolve(TrackerState(), TrackerFailed(reason="down"))
    assert failed.trouble == "down"
    assert evolve(failed, TrackerRecovered()).trouble == ""


def test_the_look_after_a_withdrawal_asks_for_everything_again() -> None:
    told = Told()
    told.look("1")
    known = told.state.issues["1"]
    told.tell(NoteEnqueued(issue_id="1", entry_id=known.entry_id, result=EnqueueResult()))
    told.state = evolve(told.state, IssuesSeen(cursor="c", tags={"issues": "etag"}))
    queued = told.state.issues["1"]
    told.tell(NoteFollowed(result=FollowResult(issue=queued, withdrawn="label removed")))
    assert (told.state.issues["1"].stage, told.state.tags) == (Stage.WITHDRAWN, {})


def test_an_issue_with_a_second_entry_is_remembered_longest() -> None:
    over = {
        str(n): TrackedIssue(
            ref=issue(str(n)).ref, entry_id=f"e{n}", turn=1 + (n == 0), stage=Stage.ENDED
        )
        for n in range(KEPT + 1)
    }
    state = TrackerState(issues=over)
    gone = IssueWithdrawn(issue_id=str(KEPT), entry_id=f"e{KEPT}", reason="label removed")
    kept = evolve(state, gone).issues
    assert len(kept) == KEPT
    assert "0" in kept
    assert "1" not in kept
