"""What an agent may leave to pass a check that its commit does not: nothing of it is in the checkout.

Each attack runs where the agent can do most: without a sandbox, and it is looked for by a step that
runs as a worker runs it. The control is a clone of the commit.
"""

import asyncio
import subprocess

import pytest

from tests.adapters.clean_lab import Steps, Work
from tests.adapters.task_specs import BRANCH, spec_of

SHOW = """
find . -type f -size +0c -not -path './.git/*' -not -name .git -not -name .envrc -not -name .mcp.json -not -name .gitmodules | LC_ALL=C sort |
while read -r file; do echo "$file"; cat "$file"; done
"""


@pytest.fixture
def repository(repository, git):
    """Whose base ignores the usual folders, and has a module to forge."""
    (repository / ".gitignore").write_text("*.log\nnode_modules/\n.venv\n__pycache__/\n")
    (repository / "mod.py").write_text("VALUE = 'wrong'\n")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message=ignore")
    return repository


@pytest.fixture
async def work(workspaces, repository, branch):
    """A task's worktree."""
    return Work(workspaces, repository, await workspaces.prepare(spec_of(repository, "task-1")))


@pytest.fixture
def steps(workspaces, data_dir, tmp_path, monkeypatch):
    """Steps as a worker runs them."""
    monkeypatch.setattr("activities.clean_steps.activity.heartbeat", lambda: None)
    return Steps(workspaces, data_dir, tmp_path / "config")


def ignore(work, *names):
    work.put(".gitignore", (work.path / ".gitignore").read_text() + "\n".join((*names, "")))


def self_ignoring(work):
    ignore(work, "/.gitignore", "GNUmakefile")
    work.put("GNUmakefile", "check:\n\ttrue\n")


def ignored_below(work):
    work.put("sub/.gitignore", "*\n")
    work.put("sub/answer.txt")


def byte_code(work):
    work.put("__pycache__/mod.cpython-311.pyc")
    work.put("sub/mod.pyc")


def exclude(work):
    (work.repository / ".git" / "info").mkdir(exist_ok=True)
    (work.repository / ".git" / "info" / "exclude").write_text("GNUmakefile\n")
    work.put("GNUmakefile", "check:\n\ttrue\n")


def skipped(work):
    work.git("update-index", "--skip-worktree", "mod.py")
    work.put("mod.py", "VALUE = 'forged'\n")


def assumed(work):
    work.git("update-index", "--assume-unchanged", "mod.py")
    work.put("mod.py", "VALUE = 'forged'\n")


def nested(work):
    subprocess.run(["git", "init", "-q", str(work.path / "sub")], check=True)
    work.put("sub/.git/info/exclude", "answer.txt\n")
    work.put("sub/answer.txt", "forged\n")


def submodule(work):
    subprocess.run(["git", "init", "-q", str(work.path / "sub")], check=True)
    work.put("sub/answer.txt", "forged\n")
    author = ("-c", "user.name=a", "-c", "user.email=a@x")
    for words in (("add", "-A"), (*author, "commit", "-qm", "x")):
        subprocess.run(["git", "-C", str(work.path / "sub"), *words], check=True)
    work.git("add", "sub")


def attributes(work):
    work.put(".gitattributes", "mod.py ident eol=crlf export-ignore filter=forge diff=forge\n")
    work.put("mod.py", "VALUE = '$Id$'\n")


def pointer(work):
    work.put(".gitattributes", "mod.py filter=lfs diff=lfs merge=lfs -text\n")
    work.put("mod.py", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")


def names(work):
    ignore(work, "GNUMAKEFILE", "caf\u00e9", "* ")
    work.put("cafe\u0301", "one\n")
    work.put("caf\u00e9", "two\n")
    work.put("gnumakefile", "check:\n\ttrue\n")


def hidden(work):
    ignore(work, ".hidden/")
    work.put(".hidden/answer.txt")
    work.put(".pth")


def head_elsewhere(work):
    work.git("checkout", "-q", "--detach")
    work.git("update-ref", "refs/heads/treadle/task-1", BRANCH)


def replaced(work):
    forged = work.git("hash-object", "-w", "--stdin", stdin="VALUE = 'forged'\n")
    work.git("replace", work.git("rev-parse", "HEAD:mod.py"), forged)


ATTACKS = [
    *(self_ignoring, ignored_below, byte_code, exclude, skipped, assumed, nested, submodule),
    *(attributes, pointer, names, hidden, head_elsewhere, replaced),
]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
async def test_a_step_sees_what_a_clone_of_the_commit_has(work, steps, tmp_path, attack):
    attack(work)
    snapshot = await work.commit()

    result = await steps.run(work, SHOW, snapshot.commit)

    assert result.output == await asyncio.to_thread(_cloned, work, snapshot.commit, tmp_path)
    assert (result.passed, result.carried, result.tree) == (True, (), snapshot.tree)


def _cloned(work, commit, folder):
    """Return what a step would see in a clone of the repository at a commit."""
    clone = folder / "clone"
    _git(folder, "clone", "-q", "--no-checkout", str(work.repository), str(clone))
    _git(clone, "fetch", "-q", "origin", commit)
    _git(clone, "checkout", "-q", commit)
    return subprocess.run(
        ["sh", "-c", SHOW], cwd=clone, capture_output=True, check=True
    ).stdout.decode()


def _git(folder, *words):
    done = subprocess.run(
        ["git", "-c", "core.quotePath=true", "-C", str(folder), *words],
        capture_output=True,
        check=True,
        env={"PATH": "/usr/bin:/bin:/usr/local/bin", "GIT_NO_REPLACE_OBJECTS": "1"},
    )
    return done.stdout.decode().strip()
