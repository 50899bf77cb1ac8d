"""Verification: the steps of a plan or template, the result of each, and the verdict."""

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from enum import StrEnum

from pydantic import AliasChoices, Field, field_validator

from domain.core.network import Network
from domain.core.text import on_one_line
from domain.core.wire import Wire, whole_number
from domain.verification.judges.suspects import Judged
from domain.verification.pictures import Picture
from domain.verification.reviews import Finding

_PORT_REFERENCE = re.compile(r"\$(\$\{ports\.[^{}]*\})|\$\{ports\.([^{}]*)\}")
"""A literal, then a port; see `with_ports`."""

_DOUBTFUL = re.compile(r"\$\{\s*(?:ports|env)\.[^}]*\}?", re.IGNORECASE)
OUTPUT_TAIL_BYTES = 4096
_NAMED = 5
_METHOD = re.compile(r"^\s*GET\s+(?=\S)")
"""`GET http://…`, as the seed's table of steps has it; nothing else is sent anyway."""


class StepType(StrEnum):
    """What a step does; `review_agent` is a turn of an agent that reviews the work."""

    COMMAND = "command"
    SCRIPT = "script"
    FILE_EXISTS = "file_exists"
    HTTP_HEALTH = "http_health"
    PORT_REQUESTED = "port_requested"
    REVIEW_AGENT = "review_agent"


SUBJECT = {
    StepType.COMMAND: "command",
    StepType.SCRIPT: "command",
    StepType.FILE_EXISTS: "path",
    StepType.HTTP_HEALTH: "url",
    StepType.REVIEW_AGENT: "prompt",
}
"""The one field that each type needs."""


class VerificationStep(Wire):
    """One step; `timeout` is in milliseconds, 1 to 86,400,000.

    `command` runs in a shell of the workspace; `script` is a path in the workspace with arguments,
    run without a shell. `path` is relative to the workspace. `network` narrows what the step's
    sandbox lets it reach; nothing in a plan or template makes that wider. Steps next to each other with
    the same `parallel_group` run at the same time. `keep` are globs of pictures that it leaves in the
    workspace, which are kept with its result. With `picture`, a picture of what answers at `url` is.
    """

    id: str = ""
    type: StepType
    label: str = ""
    required: bool = True
    command: str | None = None
    url: str | None = None
    path: str | None = None
    prompt: str | None = None
    agent: str | None = None
    model: str | None = None
    network: Network | None = None
    timeout: int = Field(default=600_000, ge=1, le=86_400_000)
    continue_on_fail: bool = Field(
        default=False,
        validation_alias=AliasChoices("continue_on_fail", "continueOnFail"),
    )
    parallel_group: str | None = Field(
        default=None,
        validation_alias=AliasChoices("parallel_group", "parallelGroup"),
        exclude_if=lambda group: group is None,
    )
    keep: tuple[str, ...] = Field(default=(), exclude_if=lambda globs: not globs)
    picture: bool = Field(default=False, exclude_if=lambda wanted: not wanted)

    _is_a_number = field_validator("timeout", mode="before")(whole_number)

    @field_validator("command", "url", "path", "prompt")
    @classmethod
    def _has_no_nul(cls, value: str | None) -> str | None:
        if value is not None and "\0" in value:
            raise ValueError("must not contain a NUL character")
        return value

    @field_validator("network")
    @classmethod
    def _is_narrow(cls, value: Network | None) -> Network | None:
        if value in {Network.HOST, Network.PORTS}:
            raise ValueError("a step can only narrow its network: own-loopback, or none")
        return value

    @property
    def subject(self) -> str:
        """What the step runs, fetches or looks for; a URL without the method that may be before it."""
        given = getattr(self, SUBJECT.get(self.type, "label")) or ""
        return _METHOD.sub("", given) if self.type is StepType.HTTP_HEALTH else given

    @property
    def name_in_clear(self) -> str:
        """What it is called where no command may be read: its label, unless that is what it runs."""
        own = self.label.rstrip("…")
        return self.label if own and own not in self.subject else self.id

    @property
    def leaves_files(self) -> bool:
        """Whether it can leave pictures in the workspace, or names one there."""
        return self.type in {StepType.COMMAND, StepType.SCRIPT, StepType.FILE_EXISTS}

    @property
    def has_page(self) -> bool:
        """Whether something answers there, of which a picture can be taken."""
        return self.type is StepType.HTTP_HEALTH

    @property
    def limit(self) -> timedelta:
        """How long the step may take."""
        return timedelta(milliseconds=self.timeout)


