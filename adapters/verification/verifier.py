"""The `Verifier` port: runs one verification step; failing, hanging and not starting are results."""

import errno
import os
import shlex
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from signal import Signals

from adapters.egress.doors import Gate
from adapters.files.safe_open import PathRefusedError, safe_stat
from adapters.processes.command import Command, Finished
from adapters.processes.listeners import Listeners
from adapters.processes.spawner import Spawner
from adapters.verification.health_checks import HealthCheck, HealthCheckError
from adapters.verification.hints import hosts_hint, sandbox_hint
from adapters.verification.pictures import KeptPictures
from domain.agents.sandbox import Level, RulesNow, Sandbox, SandboxRules, narrowed
from domain.agents.terminals import port_environment
from domain.core.beside import variables_of
from domain.core.errors import WorkspaceError
from domain.core.hosts import HostRules
from domain.core.ports import Beat
from domain.core.text import on_one_line
from domain.recipes.errors import SecretUnavailableError
from domain.recipes.ports import Environments, Surroundings
from domain.recipes.recipe import User
from domain.verification.health_url import check_url
from domain.verification.pictures import Picture
from domain.verification.ports import Camera, NoPictureError, StepPlace
from domain.verification.steps import (
    OUTPUT_TAIL_BYTES,
    StepResult,
    StepType,
    VerificationStep,
    with_ports,
)

OUTPUT_LIMIT_BYTES = 1 << 20
_MILLISECONDS = 1000
_NAME = 200
"""Characters of a label that are the name of its step's picture."""

_EXHAUSTED = {
    *(errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO),
    *(errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN),
}
"""What says something of the host and nothing of the work: such a step is run again."""

_STARTED = {StepType.COMMAND, StepType.SCRIPT}
_SHELL_WORDS = {126: " (found, but cannot be run)", 127: " (command not found)"}


