"""The chart: rendered by Helm's own code, valid for Kubernetes, and as safe as it is meant to be."""

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from adapters.files.people_file import PeopleFile
from settings import Settings
from tests.agents.installation import environment
from tests.deploy.charts import (
    CASES,
    CHART,
    EXAMPLES,
    HELM,
    HOOKED,
    PAYLOAD_KEYS,
    Objects,
    containers,
    draw,
    of,
    pods,
    values_of,
)
from tests.deploy.containers import ROOT
from treadle.draining import CUT_SECONDS

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

POD_IP = "10.244.1.7"


@pytest.fixture(scope="module")
def python() -> Path:
    return environment(HELM, Path(sys.executable)) / "bin" / "python"


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest, python: Path) -> tuple[str, Objects]:
    """Every way of values that is tried, with the objects; each is valid by Kubernetes' schemas."""
    found = draw(python, CASES[request.param])
    assert "refusal" not in found, found
    assert found["lint"]["errors"] == []
    return request.param, found["objects"]


def test_no_secret_is_anywhere_but_in_secrets(case: tuple[str, Objects]):
    name, objects = case
    others = json.dumps([each for each in objects if each["kind"] != "Secret"])
    assert "written-" not in others
    assert PAYLOAD_KEYS.split()[1] not in others
    made = of(objects, "Secret")
    assert set(made) == (
        {f"treadle-{part}" for part in ("keys", "journal", "environment", "oidc", "webhooks")}
        if name == "written"
        else set()
    )


def test_every_secret_that_a_pod_names_is_given(case: tuple[str, Objects]):
    name, objects = case
    named = {
        volume["secret"]["secretName"]
        for pod in pods(objects).values()
        for volume in pod["volumes"]
        if "secret" in volume
    }
    given = {word for word in json.dumps(CASES[name]).split('"') if word} | set(
        of(objects, "Secret")
    )
    assert named
    assert named <= given


def test_pods_have_no_rights_that_they_do_not_need(case: tuple[str, Objects]):
    name, objects = case
    for part, pod in pods(objects).items():
        assert pod["automountServiceAccountToken"] is False
        assert pod["enableServiceLinks"] is False
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["fsGroupChangePolicy"] == "OnRootMismatch"
        is_sandboxed = part.endswith("worker") and name != "bare"
        assert pod.get("hostUsers", True) is not is_sandboxed
        for each in containers(pod):
            confined = {**pod["securityContext"], **each["securityContext"]}
            assert confined["readOnlyRootFilesystem"] is True
            assert confined["allowPrivilegeEscalation"] is False
            assert confined["capabilities"] == {"drop": ["ALL"]}
            is_open = is_sandboxed and each["name"] == "worker"
            assert (confined["seccompProfile"]["type"] == "Unconfined") is is_open
            assert ("procMount" in confined) is is_open


def test_secrets_are_mounted_where_no_sandbox_sees_them(case: tuple[str, Objects]):
    for pod in pods(case[1]).values():
        mounts = {m["name"]: m for each in containers(pod) for m in each["volumeMounts"]}
        inner = [v["name"] for v in pod["volumes"] if "secret" in v or "configMap" in v]
        assert set(inner) <= set(mounts)
        for name in inner:
            assert mounts[name]["mountPath"].startswith("/run/treadle/")
            assert mounts[name]["readOnly"] is True


def test_each_variable_is_a_setting(case: tuple[str, Objects], monkeypatch: pytest.MonkeyPatch):
    _, objects = case
    maps = of(objects, "ConfigMap")
    for part, pod in pods(objects).items():
        for each in pod["containers"]:
            env: dict[str, str] = {var["name"]: var.get("value", POD_IP) for var in each["env"]}
            for source in each["envFrom"]:
                if "configMapRef" in source:
                    env |= maps[source["configMapRef"]["name"]]["data"] or {}
            with monkeypatch.context() as context:
                for name, value in env.items():
                    context.setenv(name, value)
                settings = Settings()
            if part.endswith("worker"):
                assert settings.drain_seconds < pod["terminationGracePeriodSeconds"] - 45
            assert settings.data_dir.is_relative_to(home_of(pod))


def home_of(pod: dict[str, Any]) -> str:
    mounts = [m for each in pod["containers"] for m in each["volumeMounts"]]
    return next(m["mountPath"] for m in mounts if m["name"] == "home")


def test_probes_ask_the_ports_that_answer_them(case: tuple[str, Objects]):
    asked = {
        (each["name"], kind, port_of(each, each[kind]["httpGet"]["port"]))
        for pod in pods(case[1]).values()
        for each in pod["containers"]
        for kind in ("startupProbe", "livenessProbe", "readinessProbe")
        if kind in each
    }
    ports = Settings(metrics_port=9464).metrics_ports
    assert ports
    kinds = ("startupProbe", "livenessProbe", "readinessProbe")
    wanted = {("worker", kind, ports.worker) for kind in kinds}
    if case[0] != "joining":
        wanted |= {("serve", kind, Settings().serve.port) for kind in kinds}
        wanted |= {("local", kind, ports.api) for kind in kinds[:2]}
    assert asked == wanted


