"""The grounds of escapes from a sandbox: what must not be read, changed or reached, and who tries.

As a program it makes the attempts of standard input as whoever runs it, and prints what they did.
"""

import asyncio
import hashlib
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

from adapters.processes.command import Command
from adapters.processes.host_spawner import HostFolders, host_spawner
from domain.agents.agents import SessionRole
from domain.agents.sandbox import SandboxRules

CANARY = "hunter2"
Attempts = dict[str, tuple[str | None, str]]
"""By name: a role, none for a verification step, and a script."""

SECRETS = (
    *("home/.ssh/id_ed25519", "home/.aws/credentials", "home/.config/gh/hosts.yml"),
    *("home/.cargo/credentials.toml", "home/.netrc", "home/other/.env"),
    *("data/token", "data/decision.key", "data/journal.db", "data/agents/other/session/login"),
    *("data/worktrees/other/theirs.txt", "config/agents/a.yaml", "tmp/scratch.txt"),
)
KEPT = (".git", ".vscode", ".vscode/tasks.json", ".mcp.json", ".envrc", ".gitmodules", ".claude")
"""What stays in the worktree as it is: nothing, or an empty folder, where there was nothing."""

FILES = {
    **dict.fromkeys(SECRETS, f"{CANARY}\n"),
    **dict.fromkeys(("home/.bashrc", "home/.gitconfig", "elsewhere/file.txt"), "theirs\n"),
    "data/agents/own/state": "mine\n",
}


class Grounds:
    """A person's home, Treadle's folders, a repository and a worktree, below one folder."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.home, self.data = base / "home", base / "data"
        self.repository = self.home / "project"
        self.worktree = self.data / "worktrees" / "own"

    def make(self) -> None:
        """Make all of it."""
        for name, text in FILES.items():
            (self.base / name).parent.mkdir(parents=True, exist_ok=True)
            (self.base / name).write_text(text)
        self.repository.mkdir()
        (self.repository / ".vscode").mkdir()
        (self.repository / ".vscode" / "tasks.json").write_text("{}\n")
        (self.repository / "app.py").write_text("print(1)\n")
        self._git("init", "--quiet", "--initial-branch=main")
        self._git("add", "--all")
        self._git("-c", "user.name=A", "-c", "user.email=a@x", "commit", "--quiet", "-m", "first")
        self._git("worktree", "add", "--quiet", "-b", "work", str(self.worktree))

    def _git(self, *arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=self.repository, check=True)

    def fingerprint(self) -> dict[str, str]:
        """Return what every file is that no attempt may change, by its path."""
        found: dict[str, str] = {}
        own = (self.worktree, self.data / "runs", self.data / "agents" / "own")
        for folder, folders, files in os.walk(self.base):
            folders[:] = [name for name in folders if Path(folder, name) not in own]
            for file in (Path(folder, name) for name in (*folders, *files)):
                found[str(file.relative_to(self.base))] = _state(file)
        return found | {name: _state(self.worktree / name) for name in KEPT}

    async def attempt(self, role: str | None, script: str) -> str:
        """Run a script in the sandbox of a role at the default settings; returns what it said."""
        rules = SandboxRules(forbidden=frozenset((1,)))
        sandbox = rules.of(SessionRole(role) if role else None, self.repository)
        folders = HostFolders(self.data, self.data / "programs", self.base / "config")
        spawner = host_spawner(folders, {"PATH": os.environ["PATH"], "HOME": str(self.home)})
        command = Command(
            ("/bin/sh", "-c", script),
            self.worktree,
            {"BASE": str(self.base), "PYTHON": sys.executable},
            is_merged=True,
            sandbox=sandbox,
            writes=(self.data / "agents" / "own",),
        )
        done = await spawner.run(command, limit_seconds=60)
        return done.output.text()


def _state(file: Path) -> str:
    """Return a file's mode and content; a folder that is kept empty counts by what is in it."""
    if not file.exists():
        return "none"
    if file.is_dir():
        inside = sorted(entry.name for entry in file.iterdir()) if file.name in KEPT else ""
        return f"{file.lstat().st_mode:o} {inside}"
    is_plain = file.is_file() and not file.is_symlink()
    content = file.read_bytes() if is_plain else b"something else"
    return f"{file.lstat().st_mode:o} {hashlib.sha256(content).hexdigest()[:12]}"


class Servers:
    """Servers of this host that nobody in a sandbox may reach; `asked` are those who were."""

    def __init__(self, folder: Path) -> None:
        self._sockets: dict[str, socket.socket] = {}
        for name in ("api", "temporal", "other"):
            self._listen(name, socket.AF_INET, ("127.0.0.1", 0))
        self._listen("api6", socket.AF_INET6, ("::1", self.port("api")))
        self._listen("abstract", socket.AF_UNIX, f"\0treadle-{os.getpid()}")
        self._listen("agent", socket.AF_UNIX, str(folder / "ssh-agent.sock"))

    def port(self, name: str) -> int:
        """Return where a server listens."""
        return self._sockets[name].getsockname()[1]

    @property
    def asked(self) -> list[str]:
        """Return who was connected to, and let them go."""
        found: list[str] = []
        for name, listener in self._sockets.items():
            try:
                listener.accept()[0].close()
            except BlockingIOError:
                continue
            found.append(name)
        return found

    def _listen(self, name: str, family: socket.AddressFamily, address: object) -> None:
        listener = socket.socket(family)
        listener.bind(address)  # type: ignore[arg-type]
        listener.listen()
        listener.setblocking(False)
        if family is socket.AF_UNIX and isinstance(address, str) and address.startswith("/"):
            Path(address).chmod(0o777)
        self._sockets[name] = listener


async def harm(
    grounds: Grounds, attempts: Attempts, victim: subprocess.Popen[bytes]
) -> dict[str, list[str]]:
    """Make attempts, one by one; returns those that got anywhere, with what they did and said."""
    grounds.make()
    servers, harmed = Servers(grounds.base), {}
    await grounds.attempt(None, "true")  # puts the placeholders of masks there
    before = grounds.fingerprint()
    for name, (role, script) in attempts.items():
        said = await grounds.attempt(role, _filled(script, grounds, servers, victim.pid))
        after = grounds.fingerprint()
        found = [n for n in {*before, *after} if before.get(n) != after.get(n)]
        found += [f"reached {who}" for who in servers.asked]
        found += [CANARY] if CANARY in said else []
        found += ["ended another process"] if victim.poll() is not None else []
        if found:
            harmed[name] = [*found, said[-300:]]
        before = after
    return harmed


def _filled(script: str, grounds: Grounds, servers: Servers, victim: int) -> str:
    """Put what has its name only now into an attempt."""
    names = {f"@{name.upper()}@": servers.port(name) for name in ("api", "temporal", "other")}
    names |= {"@BASE@": grounds.base, "@VICTIM@": victim, "@PID@": os.getpid(), "@SEEN@": CANARY}
    for name, value in names.items():
        script = script.replace(name, str(value))
    return script


def main() -> None:
    """Make the attempts of standard input."""
    attempts: Attempts = json.load(sys.stdin)
    victim = subprocess.Popen(["sleep", "600"], env={"SECRET": CANARY}, start_new_session=True)
    try:
        harmed = asyncio.run(harm(Grounds(Path(sys.argv[1])), attempts, victim))
    finally:
        victim.kill()
    sys.stdout.write(json.dumps(harmed))


if __name__ == "__main__":
    main()
