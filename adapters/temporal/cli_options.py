"""The options with which Temporal's own command line reaches the cluster that a client is connected to."""

import shlex
from pathlib import Path

from temporalio.client import Client
from temporalio.envconfig import ClientConfigProfile, ClientConfigTLS

from address import temporal_variable

API_KEY = "API_KEY"


def cli_options(client: Client) -> str:
    """Return the options as shell text: address, namespace and TLS, quoted, without any secret.

    A key is named by its variable, or by the profile that holds it; certificates by their files. What is in
    other variables of Temporal's the command line reads itself.
    """
    profile = ClientConfigProfile.load()
    words = ["--address", client.service_client.config.target_host]
    if client.namespace != "default":
        words += ["--namespace", client.namespace]
    words += _tls(profile.tls, has_key=bool(profile.api_key))
    if profile.api_key and not temporal_variable(API_KEY):
        words += _profile()
    options = shlex.join(words)
    return f'{options} --api-key "$TEMPORAL_{API_KEY}"' if temporal_variable(API_KEY) else options


def _tls(tls: ClientConfigTLS | None, *, has_key: bool) -> list[str]:
    if tls is None or tls.disabled:
        return ["--tls"] if has_key and tls is None else []
    words = ["--tls"]
    files = {
        "--tls-ca-path": tls.server_root_ca_cert,
        "--tls-cert-path": tls.client_cert,
        "--tls-key-path": tls.client_private_key,
    }
    for option, source in files.items():
        if isinstance(source, Path):
            words += [option, str(source)]
    if tls.server_name:
        words += ["--tls-server-name", tls.server_name]
    return words


def _profile() -> list[str]:
    """Name the file and the profile that hold the key."""
    words = ["--profile", temporal_variable("PROFILE") or "default"]
    return [*words, "--config-file", file] if (file := temporal_variable("CONFIG_FILE")) else words
