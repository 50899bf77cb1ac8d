"""Verification steps: every way to pass, and each way to fail with words of its own."""

import asyncio
import os
import resource
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from adapters.verification.verifier import StepVerifier
from domain.core.errors import WorkspaceError
from domain.verification.ports import StepPlace
from domain.verification.steps import StepType, VerificationStep
from tests.adapters.task_specs import spec_of

SPEC = spec_of(Path("/repository"), "task-1")
Respond = Callable[[asyncio.StreamWriter, int], Awaitable[None]]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def run(spawner, workspace):
    """Run one step in the workspace; returns its result and its whole output."""
    verifier = StepVerifier(spawner)

    async def run_step(kind: StepType, subject: str, *, ports=None, limit_ms=10_000):
        field = {"file_exists": "path", "http_health": "url"}.get(kind, "command")
        step = VerificationStep(
            id="s1", type=kind, label="step", timeout=limit_ms, **{field: subject}
        )
        place = StepPlace(workspace, SPEC, ports or {})
        return await verifier.run_step(step, place, lambda: None)

    return run_step


@asynccontextmanager
async def serve(respond: Respond) -> AsyncIterator[int]:
    """Serve HTTP on a free loopback port; `respond` gets the number of the request."""
    count = 0

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal count
        count += 1
        await reader.readuntil(b"\r\n\r\n")
        try:
            await respond(writer, count)
            await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


def answer(status: str, body: bytes = b"", headers: str = "") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{headers}\r\n".encode() + body


async def test_a_command_passes_in_the_workspace_with_its_ports(run, workspace):
    result, output = await run(
        StepType.COMMAND,
        "pwd; echo ${ports.api-server} $TREADLE_PORT_API_SERVER",
        ports={"api-server": 4711},
    )

    assert result.passed
    assert output == f"{workspace}\n4711 4711\n"
    assert result.output == output


async def test_commands_do_not_see_the_workers_environment(run, monkeypatch):
    monkeypatch.setenv("MODEL_API_KEY", "hunter2")

    _, output = await run(StepType.COMMAND, "env")

    assert "hunter2" not in output


@pytest.mark.parametrize(
    ("command", "ending"),
    [
        ("echo broken; exit 3", "broken\nexit code 3"),
        ("echo a >&2; kill -SEGV $$", "a\nended by signal 11 (SIGSEGV)"),
        ("exit", ""),
        ("exit 7", "exit code 7"),
        ("no-such-tool", "exit code 127 (command not found)"),
        ("touch plain; ./plain", "exit code 126 (found, but cannot be run)"),
        ("kill -TERM $$", "ended by signal 15 (SIGTERM)"),
        ("kill -KILL $$", "ended by signal 9 (SIGKILL)"),
    ],
)
async def test_an_ending_is_reported_in_words(run, command, ending):
    result, output = await run(StepType.COMMAND, command)

    assert result.passed == (ending == "")
    assert output.endswith(ending)


async def test_words_on_standard_error_do_not_fail_a_step(run):
    result, output = await run(StepType.COMMAND, "echo warned >&2")

    assert result.passed
    assert output == "warned\n"


async def test_a_step_that_holds_its_output_open_and_ignores_signals_ends_with_its_command(run):
    stray = "trap '' TERM HUP; setsid sleep 600"
    result, output = await run(StepType.COMMAND, f"({stray}) & echo over", limit_ms=300_000)

    assert result.passed
    assert output == "over\n"
    assert result.duration_ms < 60_000


async def test_a_step_in_a_folder_that_is_gone_could_not_start(run, workspace):
    workspace.rmdir()

    result, output = await run(StepType.COMMAND, "true")

    assert not result.passed
    assert output.startswith("could not start: no such directory")


async def test_a_step_that_hangs_times_out(run):
    result, output = await run(StepType.COMMAND, "echo started; sleep 600", limit_ms=3_000)

    assert not result.passed
    assert output == "started\ntimed out after 3 s and was ended"
    assert result.duration_ms >= 3_000


async def test_a_result_holds_the_tail_of_a_long_output(run):
    result, output = await run(StepType.COMMAND, "yes | head -c 3000000; echo ä; exit 1")

    assert "bytes cut" in output
    assert len(output) < 1_100_000
    assert len(result.output.encode()) <= 4096
    assert result.output.endswith("ä\nexit code 1")


async def test_a_port_that_is_not_leased_fails_the_step(run):
    result, output = await run(StepType.COMMAND, "echo ${ports.web}")

    assert not result.passed
    assert "port 'web' is not leased" in output