class StepResult(Wire):
    """What one step gave; `output` is its tail, `output_ref` names the rest in the journal.

    One that did not execute has not passed: it says nothing of the work. `findings` are those of a
    review, which the session `reviewed_by` made. `tree` is that of the commit whose clean checkout it
    ran on, empty where it ran elsewhere; `carried` are the task's own ignored files that it had there,
    which a template may have chosen. With `is_lost` it did not execute, as what it checks was lost with its
    host. `judged` are files that the task changed and that had part in the verdict: the step's processes
    opened them, or they are gone, and they could judge (ADR 0032).
    """

    step_id: str
    label: str = ""
    passed: bool
    is_required: bool = True
    is_executed: bool = True
    is_lost: bool = False
    findings: tuple[Finding, ...] = ()
    reviewed_by: str = ""
    output: str = ""
    output_ref: str | None = None
    exit_code: int | None = None
    """Of a command that ended by itself; None where it did not, or none ran."""
    duration_ms: int = 0
    sandbox: str = ""
    tree: str = ""
    carried: tuple[str, ...] = ()
    is_carry_chosen: bool = False
    judged: tuple[Judged, ...] = ()
    pictures: tuple[Picture, ...] = Field(default=(), exclude_if=lambda pictures: not pictures)


class VerificationAttempt(Wire):
    """One attempt: the steps that ran, in order, and the tree they ran on.

    `held` is why it failed without the agent being at fault: then a person is asked.
    """

    attempt: int
    tree: str | None = None
    steps: tuple[StepResult, ...] = ()
    is_finished: bool = False
    held: str = ""

    def result_of(self, step_id: str) -> StepResult | None:
        """Return the result of a step that has run."""
        return next((s for s in self.steps if s.step_id == step_id), None)

    @property
    def is_lost(self) -> bool:
        """Whether the commit that it is about was lost with its host."""
        return any(step.is_lost for step in self.steps)

    def without_outputs(self, but: frozenset[str] = frozenset()) -> "VerificationAttempt":
        """Return what was found, without what the steps said, but for some of them."""
        silent = {"output": "", "findings": ()}
        steps = (s if s.step_id in but else s.model_copy(update=silent) for s in self.steps)
        return self.model_copy(update={"steps": tuple(steps)})


def reviews_in(attempts: Sequence[VerificationAttempt]) -> frozenset[str]:
    """Return the ids of the steps by which an agent reviewed the work in some attempts."""
    results = (result for attempt in attempts for result in attempt.steps)
    return frozenset(r.step_id for r in results if r.reviewed_by and r.is_executed)


def without_reviews(steps: Sequence[VerificationStep]) -> tuple[VerificationStep, ...]:
    """Return the steps that no agent makes: those that are run again where a merge makes a new tree."""
    return tuple(step for step in steps if step.type is not StepType.REVIEW_AGENT)


def next_step(
    steps: Sequence[VerificationStep], attempt: VerificationAttempt
) -> VerificationStep | None:
    """Return the step to run next, or None when the attempt is over.

    Steps run in order. After a step fails, a required one without continueOnFail ends the attempt,
    once all of its group have run. So does the loss of the commit, at once.
    """
    if attempt.is_lost:
        return None
    failed: VerificationStep | None = None
    for step in steps:
        if failed is not None and not is_beside(failed, step):
            return None
        result = attempt.result_of(step.id)
        if result is None:
            return step
        if failed is None and ends_attempt(step, result):
            failed = step
    return None