class StepFailedError(Exception):
    """A step did not pass; the text is what the agent and the person are told."""

    def __init__(self, message: str, exit_code: int | None = None) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class StepVerifier:
    """Runs steps in a workspace. Commands get the spawner's base environment and the task's ports.

    `rules` are the user's for the sandbox of commands.
    """

    environments: Environments | None = None
    """What recipes have steps know; set before the first step."""

    pictures: KeptPictures | None = None
    """What keeps the pictures of steps; set before the first step."""

    camera: Camera | None = None
    """What takes pictures of pages; set before the first step."""

    def __init__(
        self,
        spawner: Spawner,
        listeners: Listeners | None = None,
        rules: RulesNow = SandboxRules(level=Level.OFF),  # noqa: B008 - frozen
    ) -> None:
        self._spawner = spawner
        self._listeners = listeners
        self._rules = rules

    async def run_step(
        self, step: VerificationStep, place: StepPlace, beat: Beat
    ) -> tuple[StepResult, str]:
        """Run one step; returns its result and its whole output (capped, the cut marked).

        Never raises for a step that fails, times out or cannot start: that is its result.

        Raises:
            WorkspaceError: The host ran out of something: disk, memory, processes.
        """
        started = time.monotonic()
        is_command = step.type in _STARTED
        gate = Gate()
        try:
            output, passed = await self._run(step, place, beat, gate), True
            exit_code = 0 if is_command else None
        except StepFailedError as failure:
            output, passed, exit_code = str(failure), False, failure.exit_code
        duration = time.monotonic() - started
        pictures, notes = await self._pictures(step, place, beat, is_healthy=passed)
        output = "\n".join((output.rstrip("\n"), *notes)).lstrip("\n") if notes else output
        result = StepResult(
            step_id=step.id,
            label=step.label,
            passed=passed,
            is_required=step.required,
            output=_tail(output),
            exit_code=exit_code,
            duration_ms=round(duration * _MILLISECONDS),
            sandbox=self._sandbox(step, place).summary + _refused(gate) if is_command else "",
            pictures=pictures,
        )
        return result, output

    async def _pictures(
        self, step: VerificationStep, place: StepPlace, beat: Beat, *, is_healthy: bool
    ) -> tuple[tuple[Picture, ...], list[str]]:
        """Keep what the step left, also where it failed: a picture of a failure tells most."""
        if self.pictures is not None and step.picture and is_healthy:
            return await self._photographed(self.pictures, step, place, beat)
        if self.pictures is None or not step.keep:
            return (), []
        kept, notes = await self.pictures.keep(place.directory, step.keep)
        return kept, [f"keep: {note}" for note in notes]

    async def _photographed(
        self, pictures: KeptPictures, step: VerificationStep, place: StepPlace, beat: Beat
    ) -> tuple[tuple[Picture, ...], list[str]]:
        """Keep a picture of the page that answered; without one the step has passed all the same."""
        if self.camera is None:
            return (), []
        is_confined = self._sandbox(step, place).level is not Level.OFF
        ports, limit = tuple(place.ports.values()), step.limit.total_seconds()
        url = with_ports(step.subject, place.ports)
        port = check_url(url, ports)
        try:
            # who answered the check may be gone, and another one on its port
            await self._refuse_stranger(port, place)
            taken = await self.camera.take(url, ports, limit, beat, is_confined=is_confined)
            await self._refuse_stranger(port, place)
        except NoPictureError as error:
            return (), [f"picture: {error.message}"]
        name = on_one_line(step.label)[:_NAME] or step.id
        return (await pictures.put(f"{name}.png", taken),), []

    async def _run(self, step: VerificationStep, place: StepPlace, beat: Beat, gate: Gate) -> str:
        directory = place.directory
        try:
            subject = with_ports(step.subject, place.ports)
        except KeyError as missing:
            raise StepFailedError(
                f"port {missing} is not leased: request it before the work is reported done"
            ) from missing
        if step.type is StepType.COMMAND:
            argv = ("/bin/sh", "-c", subject)
            return await self._execute(step, argv, place, beat, gate)
        if step.type is StepType.SCRIPT:
            argv = _script(subject, directory)
            return await self._execute(step, argv, place, beat, gate)
        if step.type is StepType.FILE_EXISTS:
            return _existing(subject, directory)
        if step.type is StepType.HTTP_HEALTH:
            return await self._healthy(step, subject, place, beat)
        raise StepFailedError(f"{step.type} steps are not run in a workspace")

    async def _stranger(self, port: int, place: StepPlace) -> str:
        """Say who listens there and is not of the workspace: its answer proves nothing."""
        if self._listeners is None:
            return ""
        return await self._listeners.foreign(port, place.workspace.workspace_id)

    async def _refuse_stranger(self, port: int, place: StepPlace) -> None:
        if stranger := await self._stranger(port, place):
            raise NoPictureError(
                f"port {port} is served by {stranger}, which was not started for this task"
            )

    async def _healthy(self, step: VerificationStep, url: str, place: StepPlace, beat: Beat) -> str:
        ports = frozenset(place.ports.values())
        check = HealthCheck(url, ports, partial(self._stranger, place=place))
        try:
            return await check.wait(step.limit.total_seconds(), beat)
        except HealthCheckError as error:
            raise StepFailedError(str(error)) from error

    def _sandbox(self, step: VerificationStep, place: StepPlace) -> Sandbox:
        repository = Path(place.workspace.repository)
        hosts = HostRules(listed=place.workspace.hosts)
        sandbox = self._rules.now.of(None, repository, place.ports.values(), hosts=hosts)
        return narrowed(sandbox, step.network)

    async def _equipped(
        self, command: Command, step: VerificationStep, place: StepPlace
    ) -> Command:
        """Give a step's command its ports, and what the workspace's recipe has it know."""
        around = Surroundings()
        if self.environments is not None:
            user = step.label or User.VERIFICATION
            try:
                around = await self.environments.of(place.workspace, user, place.directory)
            except SecretUnavailableError as error:
                raise StepFailedError(error.message) from error
        seen = variables_of((each.name, each.shown_at) for each in place.beside)
        pairs = tuple((each.directory, each.shown_at) for each in place.beside)
        known = {**seen, **port_environment(place.ports)}
        return replace(command, environment=known, beside=pairs).within(around)

    async def _execute(
        self,
        step: VerificationStep,
        argv: tuple[str, ...],
        place: StepPlace,
        beat: Beat,
        gate: Gate,
    ) -> str:
        sandbox = self._sandbox(step, place)
        command = Command(
            argv,
            place.directory,
            is_merged=True,
            sandbox=sandbox,
            shown_at=place.shown_at,
            gate=gate,
        )
        command = await self._equipped(command, step, place)
        try:
            done = await self._spawner.run(
                command,
                limit_seconds=step.limit.total_seconds(),
                output_limit_bytes=OUTPUT_LIMIT_BYTES,
                beat=beat,
            )
        except OSError as error:
            if error.errno in _EXHAUSTED:
                raise WorkspaceError(f"a step could not start on this host: {error}") from error
            raise StepFailedError(f"could not start: {error}") from error
        output = done.output.text()
        if done.returncode == 0:
            return output
        hint = hosts_hint(gate.refused) or sandbox_hint(output, sandbox)
        message = (output.rstrip(), _ending(done, step), hint)
        ended = None if done.is_timed_out or done.signal is not None else done.returncode
        raise StepFailedError("\n".join(filter(None, message)), ended)


def _refused(gate: Gate) -> str:
    return f"; refused: {', '.join(gate.refused)}" if gate.refused else ""


def _ending(done: Finished, step: VerificationStep) -> str:
    if done.is_timed_out:
        return f"timed out after {step.limit.total_seconds():g} s and was ended"
    if done.signal is not None:
        known = done.signal in {s.value for s in Signals}
        name = f" ({Signals(done.signal).name})" if known else ""
        return f"ended by signal {done.signal}{name}"
    hint = _SHELL_WORDS.get(done.returncode or 0, "")
    return f"exit code {done.returncode}{hint}"


def _script(subject: str, directory: Path) -> tuple[str, ...]:
    """Return the arguments of a script, its file confined to the workspace."""
    try:
        name, *arguments = shlex.split(subject)
    except ValueError as error:
        raise StepFailedError(f"could not start: {subject!r} names no script ({error})") from error
    _look_at(name, directory)
    # started by its path: what it does is the agent's anyhow, as with every command
    return (str(directory / name), *arguments)


def _existing(path: str, directory: Path) -> str:
    return f"{path}: {_look_at(path, directory).st_size} bytes"


def _look_at(path: str, directory: Path) -> os.stat_result:
    try:
        return safe_stat(directory, path)
    except PathRefusedError as error:
        raise StepFailedError(str(error)) from error


def _tail(output: str) -> str:
    """Return the newest bytes of an output, cut at a character boundary."""
    return output.encode()[-OUTPUT_TAIL_BYTES:].decode("utf-8", "ignore")
