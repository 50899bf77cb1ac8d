"""Turns and agents of sessions and tasks, and further sessions in a task's worktree."""

from fastapi import APIRouter

from api.core.agents import AgentsDep
from api.core.commands import CommandRoute, CommandsDep, add_commands
from api.core.dependencies import SessionTurns, TaskWorkflow, Thread, task_workflow, turns_of
from api.core.permissions import OF_THREAD
from api.sessions.bodies import SessionBody, SwitchBody
from domain.conversations.commands import OpenSession, SkipWait, StopTurn, SwitchAgent
from domain.core.command import Answer

router = APIRouter(tags=["sessions"], prefix="/threads/{thread}", dependencies=[OF_THREAD])

for prefix, target, of in (
    ("/tasks/{task}", task_workflow, "_of_task"),
    ("/sessions/{number}", turns_of, ""),
):
    add_commands(
        router,
        target,
        CommandRoute(
            f"{prefix}/skip-wait",
            SkipWait,
            "Continue a turn now that is waiting for its provider's limit.",
            name=f"skip_wait{of}",
        ),
        CommandRoute(
            f"{prefix}/stop",
            StopTurn,
            "Stop the running turn; the session waits for a message.",
            name=f"stop{of}",
        ),
    )


@router.post("/tasks/{task}/switch-agent")
async def switch_agent_of_task(
    thread: Thread, task: TaskWorkflow, body: SwitchBody, commands: CommandsDep, agents: AgentsDep
) -> Answer:
    """Switch a task to another agent, model or option.

    It takes effect at once if a turn is waiting, and with the next turn otherwise.
    """
    await agents.refuse_for(thread, body.agent)
    return await commands.send(task, SwitchAgent, body)


@router.post("/sessions/{number}/switch-agent")
async def switch_agent(
    thread: Thread,
    session: SessionTurns,
    body: SwitchBody,
    commands: CommandsDep,
    agents: AgentsDep,
) -> Answer:
    """Switch a session to another agent, model or option.

    It takes effect at once if a turn is waiting, and with the next turn otherwise.
    """
    await agents.refuse_for(thread, body.agent)
    return await commands.send(session, SwitchAgent, body)


@router.post("/tasks/{task}/sessions", status_code=201)
async def open_session_on_task(
    thread: Thread, task: TaskWorkflow, body: SessionBody, commands: CommandsDep, agents: AgentsDep
) -> Answer:
    """Open another session in a task's worktree; its sessions take turns."""
    await agents.refuse_for(thread, body.agent)
    return await commands.send(task, OpenSession, body)
