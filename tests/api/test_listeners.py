"""A socket that systemd holds: connections made while the API restarts are answered by the next one."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from api.core.listeners import FIRST, PortTakenError, bound
from settings import Settings, environment_of
from treadle.engine import LAUNCH, prepare_data_dir

AS_SYSTEMD = """
import os, sys
os.dup2(int(sys.argv[1]), 3, inheritable=True)
os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
os.execv(sys.argv[2], sys.argv[2:])
"""


def start(settings: Settings, held: socket.socket) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-c", AS_SYSTEMD, str(held.fileno()), *LAUNCH, "api"],
        env=environment_of(settings),
        pass_fds=(held.fileno(),),
        stderr=subprocess.PIPE,
    )


def test_who_connects_between_two_apis_is_answered_by_the_second(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
        settings = Settings(data_dir=tmp_path / "data", api_port=port, is_temporal_ui_on=False)
        prepare_data_dir(settings)
        for _ in range(2):  # each is asked before it has begun to listen
            api = start(settings, held)
            try:
                answer = httpx.get(f"{settings.api_url}/livez", timeout=60, trust_env=False)
                assert answer.is_success
            finally:
                api.terminate()
                _, said = api.communicate(timeout=60)
            assert (api.returncode, said) == (-signal.SIGTERM, b"")


def test_a_unit_that_listens_elsewhere_is_refused_with_what_to_change(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as held:
        settings = Settings(data_dir=tmp_path / "data", api_port=1)
        prepare_data_dir(settings)
        done = start(settings, held)
        _, said = done.communicate(timeout=60)
    assert done.returncode == 1
    assert "make ListenStream= of the unit and TREADLE_API_PORT the same" in said.decode()


def test_sockets_for_another_process_are_not_taken(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LISTEN_PID", str(os.getppid()))
    monkeypatch.setenv("LISTEN_FDS", "1")
    with bound(0) as listener:
        assert listener.fileno() != FIRST
    monkeypatch.setenv("LISTEN_PID", "")
    with bound(0) as taken, pytest.raises(PortTakenError, match="choose another port"):
        bound(taken.getsockname()[1])
