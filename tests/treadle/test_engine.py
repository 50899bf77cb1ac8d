import itertools
import os
import socket
import subprocess

import psutil
import pytest
import typer

from settings import Settings
from treadle import engine
from treadle.doctor import doctor, port_findings
from treadle.engine import EngineState, PartState
from treadle.finding import Finding
from treadle.parts import port_holder, wanted_ports


def state(pid: int, *parts: PartState) -> EngineState:
    return EngineState(
        pid=pid,
        status="running",
        api_url="http://127.0.0.1:1",
        temporal_address="127.0.0.1:2",
        ui_url=None,
        data_dir="",
        parts=list(parts),
    )


def test_an_engine_runs_while_its_lock_is_held(settings: Settings):
    engine.write_state(settings, state(os.getpid()))
    with engine.engine_lock(settings) as is_ours:
        assert is_ours
        assert engine.running_engine(settings).pid == os.getpid()
    assert engine.running_engine(settings) is None, "what a killed engine left is not an engine"


def test_only_one_process_holds_the_lock(settings: Settings):
    with engine.engine_lock(settings) as first, engine.engine_lock(settings) as second:
        assert (first, second) == (True, False)


def test_a_pid_that_was_given_to_another_process_is_left_alone(settings: Settings):
    mine = psutil.Process()
    part = PartState(
        name="worker", status="running", pid=mine.pid, started=mine.create_time() - 100
    )
    engine.write_state(settings, state(1, part))
    assert engine.end_leftovers(settings) == 0


def test_what_a_killed_engine_wrote_is_forgotten_with_its_leftovers(settings: Settings):
    with subprocess.Popen(["sleep", "600"]) as left:
        started = psutil.Process(left.pid).create_time()
        part = PartState(name="worker", status="running", pid=left.pid, started=started)
        engine.write_state(settings, state(1, part))

        assert engine.end_leftovers(settings) == 1

    assert engine.read_state(settings) is None


def test_a_leftover_whose_end_nobody_asked_for_has_ended(settings: Settings):
    """As in a container whose first process asks for no child's end."""
    with subprocess.Popen(["sleep", "600"]) as left:
        started = psutil.Process(left.pid).create_time()
        part = PartState(name="worker", status="running", pid=left.pid, started=started)
        engine.write_state(settings, state(1, part))
        left.kill()
        os.waitid(os.P_PID, left.pid, os.WEXITED | os.WNOWAIT)

        assert engine.end_leftovers(settings) == 0

    assert engine.read_state(settings) is None


def test_the_data_directory_is_for_its_owner_alone(settings: Settings):
    assert settings.data_dir.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_was_there_keeps_its_mode_and_the_doctor_tells(tmp_path, capsys):
    folder = tmp_path / "projects"
    folder.mkdir(mode=0o755)
    found = Settings(data_dir=folder)

    engine.prepare_data_dir(found)
    with pytest.raises(typer.Exit):
        doctor(found, as_json=True)

    assert folder.stat().st_mode & 0o777 == 0o755
    assert f"chmod go= {folder}" in capsys.readouterr().out


def test_a_taken_port_is_reported_with_its_holder():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        holder = port_holder(taken.getsockname()[1])
    assert holder.pid == os.getpid()
    assert f"pid {os.getpid()} (" in holder.words


def test_an_api_that_a_unit_started_holds_its_port_for_us(settings: Settings):
    with socket.socket() as port, socket.socket(socket.AF_UNIX) as private:
        port.bind(("127.0.0.1", 0))
        port.listen()
        ours = settings.model_copy(update={"api_port": port.getsockname()[1]})
        assert not api_finding(ours).is_well
        ours.api_socket.parent.mkdir(parents=True, exist_ok=True)
        private.bind(str(ours.api_socket))
        private.listen()
        assert api_finding(ours).found == "ours"


def api_finding(settings: Settings) -> Finding:
    return next(f for f in port_findings(settings) if f.name == f"port {settings.api_port}")


def test_every_wanted_port_has_a_variable_that_moves_it(settings: Settings):
    ports = {
        8420: "TREADLE_API_PORT",
        7233: "TREADLE_TEMPORAL_PORT",
        8233: "TREADLE_TEMPORAL_UI_PORT",
    }
    assert wanted_ports(settings) == ports
    observed = settings.model_copy(update={"metrics_port": 9464})
    metrics = dict.fromkeys(range(9464, 9468), "TREADLE_METRICS_PORT")
    assert wanted_ports(observed) == ports | metrics


def test_the_embedded_server_keeps_its_data_and_listens_on_loopback_only(settings: Settings):
    command = engine.temporal_command(settings, "temporal")
    pairs = set(itertools.pairwise(command))
    assert ("--ip", "127.0.0.1") in pairs
    assert ("--db-filename", str(settings.data_dir / "temporal.db")) in pairs
    assert ("--search-attribute", "TreadleKind=Keyword") in pairs
