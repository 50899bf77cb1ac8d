"""The files of deploy/ name what there is: settings, the server's options, the parts of the program."""

import re
import tomllib
from itertools import pairwise
from typing import Any

import pytest
import yaml

from domain.core.listing import KEYWORDS, TITLE, TYPES
from settings import Settings
from tests.deploy.containers import COMPOSE, CONTAINERFILE, ROOT
from treadle.engine import temporal_command

OWN = {"TREADLE_IMAGE", "TREADLE_PROC", "TREADLE_REPOSITORIES"}
"""Variables of compose.yaml itself."""


@pytest.fixture
def composed() -> dict[str, Any]:
    return yaml.safe_load(COMPOSE.read_text())


def test_every_setting_of_the_files_is_one():
    units = (ROOT / "deploy" / "systemd").glob("*.service")
    text = "".join(file.read_text() for file in (COMPOSE, CONTAINERFILE, *units))
    known = {f"TREADLE_{name.upper()}" for name in Settings.model_fields} | OWN
    assert set(re.findall(r"\bTREADLE_[A-Z_]+\b", text)) <= known


def test_the_server_in_compose_runs_as_that_of_treadle_up(composed: dict[str, Any]):
    words = temporal_command(Settings(), "temporal")
    own = ("--ip", "--port", "--ui-port", "--db-filename")
    wanted = {
        name if value.startswith("--") else f"{name}={value}"
        for name, value in pairwise(words)
        if name.startswith("--") and name not in own
    }
    options = composed["services"]["temporal"]["command"]
    assert wanted == {option for option in options if option.partition("=")[0] not in own}


def test_nothing_is_published_beyond_this_machine(composed: dict[str, Any]):
    ports = [port for service in composed["services"].values() for port in service.get("ports", ())]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_an_image_is_built_of_all_that_a_wheel_is():
    target = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"][
        "targets"
    ]
    sources = {
        *target["wheel"]["only-include"],
        "treadle",
        "web",
        "hatch_build.py",
        "pyproject.toml",
    }
    taken = {
        line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] == "!"
    }
    assert sources <= taken


def test_the_guide_registers_the_attributes_that_there_are():
    guide = (ROOT / "docs" / "how-to" / "deploy.md").read_text()
    looped = re.search(r"^for name in (.+); do$", guide, re.M)
    assert looped is not None
    assert {f"Treadle{name}" for name in looped[1].split()} == set(KEYWORDS)
    assert f"--name {TITLE} --type {TYPES[TITLE]}" in guide
