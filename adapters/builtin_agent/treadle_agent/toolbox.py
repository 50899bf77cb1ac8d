"""The agent of one turn: its instructions, its tools by mode, and what keeps them in bounds."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from types import NoneType
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field
from pydantic_ai import Agent
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import RunContext, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, FunctionToolset
from pydantic_ai.workspaces import (
    LocalWorkspaceBackend,
    ReadOnlyWorkspace,
    Workspace,
    WorkspaceBackend,
)
from pydantic_ai_harness.filesystem import FileSystem
from pydantic_ai_harness.repo_context import RepoContext
from pydantic_ai_harness.tool_output_limits import Band, ToolOutputLimits, Truncate

from treadle_agent.answers import Answers
from treadle_agent.instructions import instructions_of
from treadle_agent.offers import PLAN
from treadle_agent.shell import Shell
from treadle_agent.store import Record
from treadle_agent.tool_calls import FILE_TOOLS, WRITE
from treadle_agent.updates import SessionUpdates

MAX_RESULT = 64_000
"""Characters of any tool's result that the model gets."""

MAX_TOOL_RETRIES = 8
"""How often in a row one tool may be called wrongly before the turn fails."""

DEFAULT_SECONDS, MAX_SECONDS = 120, 1_800


class Folders(AbstractCapability[object]):
    """Makes the folders of a file that is written, which the tool itself leaves to the model."""

    async def before_tool_execute(
        self,
        ctx: RunContext[object],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
    ) -> dict[str, Any]:
        """Make them, where they lie in the session's folder."""
        del tool_def
        if call.tool_name == WRITE and not ctx.workspace.read_only:
            root = await ctx.workspace.realpath(await ctx.workspace.working_dir())
            folder = PurePath(await ctx.workspace.realpath(str(args["path"]))).parent
            if folder.is_relative_to(root):
                await ctx.workspace.make_dir(str(folder))
        return args


class MissingFiles(AbstractCapability[object]):
    """Has a file that is not there be a failure, which the tool itself tells as a result."""

    async def after_tool_execute(
        self,
        ctx: RunContext[object],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        result: Any,
    ) -> Any:
        """Return the result.

        Raises:
            ToolFailed: It says that there is no such file.
        """
        del ctx, call, tool_def
        if isinstance(result, str) and result == f"Path not found: {args.get('path')}":
            raise ToolFailed(result)
        return result


class PlanEntry(BaseModel):
    """One step of the agent's plan."""

    content: str
    status: Literal["pending", "in_progress", "completed"] = "pending"
    priority: Literal["high", "medium", "low"] = "medium"


@dataclass
class Toolbox:
    """What the tools of a session work with."""

    record: Record
    updates: SessionUpdates
    shell: Shell

    @property
    def cwd(self) -> Path:
        """The session's folder."""
        return Path(self.record.cwd)

    def workspace(self) -> WorkspaceBackend:
        """Return the folder as the file tools see it: read-only in the mode that plans."""
        programs = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
        backend = LocalWorkspaceBackend(
            self.cwd, env={"PATH": programs}
        )  # ripgrep lies beside Python
        return ReadOnlyWorkspace(Workspace(backend)) if self.record.mode == PLAN else backend

    def agent(
        self,
        gate: AbstractCapability[object],
        servers: Sequence[AbstractToolset[object]],
        notes: str,
    ) -> Agent[object, str | None]:
        """Return the agent of a turn, without a model."""
        tools = FunctionToolset[object](id="treadle")
        tools.add_function(self._update_plan, name="update_plan", takes_ctx=False)
        if self.record.mode != PLAN:
            tools.add_function(self._run_shell, name="shell", takes_ctx=True)
        return Agent(
            name="treadle",
            instructions=[instructions_of(self.record.mode, self.cwd), notes],
            toolsets=[tools, *servers],
            retries={"tools": MAX_TOOL_RETRIES, "output": 1},
            output_type=[str, NoneType],  # a model that has nothing more to say may say nothing
            capabilities=[
                FileSystem(content_hashes=False, tools=FILE_TOOLS, max_retries=MAX_TOOL_RETRIES),
                RepoContext(home_dir=_root_of(self.cwd)),
                Answers(),
                ToolOutputLimits(
                    bands=[Band(over=MAX_RESULT, action=Truncate(max_chars=MAX_RESULT))]
                ),
                gate,
                Folders(),
                MissingFiles(),
            ],
        )

    async def _update_plan(self, entries: list[PlanEntry]) -> str:
        """Show the user your plan: all of its steps, with the status of each.

        Use it for work of several steps; call it again with the whole list as steps change.

        Args:
            entries: All steps, in order.
        """
        await self.updates.update("plan", entries=[entry.model_dump() for entry in entries])
        return "The plan is shown."

    async def _run_shell(
        self,
        ctx: RunContext[object],
        command: str,
        timeout_seconds: Annotated[int, Field(ge=1, le=MAX_SECONDS)] = DEFAULT_SECONDS,
    ) -> str:
        """Run a command in bash, in the project's folder, and return its output and exit code.

        Every call starts a new shell. Its standard input is empty. A command that is started in the
        background with `&` runs on after the call.

        Args:
            ctx: The run.
            command: What to run.
            timeout_seconds: After this long the command is ended with all that it started.
        """
        call_id = ctx.tool_call_id or ""
        try:
            done = await self.shell.run(
                command, timeout_seconds, lambda text: self.updates.output(call_id, text)
            )
        except (OSError, ValueError) as error:
            raise ToolFailed(f"the command could not be started: {error}") from error
        end = done.problem or f"exit code {done.exit_code}"
        text = f"{done.output.rstrip()}\n[{end}]".lstrip()
        if done.problem:
            raise ToolFailed(text)
        return text


def _root_of(cwd: Path) -> Path:
    """Return the repository that a folder lies in: its instructions count from there down."""
    return next((folder for folder in (cwd, *cwd.parents) if (folder / ".git").exists()), cwd)
