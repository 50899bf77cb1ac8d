"""A Temporal cluster of somebody else's, reached as Temporal Cloud is: TLS on both sides, a namespace."""

import asyncio
import os
import sys
from pathlib import Path

import pytest
from temporalio.client import Client

from tests.deploy.tls import guarded, write_certificate
from tests.temporal_server import temporal_server_with

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

NAMESPACE = "team.acct"
TREADLE = Path(sys.executable).with_name("treadle")


async def test_the_demo_runs_on_a_cluster_with_tls_and_a_namespace(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
):
    certificate, key = write_certificate(tmp_path)
    async with temporal_server_with(tmp_path_factory, "--namespace", NAMESPACE) as server:
        address = server.client.service_client.config.target_host
        async with guarded(address, certificate, key) as port:
            cluster = {
                "TEMPORAL_ADDRESS": f"127.0.0.1:{port}",
                "TEMPORAL_NAMESPACE": NAMESPACE,
                "TEMPORAL_TLS_SERVER_CA_CERT_PATH": str(certificate),
                "TEMPORAL_TLS_CLIENT_CERT_PATH": str(certificate),
                "TEMPORAL_TLS_CLIENT_KEY_PATH": str(key),
            }
            demo = await asyncio.create_subprocess_exec(
                *(TREADLE, "demo"),
                cwd=tmp_path,
                env={**os.environ, **cluster},
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
            )
            told, _ = await demo.communicate()
        inside = await Client.connect(address, namespace=NAMESPACE)
        counts = [(await client.count_workflows()).count for client in (inside, server.client)]
        threads = await inside.count_workflows('TreadleKind = "thread" AND TreadleTitle = "report"')

    assert demo.returncode == 0, told.decode()
    assert not list((tmp_path / ".demo").rglob("temporal.db"))
    assert counts[0] > 1
    assert threads.count == 1, "the worker has registered the search attributes there"
    assert counts[1] == 0, "all is in the namespace, nothing in the default one"
