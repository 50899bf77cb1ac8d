"""The tools of plan files: the only way to them, in threads where a person wants them.

Reads are of the disk. A change goes through the thread's workflow, which makes one at a time: its text
lies in the journal, and the call is answered when it is made.
"""

from typing import Any

from pydantic import Field, StrictBool

from adapters.files.safe_open import PathRefusedError, safe_create, safe_remove
from adapters.tools.grants import Grant
from adapters.tools.host import Host
from adapters.tools.plan_file_access import PlanFileAccess
from adapters.tools.schemas import object_of, one_of, text
from adapters.tools.tool import HostTool, Tool
from domain.agents.agents import SessionRole
from domain.agents.protected import planted_among
from domain.core.command import MAX_NAME
from domain.core.errors import InvalidError, UnavailableError, WrongStateError
from domain.core.wire import Wire
from domain.threads.plan_files.edits import PlanFileOp
from domain.threads.plan_files.errors import ConfirmNeededError, NoPlanError
from domain.threads.plan_files.files import PlanFile, check_text, plan_file

MAX_SECTION = 300
_ROLES = frozenset(
    {SessionRole.CHAT, SessionRole.PLANNER, SessionRole.TASK, SessionRole.TASK_PLANNER}
)
_WRITERS = frozenset({SessionRole.CHAT, SessionRole.TASK})
"""The roles whose checkout is kept."""


class _Init(Wire):
    task_title: str = Field(min_length=1)
    force_new: StrictBool = False


class _Read(Wire):
    which: str = PlanFile.TASK_PLAN
    archive: str = ""


class _Write(Wire):
    which: str
    content: str


class _Update(_Write):
    section: str = Field(min_length=1, max_length=MAX_SECTION)


class _Clear(Wire):
    confirm: Any = False


class _Nothing(Wire):
    pass


class _Export(Wire):
    destination: str = Field(min_length=1, max_length=1000)


async def _init(host: Host, grant: Grant, given: _Init) -> str:
    access = _access(host)
    check_text(given.task_title)
    title = " ".join(given.task_title.split())[:MAX_NAME]
    if not title:
        raise InvalidError("task_title must say what is to be done")
    change = {"op": PlanFileOp.INIT, "title": title, "is_forced": given.force_new}
    made = await access.change(grant, change)
    return f"{made}\n\n{await access.read(grant, PlanFile.TASK_PLAN)}"


async def _read(host: Host, grant: Grant, given: _Read) -> str:
    which, access = plan_file(given.which), _access(host)
    if given.archive:
        return await access.store.read(grant.thread_id, which, given.archive)
    return await access.read(grant, which)


async def _write(host: Host, grant: Grant, given: _Write) -> str:
    change = {"op": PlanFileOp.WRITE, "which": plan_file(given.which)}
    return await _access(host).change(grant, change, given.content)


async def _update(host: Host, grant: Grant, given: _Update) -> str:
    change = {"op": PlanFileOp.UPDATE, "which": plan_file(given.which), "section": given.section}
    check_text(given.section)
    return await _access(host).change(grant, change, given.content)


async def _clear(host: Host, grant: Grant, given: _Clear) -> str:
    if given.confirm is not True:
        raise ConfirmNeededError("plan files are removed only with confirm=true; nothing was done")
    return await _access(host).change(grant, {"op": PlanFileOp.CLEAR, "is_confirmed": True})


async def _list(host: Host, grant: Grant, _given: _Nothing) -> str:
    plans = await _access(host).store.listed(grant.thread_id)
    if not plans:
        return "There is no plan yet: init_plan begins one."
    lines = (
        f"- {plan.name or 'current'}: {plan.title or 'without a title'} ("
        + ", ".join(f"{which} {size} bytes" for which, size in plan.files.items())
        + ")"
        for plan in plans
    )
    return "\n".join(lines)


