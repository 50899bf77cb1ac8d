"""The files of deploy/ name what there is: settings, the server's options, the parts of the program."""

import re
import tomllib
from ipaddress import ip_network
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from domain.core.listing import KEYWORDS, TITLE, TYPES
from settings import Settings
from settings.serve import OidcTable, ServeTable
from settings.webhooks import WebhooksTable
from tests.deploy.containers import COMPOSE, CONTAINERFILE, ROOT
from treadle.engine import temporal_command

TEAM = ROOT / "deploy" / "compose.team.yaml"
HOOKS = ROOT / "deploy" / "compose.webhooks.yaml"
OWN = {
    *("TREADLE_IMAGE", "TREADLE_PROC", "TREADLE_REPOSITORIES"),
    *("TREADLE_CONFIG", "TREADLE_NAME", "TREADLE_TLS", "TREADLE_UPSTREAM", "TREADLE_"),
    "TREADLE_CONFIG_DIR",
}
"""Variables of the compose files themselves, and the one that says where settings are."""


@pytest.fixture
def composed() -> dict[str, Any]:
    return yaml.safe_load(COMPOSE.read_text())


def test_every_setting_of_the_files_is_one():
    units = (ROOT / "deploy" / "systemd").glob("*.service")
    text = "".join(file.read_text() for file in (COMPOSE, TEAM, HOOKS, CONTAINERFILE, *units))
    known = {f"TREADLE_{name.upper()}" for name in Settings.model_fields} | OWN
    for table, model in (("SERVE", ServeTable), ("OIDC", OidcTable), ("WEBHOOKS", WebhooksTable)):
        known |= {f"TREADLE_{table}_{name.upper()}" for name in model.model_fields}
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


def test_a_team_is_served_to_the_proxy_alone():
    composed = yaml.safe_load(TEAM.read_text())
    serve, proxy = composed["services"]["serve"], composed["services"]["proxy"]
    settings = dict(line.split("=", 1) for line in serve["environment"] if "=" in line)
    (subnet,) = composed["networks"]["front"]["ipam"]["config"]
    assert settings["TREADLE_SERVE_TRUSTED_PROXIES"] == subnet["subnet"]
    assert "TREADLE_UPSTREAM=serve:8443" in proxy["environment"]
    services = composed["services"].items()
    assert {name for name, each in services if "ports" in each} == {"proxy"}
    assert {name for name, each in services if "front" in each.get("networks", ())} == {
        "serve",
        "proxy",
    }


def test_webhooks_come_in_through_the_proxy_and_only_where_they_are_wanted():
    composed = yaml.safe_load(HOOKS.read_text())
    api, proxy = composed["services"]["api"], composed["services"]["proxy"]
    settings = dict(line.split("=", 1) for line in api["environment"])
    (subnet,) = composed["networks"]["hooks"]["ipam"]["config"]
    (front,) = yaml.safe_load(TEAM.read_text())["networks"]["front"]["ipam"]["config"]
    assert settings["TREADLE_SERVE_TRUSTED_PROXIES"] == subnet["subnet"]
    assert not ip_network(subnet["subnet"]).overlaps(ip_network(front["subnet"]))
    table = WebhooksTable(listen=settings["TREADLE_WEBHOOKS_LISTEN"])
    location = (ROOT / "deploy" / "nginx" / "webhooks.conf").read_text()
    assert f"proxy_pass http://api:{table.address[1]};" in location
    assert f"client_max_body_size {table.max_bytes >> 20}m;" in location
    (mounted,) = proxy["volumes"]
    assert mounted == "./nginx/webhooks.conf:/etc/nginx/treadle/webhooks.conf:ro"
    assert not any("ports" in each for each in composed["services"].values())
    for other in (COMPOSE, TEAM):
        assert "WEBHOOKS" not in other.read_text()


@pytest.mark.parametrize("file", [COMPOSE, TEAM, HOOKS], ids=lambda file: file.name)
def test_no_variable_has_an_empty_default(file: Path):
    """Debian 12's podman-compose hands such a one on as it is written."""
    assert re.findall(r"\$\{\w+:?-\}", file.read_text()) == []


def test_a_wheel_has_every_module_at_the_top():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    modules = {file.name for file in ROOT.glob("*.py")} - {"hatch_build.py"}
    assert modules <= {*project["hatch"]["build"]["targets"]["wheel"]["only-include"]}
    assert modules <= {*project["pyright"]["include"]}


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
