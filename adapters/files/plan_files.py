"""The `PlanFileStore`: `users/<thread>/plan/` in the data folder, which nobody else is given a way to.

Each file is replaced by a whole new one that is on the disk before it takes the old one's name. A plan
is archived by moving its files: what a crash leaves half moved is moved on by the next change.
No link is followed, and no name comes from an agent: there are three, and those of archives are ours.
"""

import asyncio
import string
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from adapters.disk_room import describe_error, is_full
from adapters.files.plan_folder import ARCHIVE, Archived, PlanFolder, Texts, opened, text_in
from adapters.files.removal import remove_tree
from adapters.files.safe_open import list_folders
from domain.core.errors import NotFoundError, WorkspaceError
from domain.core.ids import ThreadId, is_thread
from domain.threads.plan_files.completion import is_complete
from domain.threads.plan_files.edits import ListedPlan, PlanFileEdit, PlanFileEdited, PlanFileOp
from domain.threads.plan_files.errors import NoPlanError, TangledTextError, UnusableFileError
from domain.threads.plan_files.files import PlanFile, check_text, is_archive_name
from domain.threads.plan_files.outline import outline_of
from domain.threads.plan_files.sections import with_section

TEMPLATES = Path(__file__).resolve().parents[2] / "templates" / "plan-files"
MAX_LISTED = 200
_MAX_TITLE = 200
_LOOKED_AT = 4096


