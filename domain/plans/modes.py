"""The mode catalogue: one place for what planners and agents are told of each mode."""

from typing import NamedTuple

from domain.plans.plan import Mode, PlannedTask


class ModeGuide(NamedTuple):
    """One mode: its specialist's title, guidance for planners and for agents, and its icon.

    The icon is one character that is one cell wide in a terminal.
    """

    mode: Mode
    title: str
    icon: str
    planner_guidance: str
    agent_guidance: str


_GUIDES = (
    ModeGuide(
        Mode.CODE,
        "Implementation Specialist",
        "◆",
        "Writes or changes code. Name the files and what must stay as it is; verify with the "
        "project's own build and tests.",
        "You write code. Read what is around it first and keep to the style that you find. Make the "
        "smallest change that does the task whole; leave other code alone. Handle errors where they "
        "can happen. Add or change tests with the code.",
    ),
    ModeGuide(
        Mode.TEST,
        "Validation Specialist",
        "◇",
        "Writes tests, runs suites, looks at coverage. Say which behaviour must be tested and how "
        "the tests are run.",
        "You write and run tests. Test behaviour, not how it is made; cover the limits and the "
        "errors. See each new test fail for the right reason before it passes. A test that finds a "
        "fault in the code is a result: report it, and never weaken the test.",
    ),
    ModeGuide(
        Mode.RESEARCH,
        "Research Strategist",
        "○",
        "Reads and finds out; changes no code. Say what question is to be answered and into which "
        "file the answer goes.",
        "You find out. Read code, documents and history; run only commands that change nothing. "
        "Write down what you found, with the place of each fact, and tell what is known from what is "
        "guessed. Change no code.",
    ),
    ModeGuide(
        Mode.DESIGN,
        "Design Architect",
        "△",
        "Works out an approach and its trade-offs before others build. Name the decisions that it "
        "must make and the document that it leaves.",
        "You design. Compare at least two ways with what each costs and risks, choose one and say "
        "why. Leave a document that somebody else can build from: parts, their contracts, the order "
        "of work. Change no code.",
    ),
    ModeGuide(
        Mode.DOCS,
        "Documentation Specialist",
        "□",
        "Updates READMEs, comments, docstrings. Name the readers and the files; verify that "
        "examples run and links lead somewhere.",
        "You write documentation. Check every statement against the code. Plain short sentences, "
        "examples that run, nothing said twice. Change no code but comments and docstrings.",
    ),
    ModeGuide(
        Mode.RUN,
        "Execution Specialist",
        "▷",
        "Runs commands and records what they gave. Name the commands, what success looks like, and "
        "what must not be touched.",
        "You run commands. Look at what each one gave before you run the next; keep the output that "
        "matters in your report. Nothing destructive that the task does not name. Stop and report "
        "where a result is not what was expected.",
    ),
)

CATALOGUE = {guide.mode: guide for guide in _GUIDES}


def guide(mode: Mode) -> ModeGuide:
    """Return what is said of one mode."""
    return CATALOGUE[mode]


def specialist_of(task: PlannedTask) -> str:
    """Return who works on a task: its owner, or the specialist of its mode."""
    return task.owner or guide(task.mode).title


def planner_catalogue() -> str:
    """Return the catalogue as a planner reads it."""
    return "\n".join(f"- `{g.mode}` ({g.title}): {g.planner_guidance}" for g in _GUIDES)
