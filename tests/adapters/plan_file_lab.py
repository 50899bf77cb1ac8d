"""A thread's plan files on the disk, and an agent that changes them."""

from datetime import UTC, datetime

from adapters.files.plan_files import PlanFileFolders
from domain.core.ids import ThreadId
from domain.threads.plan_files.edits import PlanFileEdit, PlanFileOp
from domain.threads.plan_files.files import PlanFile

NOW = datetime(2026, 1, 16, 2, 17, tzinfo=UTC)
THREAD = ThreadId("thread-x")
DONE = "# T\n\n**Status:** complete\n"
PLAN, FINDINGS, PROGRESS = PlanFile


class Desk:
    """A thread's agent: changes its plan files, each change at a time of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.store = PlanFileFolders(folder)
        self.plan = folder / "users" / THREAD / "plan"
        self.at = NOW

    async def edit(self, op, **more):
        return await self.store.edit(THREAD, PlanFileEdit(op=op, at=self.at, **more))

    async def init(self, title="Work", **more):
        return await self.edit(PlanFileOp.INIT, title=title, **more)

    async def write(self, which, content):
        return await self.edit(PlanFileOp.WRITE, which=which, content=content)

    def on_disk(self, name=""):
        folder = self.plan / "archive" / name if name else self.plan
        return {path.name: path.read_text() for path in folder.glob("*.md")}

    @property
    def archives(self):
        return sorted(path.name for path in (self.plan / "archive").iterdir())
