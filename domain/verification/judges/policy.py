"""What a template says of work that changed its own judges, or that nothing verified (ADR 0032)."""

from enum import StrEnum


class JudgePolicy(StrEnum):
    """Whether an automatic gate waits for a person; all of it is told at the gate in any case.

    `tests` lets it close where nothing but existing tests was changed, `tell` in every case.
    """

    ASK = "ask"
    TESTS = "tests"
    TELL = "tell"