def port_of(container: dict[str, Any], name: str) -> int:
    return {port["name"]: port["containerPort"] for port in container["ports"]}[name]


def test_only_the_port_of_the_api_is_open(case: tuple[str, Objects]):
    name, objects = case
    policies = of(objects, "NetworkPolicy")
    assert set(policies) == set(pods(objects))
    for part, policy in policies.items():
        assert policy["spec"]["policyTypes"] == ["Ingress", "Egress"]
        opened = {
            port["port"]: bool(rule.get("from"))
            for rule in policy["spec"]["ingress"] or ()
            for port in rule["ports"]
        }
        own = [8443, 8430] if name in HOOKED else [8443]
        api = dict.fromkeys(own, name == "team") if part.endswith("api") else {}
        metrics = {9464: True} if part.endswith("api") else {9465: True, 9466: True}
        assert opened == api | (metrics if name == "team" else {})
        outward = policy["spec"]["egress"]
        assert all(rule["ports"] for rule in outward)
        assert "169.254.0.0/16" in json.dumps(outward)


def test_a_worker_drains_before_its_pod_ends_and_keeps_its_home(case: tuple[str, Objects]):
    ((_, worker),) = of(case[1], "StatefulSet").items()
    (container,) = worker["spec"]["template"]["spec"]["containers"]
    stop = container["lifecycle"]["preStop"]["exec"]["command"]
    assert stop[:3] == ["treadle", "worker", "drain"]
    assert stop[3:] == ([] if case[0] == "bare" else ["--move"])
    (seconds,) = (v["value"] for v in container["env"] if v["name"] == "TREADLE_DRAIN_SECONDS")
    grace = worker["spec"]["template"]["spec"]["terminationGracePeriodSeconds"]
    assert int(seconds) + CUT_SECONDS < grace
    assert [each["metadata"]["name"] for each in worker["spec"]["volumeClaimTemplates"]] == ["home"]


def test_workers_that_join_hold_their_own_invitations_and_no_keys(python: Path):
    objects = draw(python, CASES["joining"])["objects"]
    ((_, pod),) = pods(objects).items()
    (init,) = pod["initContainers"]
    assert init["args"][:2] == ["hosts", "join"]
    assert init["args"][-1] == "/run/treadle/join/$(TREADLE_HOST_NAME)"
    names = {var["name"] for each in containers(pod) for var in each["env"]}
    assert not {"TREADLE_JOURNAL_URL", "TEMPORAL_ADDRESS"} & names
    assert not of(objects, "Ingress") | of(objects, "Deployment")


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_the_people_of_an_example_have_roles(file: Path, tmp_path: Path):
    people = tmp_path / "people.toml"
    people.write_text(yaml.safe_load(file.read_text())["people"])
    directory = PeopleFile(people).read()
    assert directory is not None
    assert "anna@example.org" in directory.users


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a name that is none": ({"wrker": {}}, "additional properties 'wrker' not allowed"),
    "a wrong type": ({"worker": {"replicas": "two"}}, "got string, want integer"),
    "no HTTPS": ({"publicUrl": "http://treadle.example.org"}, "at '/publicUrl'"),
    "nobody": ({"people": ""}, "people: give the text of people.toml"),
    "no image": ({"image": {"repository": ""}}, "image.repository: name the image"),
    "no Temporal": ({"temporal": {"address": ""}}, "temporal.address: name the address"),
    "no proxy": ({"api": {"trustedProxies": ""}}, "api.trustedProxies: name the addresses"),
    "no journal": ({"journal": {"existingSecret": ""}}, "journal: give existingSecret"),
    "two journals": ({"journal": {"url": "postgresql://db/treadle"}}, "or url, not both"),
    "half of the keys": (
        {"keys": {"existingSecret": "", "payloadKeys": PAYLOAD_KEYS}},
        "keys: give existingSecret, the name of a Secret, or decisionKey and payloadKeys",
    ),
    "a secret as a setting": ({"settings": {"journal_url": "x"}}, "it holds a password"),
    "a setting of the chart": ({"settings": {"serve_host": "x"}}, "the chart sets it"),
    "sign-in without a secret": (
        {"oidc": {"issuer": "https://login.example.org"}},
        "oidc.clientSecret: give existingSecret",
    ),
    "joining beside an API": (
        {"worker": {"join": {"url": "https://treadle.example.org"}}},
        "set api.enabled to false",
    ),
}


@pytest.mark.parametrize("given", REFUSED)
def test_wrong_values_are_refused_with_a_sentence(given: str, python: Path):
    values, sentence = REFUSED[given]
    assert sentence in draw(python, values_of("minimal", values))["refusal"]


def test_the_version_of_the_chart_is_that_of_treadle():
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert chart["appVersion"] == project["version"]