class PlanFileFolders:
    """Plan files of this host's threads; mode 0700 and 0600."""

    def __init__(self, data_dir: Path, templates: Path = TEMPLATES) -> None:
        self._root = data_dir.resolve()
        self._templates = templates

    async def edit(self, thread: ThreadId, edit: PlanFileEdit) -> PlanFileEdited:
        """Carry out a change; see the port."""
        return await asyncio.to_thread(self._edit, thread, edit)

    async def read(self, thread: ThreadId, which: PlanFile, archive: str = "") -> str:
        """Return a file of the current plan, or of an archived one; see the port."""
        return await asyncio.to_thread(self._read, thread, which, archive)

    async def listed(self, thread: ThreadId) -> tuple[ListedPlan, ...]:
        """Return the current plan and the archived ones, at most 200; see the port."""
        return await asyncio.to_thread(self._listed, thread)

    async def has_folder(self, thread: ThreadId) -> bool:
        """Tell whether there is a folder of the thread's plans."""
        return (self._root / _place(thread)).is_dir()

    async def remove(self, thread: ThreadId) -> None:
        """Remove all that a thread has here; see the port."""
        with _errors_translated(self._root):
            await asyncio.to_thread(remove_tree, self._root / _place(thread).parent)

    def _edit(self, thread: ThreadId, edit: PlanFileEdit) -> PlanFileEdited:
        with _errors_translated(self._root), opened(self._root, _place(thread)) as folder:
            plan = PlanFolder(self._root / _place(thread), folder)
            before = plan.archived_before(edit)
            match edit.op:
                case PlanFileOp.INIT:
                    edited = self._init(plan, edit, before)
                case PlanFileOp.WRITE:
                    check_text(edit.content)
                    outline_of(edit.content)  # refuses what no later call could read
                    edited = _write(plan, edit, edit.content)
                case PlanFileOp.UPDATE:
                    text = with_section(plan.text(edit.which), edit.section, edit.content)
                    edited = _write(plan, edit, text)
                case PlanFileOp.CLEAR:
                    plan.clear()
                    edited = PlanFileEdited(message="The plan files are gone; archived ones stay.")
        name, texts = before or ("", {})
        is_told = before is None or bool(edited.archive)
        return edited if is_told else edited.model_copy(update={"archive": name, "archived": texts})

    def _init(
        self, plan: PlanFolder, edit: PlanFileEdit, before: Archived | None
    ) -> PlanFileEdited:
        now, fresh = plan.texts(), self._fresh(edit)
        is_done = is_complete(now.get(PlanFile.TASK_PLAN, ""))
        is_changed = any(text != fresh[which] for which, text in now.items())
        if is_done or (edit.is_forced and is_changed):
            before, now = plan.archive(edit), {}
        name, archived = before or ("", {})
        for which, text in fresh.items():
            if which not in now:
                plan.put(which, text)
        if name:
            words = f"The earlier plan is archived as {name}; the new one is made from templates."
        elif not now:
            words = "A new plan is made from templates."
        else:
            words = "There is a plan, and it is not complete: it stays as it is."
        files = fresh | now
        return PlanFileEdited(message=words, files=files, archive=name, archived=archived)

    def _fresh(self, edit: PlanFileEdit) -> Texts:
        title = " ".join(edit.title.split())[:_MAX_TITLE] or "without a title"
        fields = {"title": title, "day": f"{edit.at:%Y-%m-%d}"}
        return {
            f: string.Template(
                (self._templates / f.file_name).read_text(encoding="utf-8")
            ).safe_substitute(fields)
            for f in PlanFile
        }

    def _read(self, thread: ThreadId, which: PlanFile, archive: str) -> str:
        if archive and not is_archive_name(archive):
            raise NoPlanError(f"there is no archived plan {archive[:80]!r}: list_plans names them")
        place = _place(thread)
        path = place / ARCHIVE / archive if archive else place
        with _errors_translated(self._root):
            text = text_in(self._root, f"{path}/{which.file_name}")
        if text is not None:
            return text
        if archive:
            raise NoPlanError(f"there is no {which} of a plan {archive!r}: list_plans names them")
        raise NoPlanError(f"there is no {which} yet: begin with init_plan")

    def _listed(self, thread: ThreadId) -> tuple[ListedPlan, ...]:
        place = _place(thread)
        with _errors_translated(self._root):
            archived = list_folders(self._root, f"{place}/{ARCHIVE}")
            names = sorted(filter(is_archive_name, archived), key=_age, reverse=True)
            found = (
                self._look(place / ARCHIVE / name if name else place, name)
                for name in ("", *names[:MAX_LISTED])
            )
            return tuple(plan for plan in found if plan.files)

    def _look(self, path: Path, name: str) -> ListedPlan:
        texts: Texts = {}
        for f in PlanFile:
            with suppress(UnusableFileError):
                if (text := text_in(self._root, f"{path}/{f.file_name}")) is not None:
                    texts[f] = text
        sizes = {f: len(text.encode()) for f, text in texts.items()}
        return ListedPlan(name=name, title=_title(texts.get(PlanFile.TASK_PLAN, "")), files=sizes)


def _title(text: str) -> str:
    """Return the first heading near a text's beginning; of a tangled one none."""
    try:
        headings = outline_of(text[:_LOOKED_AT], _LOOKED_AT).headings
    except TangledTextError:
        return ""
    return headings[0].text[:_MAX_TITLE] if headings else ""


def _write(plan: PlanFolder, edit: PlanFileEdit, text: str) -> PlanFileEdited:
    plan.put(edit.which, text)
    size = len(text.encode())
    return PlanFileEdited(message=f"{edit.which} has {size} bytes now.", files={edit.which: text})


def _place(thread: ThreadId) -> Path:
    if not is_thread(thread):
        raise NotFoundError(f"there is no thread {thread[:80]!r}")
    return Path("users", thread, "plan")


def _age(name: str) -> tuple[str, int]:
    minute, number = name[:18], name[19:]
    return minute, int(number or 1)


@contextmanager
def _errors_translated(place: Path) -> Generator[None]:
    """Turn what the disk refuses into the domain's error."""
    try:
        yield
    except OSError as error:
        why = describe_error(error, place) if is_full(error) else str(error)
        raise WorkspaceError(f"the plan files cannot be reached: {why}") from error
