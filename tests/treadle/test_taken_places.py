"""A folder in the place of a file of ours stops no start, or is named in a sentence; files likewise."""

import os
from pathlib import Path

import pytest

from adapters.files.agent_profiles import AgentFiles
from adapters.files.blocked_paths import FILES, FOLDERS, LASTING, clear_places
from adapters.files.flow_files import FlowFiles
from adapters.files.template_files import TemplateFiles
from adapters.files.workflow_templates import WorkflowTemplateFiles
from adapters.host import only_worker
from api.server import private_socket
from domain.agents.agents import Prompt, PromptName
from settings import load_settings
from tests.free_ports import free_ports
from tests.treadle.test_surroundings import assert_said, environment, treadle
from treadle.engine import (
    EngineError,
    check_places,
    end_leftovers,
    engine_lock,
    prepare_data_dir,
    running_engine,
)

__all__ = ["environment"]

NAMES = [pattern.replace("*", "some") for pattern in FILES]
PORTS = ("TREADLE_API_PORT", "TREADLE_TEMPORAL_PORT", "TREADLE_TEMPORAL_UI_PORT")


def folder_at(path: Path) -> None:
    path.mkdir(mode=0o700, parents=True)
    (path / "kept.txt").write_text("kept")


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_in_the_place_of_a_file_goes_aside_and_is_reported(settings, name):
    place = settings.data_dir / name
    place.unlink(missing_ok=True)
    folder_at(place)

    (told,) = prepare_data_dir(settings)

    aside = place.with_name(f"{place.name}.aside")
    assert told == f"a folder was in the place of the file {place}: it is {aside} now"
    assert (aside / "kept.txt").read_text() == "kept"
    assert not os.path.lexists(place)
    assert prepare_data_dir(settings) == []
    folder_at(place)
    assert prepare_data_dir(settings)[0].endswith("aside2 now")


@pytest.mark.parametrize("name", FOLDERS)
def test_a_file_in_the_place_of_a_folder_goes_aside_and_is_reported(settings, name):
    place = settings.data_dir / name
    if place.exists():
        place.rmdir()
    place.write_text("kept")

    (told,) = prepare_data_dir(settings)

    assert f"in the place of the folder {place}" in told
    assert place.with_name(f"{name}.aside").read_text() == "kept"


def test_what_is_in_its_place_stays(settings, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    for name in FOLDERS:
        place = settings.data_dir / name
        if not place.exists():
            place.symlink_to(tmp_path / "elsewhere")
    (settings.data_dir / "token").write_text("t")

    assert clear_places(settings.data_dir) == []


@pytest.mark.parametrize("name", LASTING)
def test_a_folder_in_the_place_of_what_threads_need_is_named(settings, name):
    folder_at(settings.data_dir / name)

    assert prepare_data_dir(settings) == []
    with pytest.raises(EngineError) as refused:
        check_places(settings)

    assert f"{settings.data_dir / name} is a folder" in str(refused.value)
    assert "treadle restore BACKUP" in str(refused.value)


async def test_locks_state_and_socket_are_made_anew(settings):
    for name in ("engine.lock", "engine.json", "worker.lock", "api.sock"):
        folder_at(settings.data_dir / name)
    assert running_engine(settings) is None  # as `treadle down` asks, which clears nothing

    prepare_data_dir(settings)

    with engine_lock(settings) as is_ours:
        assert is_ours
        assert end_leftovers(settings) == 0
    async with only_worker(settings.data_dir):
        assert (settings.data_dir / "worker.lock").is_file()
    with private_socket(settings.api_socket) as listening:
        assert listening


@pytest.mark.parametrize("part", ["worker", "api"])
def test_a_part_that_is_started_by_itself_says_it(environment, tmp_path, part):
    folder_at(tmp_path / "data" / "payload.keys")
    folder_at(tmp_path / "data" / "token")

    done = treadle({**environment, "TREADLE_API_PORT": str(free_ports(1)[0])}, part)

    assert_said(done, f"treadle {part}: {tmp_path / 'data' / 'payload.keys'} is a folder")
    assert (tmp_path / "data" / "token.aside" / "kept.txt").exists()


@pytest.mark.parametrize("name", ["host-id", "temporal.db"])
def test_up_and_doctor_say_it(environment, tmp_path, name):
    folder_at(tmp_path / "data" / name)
    folder_at(tmp_path / "data" / "engine.lock")
    ports = zip(PORTS, map(str, free_ports(3)), strict=True)

    assert_said(
        treadle(environment | dict(ports), "up"), "engine.lock.aside now", name, "restore BACKUP"
    )
    assert_said(treadle(environment, "doctor", "--json"), name, "restore BACKUP")


@pytest.mark.parametrize("name", ["config.toml", "agents/mine.yaml", "prompts/task.md"])
def test_a_folder_in_the_configuration_stops_nothing(tmp_path, monkeypatch, name):
    monkeypatch.setenv("TREADLE_CONFIG_DIR", str(tmp_path))
    folder_at(tmp_path / name)

    assert load_settings()
    found = {each.name: each.problem for each in AgentFiles(tmp_path).found()}
    if name == "agents/mine.yaml":
        assert "is not a regular file" in str(found["mine"])
    assert TemplateFiles(tmp_path).render(Prompt(name=PromptName.TASK, fields={"task_id": "a"}))


@pytest.mark.parametrize("name", ["agents", "prompts", "templates", "flows", "workflows"])
def test_a_file_in_the_place_of_a_folder_of_the_configuration_stops_nothing(tmp_path, name):
    (tmp_path / name).write_text("no folder")

    assert AgentFiles(tmp_path).found()
    templates = TemplateFiles(tmp_path)
    assert templates.found(None)
    assert templates.render(Prompt(name=PromptName.TASK, fields={"task_id": "a"}))
    assert FlowFiles(tmp_path).found(None)
    assert WorkflowTemplateFiles(tmp_path).found(None)