async def test_a_script_gets_its_arguments_without_a_shell(run, workspace):
    script = workspace / "check.sh"
    script.write_text('#!/bin/sh\nprintf "[%s]" "$@"\n')
    script.chmod(0o755)

    result, output = await run(StepType.SCRIPT, "check.sh 'two words' $HOME;id")

    assert result.passed
    assert output == "[two words][$HOME;id]"


@pytest.mark.parametrize(
    ("subject", "words"),
    [
        ("/bin/true", "is outside the folder"),
        ("../outside.sh", "is outside the folder"),
        ("link.sh", "symbolic link"),
        ("missing.sh", "does not exist"),
        ("plain.sh", "could not start: not executable"),
        (".", "not a regular file"),
        ("'open", "names no script"),
        ("x" * 5000, "is not a path"),
    ],
)
async def test_a_script_that_may_not_run_says_why(run, workspace, subject, words):
    (workspace / "plain.sh").write_text("true")
    (workspace / "link.sh").symlink_to("/bin/true")

    result, output = await run(StepType.SCRIPT, subject)

    assert not result.passed
    assert words in output


async def test_a_file_exists_or_not(run, workspace):
    (workspace / "src").mkdir()
    (workspace / "src" / "app.py").write_text("x")
    (workspace / "inner").symlink_to("src/app.py")
    (workspace / "passwd").symlink_to("/etc/passwd")
    os.mkfifo(workspace / "pipe")
    results = {
        path: await run(StepType.FILE_EXISTS, path)
        for path in ("src/app.py", "inner", "src", "nothing", "passwd", "/etc/passwd", "pipe", "")
    }

    assert [path for path, (result, _) in results.items() if result.passed] == ["src/app.py"]
    assert results["src/app.py"][1] == "src/app.py: 1 bytes"
    reasons = {path: output for path, (_, output) in results.items()}
    assert "does not exist" in reasons["nothing"]
    assert "symbolic link" in reasons["inner"]
    assert "outside the folder" in reasons["/etc/passwd"]
    assert "not a regular file" in reasons["pipe"]


async def test_a_workspace_that_became_a_link_has_no_files(run, workspace):
    workspace.rmdir()
    workspace.symlink_to("/etc")

    result, _ = await run(StepType.FILE_EXISTS, "passwd")

    assert not result.passed


async def test_a_server_is_asked_until_it_is_healthy(run):
    async def respond(writer: asyncio.StreamWriter, count: int) -> None:
        writer.write(answer("503 Busy") if count < 3 else answer("204 Fine"))

    async with serve(respond) as port:
        result, output = await run(
            StepType.HTTP_HEALTH, "http://localhost:${ports.web}/health", ports={"web": port}
        )

    assert result.passed
    assert output.startswith("HTTP 204")


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (answer("500 Oops", b"stack trace"), "last: HTTP 500\nstack trace"),
        (answer("302 Found", headers="Location: http://127.0.0.1:1/\r\n"), "last: HTTP 302"),
        (b"garbage\r\n\r\n", "last: RemoteProtocolError"),
        (b"", "last: RemoteProtocolError"),
    ],
)
async def test_a_server_that_never_gets_healthy_says_its_last_answer(run, reply, words):
    async def respond(writer: asyncio.StreamWriter, _: int) -> None:
        writer.write(reply)

    async with serve(respond) as port:
        result, output = await run(
            StepType.HTTP_HEALTH, f"http://127.0.0.1:{port}/", ports={"web": port}, limit_ms=1500
        )

    assert not result.passed
    assert "not healthy within 1.5 s" in output
    assert words in output


async def test_an_endless_answer_is_cut(run):
    async def respond(writer: asyncio.StreamWriter, _: int) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(b"x" * 65_536)
            await writer.drain()

    async with serve(respond) as port:
        result, output = await run(
            StepType.HTTP_HEALTH, f"http://127.0.0.1:{port}/", ports={"web": port}
        )

    assert result.passed
    assert len(output) < 66_000


async def test_a_url_that_may_not_be_asked_fails_the_step_with_its_reason(run):
    result, output = await run(StepType.HTTP_HEALTH, "http://127.0.0.1:22/", ports={"web": 3000})

    assert not result.passed
    assert "port 22 is not one that the task holds" in output


async def test_a_type_that_is_not_run_fails_with_a_sentence(spawner, workspace):
    step = VerificationStep(id="s1", type=StepType.REVIEW_AGENT, prompt="look")

    place = StepPlace(workspace, SPEC)
    result, output = await StepVerifier(spawner).run_step(step, place, lambda: None)

    assert not result.passed
    assert "review_agent" in output


async def test_a_host_that_has_no_room_for_a_step_is_not_the_works_fault(run):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
    try:
        with pytest.raises(WorkspaceError, match="this host"):
            await run(StepType.COMMAND, "true")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
