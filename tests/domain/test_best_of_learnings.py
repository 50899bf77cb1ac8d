"""What candidates learned is kept of all whose work was merged, and a promotion by candidates is one."""

from domain.core.ids import TaskId
from domain.core.workspaces import MergeResult, Snapshot
from domain.tasks.events import TaskEnd
from domain.tasks.learnings import Learning, LearningKind
from domain.threads.commands import EndTask, SettleTask
from domain.threads.contests.commands import Part, PutTogether
from domain.threads.contests.effects import EndComposition
from domain.threads.running.events import LearningsAdded, LearningsPromoted
from tests.domain.contest_lab import APP, ContestLab

MERGED = "d" * 40


def learning(text: str) -> Learning:
    return Learning(learning=LearningKind.WORKED, text=text)


def ends(lab: ContestLab, letter: str, end: TaskEnd, *, approved_by: tuple[str, ...] = ()) -> None:
    """Have a candidate end that has learned something, and be merged or released."""
    name, entry = lab.name(letter), lab.entry(letter)
    commit = entry.progress.commit if entry.progress else None
    told = (learning(f"learned by {letter}"),)
    ended = EndTask(
        task_id=name,
        run=entry.run,
        end=end,
        commit=commit,
        learnings=told,
        approved_by=approved_by,
    )
    lab.send(ended)
    merge = MergeResult(commit=MERGED if end is TaskEnd.ACCEPTED else None)
    lab.send(SettleTask(task_id=name, run=entry.run, merge=merge))


def put_together(lab: ContestLab, base: str, *of: str) -> TaskId:
    """Have work put together, and be verified."""
    request = lab.contest.request
    assert request is not None
    parts = tuple(Part(candidate=lab.name(each), files=(f"{each}.py",)) for each in of)
    asked = PutTogether(
        task_id=APP,
        request_id=request.request_id,
        content_hash=request.content_hash,
        base=lab.name(base),
        parts=parts,
        by="ada",
    )
    name = TaskId(lab.send(asked).data["candidate"])
    made = Snapshot(commit="e" * 40, tree="t", base="b")
    lab.send(EndComposition(candidate=name, run=lab.contest.compositions[name].run, snapshot=made))
    lab.passes(name[-1])
    return name


def added(lab: ContestLab) -> dict[str, list[str]]:
    """Return what the thread took of each candidate, and see that it stands behind what was merged."""
    found = [event for event in lab.events if isinstance(event, LearningsAdded)]
    assert {event.evidence.commit for event in found} <= {MERGED}
    texts = [[each.text for each in event.learnings] for event in found]
    return dict(zip([event.task_id[-1] for event in found], texts, strict=True))


def passed(*agents: str) -> ContestLab:
    lab = ContestLab(*agents)
    for letter in "abc"[: len(agents)]:
        lab.passes(letter)
    return lab


def test_of_work_that_was_put_together_everybody_has_learned_something() -> None:
    lab = passed("claude", "codex", "kimi")
    put_together(lab, "b", "a")
    lab.take("d")
    ends(lab, "d", TaskEnd.ACCEPTED)
    for letter in "abc":
        ends(lab, letter, TaskEnd.CANCELLED)

    assert lab.statuses["app"] == "completed"
    assert added(lab) == {letter: [f"learned by {letter}"] for letter in "dba"}
    kinds = lab.kinds()
    assert kinds.count("learnings_added") == 3
    lab.complete("docs")
    assert lab.kinds().count("learnings_added") == 3


def test_what_was_put_together_twice_has_all_before_it() -> None:
    lab = passed("claude", "codex")
    put_together(lab, "a", "b")
    put_together(lab, "c", "a")
    lab.take("d")
    ends(lab, "d", TaskEnd.ACCEPTED)
    for letter in "abc":
        ends(lab, letter, TaskEnd.CANCELLED)

    assert added(lab) == {letter: [f"learned by {letter}"] for letter in "dcab"}


def test_who_was_not_taken_has_learned_nothing_for_others() -> None:
    lab = passed("claude", "codex")
    put_together(lab, "a", "b")
    lab.take("b")
    ends(lab, "b", TaskEnd.ACCEPTED)
    for letter in "ac":
        ends(lab, letter, TaskEnd.CANCELLED)

    assert added(lab) == {"b": ["learned by b"]}


def test_a_promotion_that_several_agents_propose_is_one() -> None:
    lab = ContestLab("claude", "codex", promotes=("l-0123456789",))
    lab.passes("a", files=("AGENTS.md",))
    lab.passes("b")
    lab.take("a", by="ann")
    ends(lab, "a", TaskEnd.ACCEPTED, approved_by=("ann",))
    ends(lab, "b", TaskEnd.CANCELLED)

    [promoted] = [event for event in lab.events if isinstance(event, LearningsPromoted)]
    assert promoted == LearningsPromoted(
        learning_ids=("l-0123456789",), commit=MERGED, approved_by=("ann",)
    )
