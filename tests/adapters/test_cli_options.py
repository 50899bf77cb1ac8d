"""How Temporal's command line reaches a cluster: options in a shell's words, without a secret."""

import shlex

import pytest
from temporalio.client import Client

from adapters.temporal import TemporalUnreachableError, cli_options, register_search_attributes
from tests.temporal_server import API_NAMESPACE

SECRET = "canary-key-0123456789"


async def client(namespace="default", host="cluster.example:7233"):
    return await Client.connect(host, namespace=namespace, lazy=True)


async def test_a_plain_cluster_needs_its_address_only():
    assert cli_options(await client()) == "--address cluster.example:7233"


async def test_a_namespace_is_quoted_as_a_shell_needs_it():
    words = shlex.split(cli_options(await client("the team's")))
    assert words == ["--address", "cluster.example:7233", "--namespace", "the team's"]


async def test_certificates_are_named_by_their_files(monkeypatch, tmp_path):
    monkeypatch.setenv("TEMPORAL_TLS", "true")
    monkeypatch.setenv("TEMPORAL_TLS_SERVER_NAME", "temporal")
    for name in ("SERVER_CA_CERT", "CLIENT_CERT", "CLIENT_KEY"):
        monkeypatch.setenv(f"TEMPORAL_TLS_{name}_PATH", str(tmp_path / f"{name} file"))
    words = shlex.split(cli_options(await client()))
    assert words[2:] == [
        "--tls",
        *("--tls-ca-path", str(tmp_path / "SERVER_CA_CERT file")),
        *("--tls-cert-path", str(tmp_path / "CLIENT_CERT file")),
        *("--tls-key-path", str(tmp_path / "CLIENT_KEY file")),
        *("--tls-server-name", "temporal"),
    ]


async def test_certificates_in_variables_stay_there(monkeypatch):
    monkeypatch.setenv("TEMPORAL_TLS", "true")
    monkeypatch.setenv("TEMPORAL_TLS_CLIENT_KEY_DATA", SECRET)
    monkeypatch.setenv("TEMPORAL_TLS_CLIENT_CERT_DATA", SECRET)
    assert cli_options(await client()) == "--address cluster.example:7233 --tls"


async def test_a_key_is_named_by_its_variable(monkeypatch):
    monkeypatch.setenv("TEMPORAL_API_KEY", SECRET)
    options = cli_options(await client())
    assert options.endswith('--tls --api-key "$TEMPORAL_API_KEY"')
    assert SECRET not in options


async def test_a_key_of_a_profile_is_named_by_the_profile(monkeypatch, tmp_path):
    file = tmp_path / "temporal.toml"
    file.write_text(f'[profile.team]\naddress = "cluster.example:7233"\napi_key = "{SECRET}"\n')
    monkeypatch.setenv("TEMPORAL_CONFIG_FILE", str(file))
    monkeypatch.setenv("TEMPORAL_PROFILE", "team")
    options = cli_options(await client())
    assert options.endswith(f"--tls --profile team --config-file {file}")
    assert SECRET not in options


async def test_a_namespace_that_does_not_exist_is_a_sentence(temporal_server):
    host = temporal_server.client.service_client.config.target_host
    with pytest.raises(
        TemporalUnreachableError, match=r"has no namespace 'nobodys'.*TEMPORAL_NAME"
    ):
        await register_search_attributes(await client("nobodys", host))
    await register_search_attributes(await client(API_NAMESPACE, host))
