"""Which processes are taken for an engine's: its own, not those of others that only hide its sockets."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adapters.processes.run_ledger import MARKER
from adapters.processes.unix_sockets import COVER
from tests.e2e.engine import processes_of


@contextmanager
def waiting(*words: str) -> Iterator[int]:
    """Run what waits for its input, with words that it ignores."""
    command = ["/bin/sh", "-c", "read line", "sh", *words]
    with subprocess.Popen(command, stdin=subprocess.PIPE, cwd="/", env={MARKER: "run"}) as process:
        yield process.pid


def test_a_sandbox_of_another_engine_that_covers_a_socket_is_none_of_it(tmp_path: Path):
    cover = ("--ro-bind-try", COVER, str(tmp_path / "api.sock"))
    with waiting(*cover) as other, waiting(*cover, "--bind", str(tmp_path / "home")) as own:
        found = {process.pid for process, _ in processes_of(tmp_path)}

    assert found & {own, other} == {own}
