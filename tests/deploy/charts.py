"""The chart of deploy/chart with values of every kind, drawn by Helm's own code."""

import base64
import json
import secrets
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import yaml

from tests.deploy.containers import ROOT

CHART = ROOT / "deploy" / "chart"
HELM = Path(__file__).parent / "helm"
EXAMPLES = sorted((CHART / "examples").glob("*.yaml"))
PAYLOAD_KEYS = f"0a1b2c3d {base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()}\n"
WRITTEN = {
    "keys": {"payloadKeys": PAYLOAD_KEYS, "decisionKey": secrets.token_urlsafe(32)},
    "journal": {"url": "postgresql://treadle:written-password@postgres/treadle"},
    "environment": {"values": {"ANTHROPIC_API_KEY": "written-model"}},
    "oidc": {"issuer": "https://login.example.org", "clientSecret": {"value": "written-oidc"}},
    "webhooks": {
        "senders": [
            {"name": "hub", "kind": "github"},
            {
                "name": "releases",
                "kind": "standard",
                "template": "notes",
                "repository": "https://git.example.org/app.git",
            },
        ],
        "secrets": {"hub": "written-hub-secret", "releases": "written-releases-secret"},
    },
}
"""Every secret by its value."""
JOINING = {
    "api": {"enabled": False},
    "keys": {"existingSecret": ""},
    "journal": {"existingSecret": ""},
    "worker": {
        "join": {"url": "https://treadle.example.org", "existingSecret": "invitations"},
        "replicas": 2,
    },
}
"""Workers that join a server elsewhere."""

Objects = list[dict[str, Any]]


def merged(values: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Return values with others over them, as Helm merges values files."""
    over: dict[str, Any] = {}
    for name, value in given.items():
        old: Any = values.get(name)
        if isinstance(value, dict) and isinstance(old, dict):
            over[name] = merged(cast(dict[str, Any], old), cast(dict[str, Any], value))
        else:
            over[name] = value
    return {**values, **over}


def values_of(name: str, given: dict[str, Any] | None = None) -> dict[str, Any]:
    values = yaml.safe_load((CHART / "examples" / f"{name}.yaml").read_text())
    return merged(values, given or {})


def draw(python: Path, values: dict[str, Any]) -> dict[str, Any]:
    command = (python, HELM / "draw.py", CHART)
    done = subprocess.run(
        command, input=json.dumps(values), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


CASES = {
    **{file.stem: values_of(file.stem) for file in EXAMPLES},
    "written": values_of(
        "minimal",
        merged(WRITTEN, {"keys": {"existingSecret": ""}, "journal": {"existingSecret": ""}}),
    ),
    "api-key": values_of(
        "temporal-cloud", {"temporal": {"tlsSecret": "", "apiKey": {"existingSecret": "cloud"}}}
    ),
    "joining": values_of("minimal", JOINING),
    "bare": values_of("minimal", {"worker": {"isSandboxed": False, "movesAtStop": False}}),
}


HOOKED = {"team", "written"}
"""The cases with senders of webhooks."""


def of(objects: Objects, kind: str) -> dict[str, dict[str, Any]]:
    return {each["metadata"]["name"]: each for each in objects if each["kind"] == kind}


def pods(objects: Objects) -> dict[str, dict[str, Any]]:
    found = of(objects, "Deployment") | of(objects, "StatefulSet")
    return {name: each["spec"]["template"]["spec"] for name, each in found.items()}


def containers(pod: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from (*pod["initContainers"], *pod["containers"])