async def _export(host: Host, grant: Grant, given: _Export) -> str:
    store, running = _access(host).store, grant.running
    if running is None:
        raise WrongStateError("no turn of this session is running")
    texts: dict[str, str] = {}
    for which in PlanFile:
        try:
            texts[which.file_name] = await store.read(grant.thread_id, which)
        except NoPlanError:
            continue
    if not texts:
        raise NoPlanError("there is no plan yet: begin with init_plan")
    folder = given.destination.rstrip("/") or "/"
    parts = [part.lower() for part in folder.split("/")]
    if ".git" in parts or planted_among(f"{folder}/{name}" for name in texts):
        raise InvalidError(f"{folder[:80]!r} is no place for plan files: choose another folder")
    done: list[str] = []
    try:
        for name, content in texts.items():
            safe_create(running.directory, f"{folder}/{name}", content.encode())
            done.append(f"{folder}/{name}")
    except PathRefusedError as error:
        for path in done:
            safe_remove(running.directory, path)
        raise InvalidError(f"nothing is exported: {error}") from error
    return f"Copied to {', '.join(done)}; the plan itself stays where it is."


def _access(host: Host) -> PlanFileAccess:
    if host.plan_files is None:
        raise UnavailableError("plan files cannot be reached here")
    return host.plan_files


_WHICH = one_of(list(PlanFile), "task_plan: goal and phases; findings; progress.")

PLAN_FILE_TOOLS: tuple[Tool, ...] = (
    Tool(
        name="init_plan",
        roles=_ROLES,
        description=(
            "Begin your plan files, for work of three steps or more: task_plan, findings and "
            "progress, from templates. A plan that is open stays as it is and is returned; one that "
            "is complete, or any with force_new, is archived first. They outlive your context and "
            "this turn, and are no files of the repository."
        ),
        schema=object_of(
            {
                "task_title": text("What the work is, in a line."),
                "force_new": {"type": "boolean", "description": "Archive a plan that is open."},
            },
            ("task_title",),
        ),
        host=HostTool(_Init, _init),
        needs_plan_files=True,
    ),
    Tool(
        name="read_plan",
        roles=_ROLES,
        description="Read one of your plan files; do so before a choice that matters, and before you finish.",
        schema=object_of(
            {"which": _WHICH, "archive": text("The name of an archived plan, by list_plans.")}
        ),
        host=HostTool(_Read, _read),
        needs_plan_files=True,
    ),
    Tool(
        name="write_plan",
        roles=_ROLES,
        description=(
            "Replace one of your plan files as a whole; at most 256 KiB. Refused where another session "
            "changed it since you read it."
        ),
        schema=object_of(
            {"which": _WHICH, "content": text("All of it, as Markdown.")}, ("which", "content")
        ),
        host=HostTool(_Write, _write),
        needs_plan_files=True,
    ),
    Tool(
        name="update_plan",
        roles=_ROLES,
        description=(
            "Replace what stands below one heading of a plan file, its subsections too. Others may "
            "write at the same time: change only the section that you mean."
        ),
        schema=object_of(
            {
                "which": _WHICH,
                "section": text("The heading's text to the letter, like 'Phase 1: Understand'."),
                "content": text("What stands below it from now on, without the heading."),
            },
            ("which", "section", "content"),
        ),
        host=HostTool(_Update, _update),
        needs_plan_files=True,
    ),
    Tool(
        name="clear_plan",
        roles=_ROLES,
        description="Remove the current plan files; archived ones stay.",
        schema=object_of(
            {"confirm": {"type": "boolean", "description": "true, or nothing is done."}}
        ),
        host=HostTool(_Clear, _clear),
        needs_plan_files=True,
    ),
    Tool(
        name="list_plans",
        roles=_ROLES,
        description="List the current plan and the archived ones.",
        schema=object_of({}),
        host=HostTool(_Nothing, _list),
        needs_plan_files=True,
    ),
    Tool(
        name="export_plan",
        roles=_WRITERS,
        description=(
            "Copy the plan files into the repository, only where the person wants them there. "
            "Nothing that exists is replaced."
        ),
        schema=object_of(
            {"destination": text("A folder, relative to the repository's root, like 'docs/plan'.")},
            ("destination",),
        ),
        host=HostTool(_Export, _export),
        is_harmless=False,
        needs_plan_files=True,
    ),
)