def is_beside(step: VerificationStep, other: VerificationStep) -> bool:
    """Tell whether two steps are of one group."""
    return step.parallel_group is not None and step.parallel_group == other.parallel_group


def has_passed(steps: Sequence[VerificationStep], attempt: VerificationAttempt) -> bool:
    """Give the verdict: every required step was executed and passed."""
    if attempt.is_lost:
        return False
    results = [attempt.result_of(s.id) for s in steps if s.required]
    return all(result is not None and result.passed for result in results)


def ends_attempt(step: VerificationStep, result: StepResult) -> bool:
    """Tell whether an attempt is over after a step, whatever steps are left."""
    return not result.passed and step.required and not step.continue_on_fail


def is_last_of(steps: Sequence[VerificationStep], step: VerificationStep) -> bool:
    """Tell whether no step of an attempt that runs on its checkout comes after this one."""
    of_checkouts = [other.id for other in without_reviews(steps)]
    return bool(of_checkouts) and of_checkouts[-1] == step.id


def on_unaltered(result: StepResult, altered: Sequence[str]) -> StepResult:
    """Return a step's result: one on files that are not the commit's any more has not passed."""
    if not result.passed or not altered:
        return result
    more = f" and {len(altered) - _NAMED} more" if len(altered) > _NAMED else ""
    reason = (
        f"passed, but not on what was committed: {', '.join(altered[:_NAMED])}{more} changed "
        "meanwhile. Keep what the step writes out of the commit, or put it in; and end what "
        "still runs and writes there"
    )
    output = result.output.encode()[: OUTPUT_TAIL_BYTES - len(reason.encode()) - 1]
    text = f"{output.decode('utf-8', 'ignore')}\n{reason}".lstrip("\n")
    return result.model_copy(update={"passed": False, "output": text})


def failure_report(steps: Sequence[VerificationStep], attempt: VerificationAttempt) -> str:
    """Return what the agent is told after a failed attempt: each step, its outcome, its output."""
    lines: list[str] = []
    known = {step.id for step in steps}
    for result in (result for result in attempt.steps if result.step_id not in known):
        outcome = "passed" if result.passed else "FAILED"
        lines.append(f"- {result.label}: {outcome}: {result.output}")  # step 0, made by itself
    for step in steps:
        result = attempt.result_of(step.id)
        outcome = "did not run" if result is None else "passed" if result.passed else "FAILED"
        optional = "" if step.required else " (optional)"
        lines.append(
            f"- {on_one_line(step.label)}{optional}: {outcome} [{step.type}: {step.subject}]"
        )
        if result is not None and not result.passed and result.output.strip():
            lines.append(f"```\n{result.output.strip()}\n```")
        if result is not None:
            lines += [f"  - {finding.as_line}" for finding in result.findings]
    return "\n".join(lines)


def port_references(text: str) -> list[str]:
    """Return the port ids that a text refers to as ${ports.ID}, in order."""
    return [m[2] for m in _PORT_REFERENCE.finditer(text) if m[2] is not None]


def doubtful_references(text: str) -> list[str]:
    """Return what looks like a reference to a port and is none: ${PORTS.a}, ${env.X}, nested ones."""
    rest = _PORT_REFERENCE.sub(lambda match: "\0" * len(match[0]), text)
    return [text[match.start() : match.end()] for match in _DOUBTFUL.finditer(rest)]


def with_ports(text: str, ports: Mapping[str, int]) -> str:
    """Put the numbers of ports into a text; `$${ports.ID}` stands for a literal `${ports.ID}`.

    Raises:
        KeyError: A port id that `ports` does not hold.
    """
    return _PORT_REFERENCE.sub(lambda match: match[1] or str(ports[match[2]]), text)
