"""The main job for Codex: a repository with a test and no code, and a thread that a test drives."""

from pathlib import Path

import httpx

from domain.core.ids import ThreadId
from tests.e2e.engine import Engine
from tests.e2e.job import Job, git

CODEX = Path(__file__).parent / "codex"
TEST = """\
import unittest

from sums import add


class Sums(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(2, 3), 5)
"""


class CodexJob(Job):
    """A thread whose agent is Codex; codex/model.yaml says what its model says."""

    def __init__(self, engine: Engine, http: httpx.AsyncClient, repository: Path) -> None:
        self.engine = engine
        self.http = http
        self.repository = make_repository(repository)
        self.events = []
        self.thread = ThreadId("")

    async def open(self) -> None:
        """Open the thread."""
        body = {
            "repository": str(self.repository),
            "goal": "Sums and greetings",
            "is_planned": True,
            "planner": {"own_turns": 0},
        }
        self.thread = (await self.post("/v1/threads", {**body, "agent": "codex"}))["thread_id"]

    def told(self, kind: str, under: str | None = None) -> list:
        """Return the events of a kind that were seen, of one stream or of all."""
        seen = [(e.event.stream, e.event.body) for e in self.events]
        is_in = under and f"{self.thread}/{under}"
        return [body for stream, body in seen if body.kind == kind and is_in in {None, stream}]


def make_repository(path: Path) -> Path:
    path.mkdir()
    (path / "test_sums.py").write_text(TEST)
    (path / ".gitignore").write_text("__pycache__/\n")
    git(path, "init", "--quiet", "--initial-branch", "main")
    git(path, "add", "--all")
    author = ("-c", "user.name=Tester", "-c", "user.email=tester@treadle.invalid")
    git(path, *author, "commit", "--quiet", "--message", "A test without code")
    return path
