"""Places for archives: a folder, and a bucket of a real S3-compatible server."""

from collections.abc import Generator
from contextlib import contextmanager

import httpx
import obstore
import pytest
from moto.server import ThreadedMotoServer
from obstore.store import S3Store

BUCKET = "s3://treadle-archives/team/one"
KEYS = {
    "AWS_ACCESS_KEY_ID": "archiver",
    "AWS_SECRET_ACCESS_KEY": "a-secret-of-the-store",
    "AWS_REGION": "us-east-1",
    "AWS_ALLOW_HTTP": "true",
}


@contextmanager
def s3_server() -> Generator[str]:
    """Run an S3-compatible server on loopback; yields its URL."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    try:
        yield f"http://{host}:{port}"
    finally:
        server.stop()


def use_server(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have this process reach a server, which has an empty bucket then."""
    for name, value in {**KEYS, "AWS_ENDPOINT_URL": url}.items():
        monkeypatch.setenv(name, value)
    httpx.post(f"{url}/moto-api/reset").raise_for_status()
    httpx.put(f"{url}/treadle-archives").raise_for_status()


def bucket() -> S3Store:
    """Return the bucket, for a test that looks into it."""
    return S3Store("treadle-archives")


def names() -> list[str]:
    """Return what lies in the bucket."""
    return [each["path"] for page in obstore.list(bucket()) for each in page]
