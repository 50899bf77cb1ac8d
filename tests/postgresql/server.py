"""A PostgreSQL server of a test's own, of the binaries that Debian's package `postgresql` installs."""

import os
import pwd
import shutil
import signal
import subprocess
import time
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from tests.free_ports import free_ports

START_SECONDS = 60
MISSING = "no PostgreSQL server is here, and Debian's could not be installed: install it, or put initdb on the PATH"


def binaries() -> Path | None:
    """Return the folder with the server's programs; None where no server is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).resolve().parent if on_path else None


def _program(name: str) -> str:
    folder = binaries()
    assert folder, MISSING
    return str(folder / name)


class PostgresServer:
    """A cluster in a folder, on a port of loopback; it can be killed, started again, copied and promoted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (self.port,) = free_ports(1)  # no connection is given it while the server is away
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def make(self) -> "PostgresServer":
        self._own_folder()
        self.run("initdb", "-D", self.folder, "-U", "postgres", "-A", "trust", "--no-sync")
        return self

    def copy_of(self, other: "PostgresServer") -> "PostgresServer":
        """Become a standby that follows another server."""
        self._own_folder()
        source = ("-h", "127.0.0.1", "-p", str(other.port), "-U", "postgres")
        self.run("pg_basebackup", *source, "-D", self.folder, "-R", "-c", "fast")
        return self

    def start(self, *options: str) -> "PostgresServer":
        program = [_program("postgres"), "-D", self.folder, "-p", str(self.port)]
        program += ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]
        with (self.folder.parent / f"{self.folder.name}.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*program, *options], stdout=log, stderr=log, **self._user()
            )
        self.run("pg_isready", "-h", "127.0.0.1", "-p", str(self.port), "-t", "30", until_ok=True)
        return self

    def promote(self) -> None:
        self.run("pg_ctl", "-D", self.folder, "promote", "-w")

    def kill(self) -> None:
        """End the postmaster at once; its children notice and end, and a new one can be started."""
        process, self.process = self.process, None
        if process is None or process.poll() is not None:
            return
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        children = psutil.Process(process.pid).children()  # it can start no other one now
        process.kill()
        process.wait()
        psutil.wait_procs(children, timeout=60)

    def run(self, program: str, *arguments: object, until_ok: bool = False) -> None:
        command = [_program(program), *map(str, arguments)]
        deadline = time.monotonic() + START_SECONDS
        while True:
            done = subprocess.run(command, capture_output=True, check=False, **self._user())
            if done.returncode == 0:
                return
            is_gone = self.process is None or self.process.poll() is not None
            if not until_ok or is_gone or time.monotonic() > deadline:
                break
            time.sleep(0.02)
        raise RuntimeError(f"{program}: {done.stdout.decode()}{done.stderr.decode()}")

    def _own_folder(self) -> None:
        self.folder.mkdir(mode=0o700)
        if "user" in (user := self._user()):
            shutil.chown(self.folder, user["user"], user["group"])

    @staticmethod
    def _user() -> dict[str, Any]:
        """PostgreSQL refuses to run as root."""
        if os.getuid() != 0:
            return {}
        found = pwd.getpwnam("postgres")
        return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}


@asynccontextmanager
async def new_database(server: str) -> AsyncGenerator[str]:
    """Make an empty database on a server, for as long as the block lasts."""
    name = f"treadle_{uuid.uuid4().hex[:8]}"
    address = make_url(server).set(drivername="postgresql+asyncpg")
    engine = create_async_engine(address, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text(f"CREATE DATABASE {name}"))
        yield address.set(database=name).render_as_string(hide_password=False)
        await connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    await engine.dispose()
