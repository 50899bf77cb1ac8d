"""Origins of repositories by URL: a bare one on the disk, and git's own server for http."""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import psutil

from adapters.git.remote.mirrors import Mirrors
from adapters.git.remote.network import NetworkGit
from adapters.processes.spawner import Spawner
from domain.core.remote_repositories import SCHEMES
from tests.adapters.conftest import BASE_ENVIRONMENT


def mirrors_in(data_dir: Path, limit_seconds: float = 60) -> Mirrors:
    """Return the mirrors of a host whose data folder this is."""
    data_dir.mkdir(exist_ok=True)
    spawner = Spawner(data_dir / "runs", BASE_ENVIRONMENT)
    return Mirrors(spawner, network_of(spawner, limit_seconds), data_dir)


def network_of(spawner: Spawner, limit_seconds: float = 60) -> NetworkGit:
    """Return git with the network, for all schemes, with nobody's configuration."""
    environment = {**BASE_ENVIRONMENT, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    return NetworkGit(spawner, environment, SCHEMES, limit_seconds)


def bare_of(repository: Path, folder: Path, git: Callable[..., str]) -> Path:
    """Return a bare clone of a repository in a folder of origins, which takes pushes over http too."""
    bare = folder / "origins" / "project.git"
    bare.parent.mkdir()
    git(folder, "clone", "--quiet", "--bare", str(repository), str(bare))
    git(bare, "config", "http.receivepack", "true")
    return bare


@contextmanager
def url_of(origin: Path, scheme: str) -> Iterator[str]:
    """Serve a bare repository by `file` or `http`, and give its URL."""
    if scheme == "file":
        yield f"file://{origin}"
        return
    server = GitServer(origin.parent)
    try:
        yield f"{server.url}/{origin.name}"
    finally:
        server.close()


class GitServer:
    """Serves the bare repositories of a folder by `git http-backend`; `asks` for a password if told so."""

    def __init__(self, folder: Path, address: str = "127.0.0.1") -> None:
        self.asks = False
        self.requests: list[str] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                server.requests.append(f"{self.command} {self.path}")

            def do_GET(self) -> None:
                server.answer(self, folder)

            do_POST = do_GET  # noqa: N815

        self._http = ThreadingHTTPServer((address, 0), Handler)
        self._thread = Thread(target=self._http.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        host, port = self._http.server_address[:2]
        return f"http://{host!s}:{port}"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def answer(self, request: BaseHTTPRequestHandler, folder: Path) -> None:
        if self.asks:
            request.send_response(401)
            request.send_header("WWW-Authenticate", 'Basic realm="git"')
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
        body = request.rfile.read(int(request.headers.get("Content-Length") or 0))
        if request.headers.get("Transfer-Encoding") == "chunked":
            body = b"".join(_chunks(request))
        asked = urlsplit(request.path)
        environment = {
            **os.environ,
            "GIT_PROJECT_ROOT": str(folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "REQUEST_METHOD": request.command,
            "PATH_INFO": asked.path,
            "QUERY_STRING": asked.query,
            "CONTENT_TYPE": request.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "REMOTE_USER": "ann",
            "HTTP_CONTENT_ENCODING": request.headers.get("Content-Encoding", ""),
        }
        done = subprocess.run(
            ["git", "http-backend"], input=body, env=environment, capture_output=True, check=False
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        headers = [line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line]
        status = next((int(v.split()[0]) for name, v in headers if name == "Status"), 200)
        with suppress(OSError):
            request.send_response(status)
            for name, value in headers:
                if name != "Status":
                    request.send_header(name, value)
            request.send_header("Content-Length", str(len(content)))
            request.end_headers()
            request.wfile.write(content)


def _chunks(request: BaseHTTPRequestHandler):
    while size := int(request.rfile.readline().strip() or b"0", 16):
        yield request.rfile.read(size)
        request.rfile.readline()
    request.rfile.readline()


def kill_gits() -> None:
    """Kill every git of this host at once; those that serve a request are of the host of the origin."""
    for process in _gits_of(psutil.Process()):
        with suppress(psutil.NoSuchProcess):
            process.kill()


def wait_for_gits(seconds: float = 60) -> bool:
    """Wait until no git runs below this process, not even one that serves; tells whether none does."""
    left = [one for one in psutil.Process().children(recursive=True) if _is_git(one)]
    return not psutil.wait_procs(left, timeout=seconds)[1]


def _gits_of(process: psutil.Process) -> list[psutil.Process]:
    found = []
    with suppress(psutil.NoSuchProcess):
        for child in process.children():
            if not _serves(child):
                found += [*([child] if _is_git(child) else []), *_gits_of(child)]
    return found


def _is_git(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return process.name().startswith(("git", "bwrap"))
    return False


def _serves(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return "http-backend" in process.cmdline()
    return False
