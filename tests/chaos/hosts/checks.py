"""What must hold when a host is lost: all of tests/chaos that does not speak of one disk, and more."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from domain.conversations.events import TurnEnded
from domain.tasks.events import TaskOpened, VerificationStepEnded
from tests.chaos import checks_journal, checks_people, checks_work
from tests.chaos.evidence import Thread
from tests.chaos.hosts.member import Member

CHECKS: tuple[Callable[[Thread], Iterator[str]], ...] = (
    checks_journal.is_finished,
    checks_journal.is_whole,
    checks_journal.is_by_the_rules,
    checks_journal.is_merged_after_its_gate,
    checks_journal.is_in_order,
    checks_journal.is_patient,
    checks_people.is_decided_by_the_person,
    checks_people.is_merged_after_the_approval,
    checks_people.is_answered_well,
    checks_people.is_remembered,
    checks_work.is_merged_once,
)


def violations(threads: Sequence[Thread], members: Sequence[Member], struck: datetime) -> list[str]:
    """Return everything that must not have happened, each with its thread and its check."""
    found: list[str] = []
    for thread, member in zip(threads, members, strict=True):
        name = f"{thread.thread_id} ({thread.job.name})"
        for check in CHECKS:
            found += [f"{name} {check.__name__}: {words}" for words in check(thread)]
        found += [f"{name} ends_once: {words}" for words in ends_once(thread)]
        found += [f"{name} needs_no_hand: {words}" for words in needs_no_hand(thread, struck)]
        found += [f"{name} keeps_out: {words}" for words in member.let_in]
    return found


def ends_once(thread: Thread) -> Iterator[str]:
    """No turn that ended is run again, and no verification step of an attempt of a run."""
    ended: Counter[tuple[str, ...]] = Counter()
    runs: Counter[str] = Counter()
    for event in (journaled.event for journaled in thread.events):
        match event.body:
            case TaskOpened():
                runs[event.stream] += 1
            case TurnEnded(result=result):
                ended["turn", event.stream, result.turn_id] += 1
            case VerificationStepEnded(attempt=attempt, result=result):
                run = f"run {runs[event.stream]}, attempt {attempt}"
                ended["step", event.stream, run, result.step_id] += 1
            case _:
                pass
    yield from (f"{what} ended {n} times" for what, n in ended.items() if n > 1)


def needs_no_hand(thread: Thread, struck: datetime) -> Iterator[str]:
    """Nobody had to repeat what the loss of a host broke off."""
    aborted = {work.name for work in thread.job.tasks if work.is_aborted}
    for sent in thread.sent:
        is_repair = sent.kind == "plan" or (sent.kind == "retry" and sent.target not in aborted)
        if is_repair and sent.at > struck:
            yield f"{sent.kind} {sent.target} had to be sent"
