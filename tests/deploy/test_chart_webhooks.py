"""Webhooks of the chart: off without senders, and with them a port, a path and secrets of their own."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from settings import Settings
from tests.agents.installation import environment
from tests.deploy.charts import (
    CASES,
    HELM,
    HOOKED,
    JOINING,
    Objects,
    draw,
    merged,
    of,
    pods,
    values_of,
)

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

POD_IP = "10.244.1.7"
HUB = {"name": "hub", "kind": "github"}


@pytest.fixture(scope="module")
def python() -> Path:
    return environment(HELM, Path(sys.executable)) / "bin" / "python"


@pytest.mark.parametrize("name", CASES)
def test_webhooks_come_in_at_a_path_and_a_port_of_their_own(name: str, python: Path):
    objects: Objects = draw(python, CASES[name])["objects"]
    ports = {
        each["name"]: [port["containerPort"] for port in each["ports"]]
        for part, pod in pods(objects).items()
        if part.endswith("api")
        for each in pod["containers"]
    }
    services = [
        port for each in of(objects, "Service").values() for port in each["spec"].get("ports") or ()
    ]
    paths = [
        (path["path"], path["backend"]["service"]["port"]["name"])
        for each in of(objects, "Ingress").values()
        for rule in each["spec"]["rules"]
        for path in rule["http"]["paths"]
    ]
    is_hooked = name in HOOKED
    if name != "joining":
        assert ports == {"serve": [8443], "local": [9464, *([8430] if is_hooked else [])]}
    assert any(port.get("targetPort") == "webhooks" for port in services) is is_hooked
    assert (("/hooks", "webhooks") in paths) is (name == "team")
    assert is_hooked or "webhooks" not in json.dumps(objects).lower()


def test_the_senders_of_the_chart_are_those_of_the_settings(
    python: Path, monkeypatch: pytest.MonkeyPatch
):
    for pod in pods(draw(python, CASES["written"])["objects"]).values():
        for each in pod["containers"]:
            env: dict[str, str] = {var["name"]: var.get("value", POD_IP) for var in each["env"]}
            if each["name"] == "worker":
                assert "TREADLE_WEBHOOKS_LISTEN" not in env
                continue
            with monkeypatch.context() as context:
                for variable, value in env.items():
                    context.setenv(variable, value)
                settings = Settings()
            hub, releases = settings.webhooks.senders
            assert settings.webhooks.address == ("0.0.0.0", 8430)  # noqa: S104 - of the pod
            assert str(hub.secret_file) == "/run/treadle/webhooks/hub"
            assert (releases.kind, releases.template) == ("standard", "notes")
            assert settings.serve.trusted_proxies


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "webhooks without a secret": (
        {"webhooks": {"senders": [HUB]}},
        "webhooks: give existingSecret",
    ),
    "webhooks with the secret of another": (
        {
            "webhooks": {
                "senders": [HUB],
                "secrets": {"other": "a-secret-of-another"},
            }
        },
        "webhooks.secrets: give the secret of the sender hub",
    ),
    "webhooks of another kind": (
        {"webhooks": {"senders": [{"name": "hub", "kind": "svn"}]}},
        "at '/webhooks/senders/0/kind'",
    ),
    "webhooks where no API is": (
        merged(
            JOINING,
            {
                "webhooks": {
                    "senders": [HUB],
                    "existingSecret": "hooks",
                }
            },
        ),
        "webhooks come in at the API",
    ),
    "a listener as a setting": ({"settings": {"webhooks_listen": "x"}}, "the chart sets it"),
}


@pytest.mark.parametrize("given", REFUSED)
def test_wrong_senders_are_refused_with_a_sentence(given: str, python: Path):
    values, sentence = REFUSED[given]
    assert sentence in draw(python, values_of("minimal", values))["refusal"]
