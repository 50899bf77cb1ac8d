"""All checks of a run, as pure functions over what was read at its end."""

from collections.abc import Callable, Iterator, Sequence

from tests.chaos import checks_journal, checks_people, checks_work
from tests.chaos.evidence import Leftovers, Thread

CHECKS: tuple[Callable[[Thread], Iterator[str]], ...] = (
    checks_journal.is_finished,
    checks_journal.is_whole,
    checks_journal.is_prompted_once,
    checks_journal.is_by_the_rules,
    checks_journal.is_merged_after_its_gate,
    checks_journal.is_in_order,
    checks_journal.is_patient,
    checks_people.is_decided_by_the_person,
    checks_people.is_merged_after_the_approval,
    checks_people.is_answered_well,
    checks_people.is_remembered,
    checks_work.has_one_writer,
    checks_work.repeats_nothing,
    checks_work.is_merged_once,
    checks_work.leaves_the_repository_whole,
)


def violations(threads: Sequence[Thread], left: Leftovers) -> list[str]:
    """Return everything that must not have happened, each with its thread and its check."""
    found = [
        f"{thread.thread_id} ({thread.job.name}) {check.__name__}: {words}"
        for thread in threads
        for check in CHECKS
        for words in check(thread)
    ]
    return found + [f"leaves_nothing: {words}" for words in checks_work.leaves_nothing(left)]
