"""What a host that joins gets of this process's connection to Temporal."""

from pathlib import Path
from typing import Any

from temporalio.envconfig import ClientConfigProfile, DataSource


def shared_profile(embedded_port: int) -> dict[str, Any]:
    """Return the profile of Temporal's client as its file has it, with certificates and keys in place of paths.

    Raises:
        OSError: A file that it names cannot be read.
    """
    profile = ClientConfigProfile.load()
    found: dict[str, Any] = {"address": f"127.0.0.1:{embedded_port}", "namespace": "default"}
    found |= {"api_key": profile.api_key} if profile.api_key else {}
    found |= {"address": profile.address} if profile.address else {}
    found |= {"namespace": profile.namespace} if profile.namespace else {}
    if profile.grpc_meta:
        found["grpc_meta"] = dict(profile.grpc_meta)
    tls = profile.tls
    if tls is not None:
        parts = {
            "disabled": tls.disabled,
            "server_name": tls.server_name,
            "server_ca_cert_data": _text(tls.server_root_ca_cert),
            "client_cert_data": _text(tls.client_cert),
            "client_key_data": _text(tls.client_private_key),
        }
        found["tls"] = {name: value for name, value in parts.items() if value is not None}
    return found


def _text(source: DataSource | None) -> str | None:
    if isinstance(source, Path):
        return source.read_text()
    return source.decode() if isinstance(source, bytes) else source
