"""The `Verifier` port: runs one verification step; failing, hanging and not starting are results."""

import shlex
import time
from pathlib import Path
from signal import Signals

from adapters.processes.spawner import Command, Finished, Spawner
from adapters.verification.health_checks import HealthCheckError, wait_until_healthy
from domain.ports import Beat
from domain.verification import (
    OUTPUT_TAIL_BYTES,
    StepResult,
    StepType,
    VerificationStep,
    with_ports,
)

OUTPUT_LIMIT_BYTES = 1 << 20
_MILLISECONDS = 1000


class StepFailedError(Exception):
    """A step did not pass; the text is what the agent and the person are told."""


class StepVerifier:
    """Runs steps in a workspace. Commands get the spawner's base environment and the task's ports."""

    def __init__(self, spawner: Spawner) -> None:
        self._spawner = spawner

    async def run_step(
        self, step: VerificationStep, directory: Path, ports: dict[str, int], beat: Beat
    ) -> tuple[StepResult, str]:
        """Run one step; returns its result and its whole output (capped, the cut marked).

        Never raises for a step that fails, times out or cannot start: that is its result.
        """
        started = time.monotonic()
        try:
            output, passed = await self._run(step, directory, ports, beat), True
        except StepFailedError as failure:
            output, passed = str(failure), False
        result = StepResult(
            step_id=step.id,
            label=step.label,
            passed=passed,
            is_required=step.required,
            output=_tail(output),
            duration_ms=round((time.monotonic() - started) * _MILLISECONDS),
        )
        return result, output

    async def _run(
        self, step: VerificationStep, directory: Path, ports: dict[str, int], beat: Beat
    ) -> str:
        try:
            subject = with_ports(step.subject, ports)
        except KeyError as missing:
            raise StepFailedError(
                f"port {missing} is not leased: request it before the work is reported done"
            ) from missing
        if step.type is StepType.COMMAND:
            argv = ("/bin/sh", "-c", subject)
            return await self._execute(step, argv, directory, ports, beat)
        if step.type is StepType.SCRIPT:
            argv = _script(subject, directory)
            return await self._execute(step, argv, directory, ports, beat)
        if step.type is StepType.FILE_EXISTS:
            return _existing(subject, directory)
        if step.type is StepType.HTTP_HEALTH:
            try:
                return await wait_until_healthy(subject, step.limit.total_seconds(), beat)
            except HealthCheckError as error:
                raise StepFailedError(str(error)) from error
        raise StepFailedError(f"steps of type {step.type} are not run by this version")

    async def _execute(
        self,
        step: VerificationStep,
        argv: tuple[str, ...],
        directory: Path,
        ports: dict[str, int],
        beat: Beat,
    ) -> str:
        command = Command(argv, directory, _port_environment(ports), is_merged=True)
        try:
            done = await self._spawner.run(
                command,
                limit_seconds=step.limit.total_seconds(),
                output_limit_bytes=OUTPUT_LIMIT_BYTES,
                beat=beat,
            )
        except OSError as error:
            raise StepFailedError(f"could not start: {error}") from error
        output = done.output.text()
        if done.returncode == 0:
            return output
        raise StepFailedError(f"{output.rstrip()}\n{_ending(done, step)}".lstrip("\n"))


def _ending(done: Finished, step: VerificationStep) -> str:
    if done.is_timed_out:
        return f"timed out after {step.limit.total_seconds():g} s and was ended"
    if done.signal is not None:
        known = done.signal in {s.value for s in Signals}
        name = f" ({Signals(done.signal).name})" if known else ""
        return f"ended by signal {done.signal}{name}"
    return f"exit code {done.returncode}"


def _port_environment(ports: dict[str, int]) -> dict[str, str]:
    return {
        f"TREADLE_PORT_{port_id.upper().replace('-', '_')}": str(port)
        for port_id, port in ports.items()
    }


def _script(subject: str, directory: Path) -> tuple[str, ...]:
    """Return the arguments of a script, its file confined to the workspace."""
    try:
        name, *arguments = shlex.split(subject)
    except ValueError as error:
        raise StepFailedError(f"could not start: {subject!r} names no script ({error})") from error
    return (str(_regular_file(name, directory)), *arguments)


def _existing(path: str, directory: Path) -> str:
    size = _regular_file(path, directory).stat().st_size
    return f"{path}: {size} bytes"


def _regular_file(path: str, directory: Path) -> Path:
    """Return a regular file of the workspace, links followed only while they stay inside."""
    root = directory.resolve()
    try:
        file = (root / path).resolve()
        is_inside, is_there, is_regular = file.is_relative_to(root), file.exists(), file.is_file()
    except (OSError, RuntimeError) as error:
        raise StepFailedError(f"{path} cannot be looked at: {error}") from error
    if not is_inside:
        raise StepFailedError(f"{path} is outside the workspace: give a path inside it")
    if not is_there:
        raise StepFailedError(f"{path} does not exist")
    if not is_regular:
        raise StepFailedError(f"{path} is not a regular file")
    return file


def _tail(output: str) -> str:
    """Return the newest bytes of an output, cut at a character boundary."""
    return output.encode()[-OUTPUT_TAIL_BYTES:].decode("utf-8", "ignore")
