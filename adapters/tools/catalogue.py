"""The tools that agents get: what each is called, takes, says to a model, and becomes."""

from adapters.tools.grants import Grant
from adapters.tools.plan_files import PLAN_FILE_TOOLS
from adapters.tools.plan_tools import RUNNING_TOOLS
from adapters.tools.questions import QUESTION_TOOLS
from adapters.tools.reviews import REVIEW_TOOLS
from adapters.tools.schemas import AMENDMENT, PLAN, TASK_PLAN, object_of, text
from adapters.tools.task_tools import WORKING_TOOLS
from adapters.tools.terminals import TERMINAL_TOOLS
from adapters.tools.tool import Arguments, Tool
from domain.agents.agents import SessionRole
from domain.core.agent_json import decode_json
from domain.core.command import AgentCommand
from domain.core.ids import SessionId
from domain.plans.proposals.shape import cut_texts
from domain.tasks.agent_commands import (
    InvitePlanner,
    ProposeAmendment,
    ProposePlan,
    ProposeTaskPlan,
    ReportBlocked,
    ReportDone,
    SuggestPlanning,
)

MAX_REPORT = 4000
"""Characters of a report that are kept with the task."""


def tools_of(grant: Grant) -> dict[str, Tool]:
    """Return what a session may call, by name, in the order it is offered."""
    offered = (
        tool
        for tool in TOOLS
        if grant.role in tool.roles and grant.has_plan_files >= tool.needs_plan_files
    )
    return {tool.name: tool for tool in offered if grant.tool_filter.offers(tool.name)}


def _proposal(session_id: SessionId, arguments: Arguments) -> AgentCommand:
    plan = decode_json(arguments.get("plan", arguments))
    return ProposePlan(session_id=session_id, plan=cut_texts(plan))


def _amendment(session_id: SessionId, arguments: Arguments) -> AgentCommand:
    return ProposeAmendment(session_id=session_id, amendment=decode_json(arguments))


def _shortened(arguments: Arguments, name: str) -> Arguments:
    """Cut a report's text: it goes into histories, whole it is in the transcript."""
    text = arguments.get(name)
    own = {key: value for key, value in arguments.items() if key != "session_id"}
    if not isinstance(text, str) or len(text) <= MAX_REPORT:
        return own
    return {**own, name: f"{text[:MAX_REPORT]} [... cut; the whole of it is in the transcript]"}


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="propose_plan",
        roles=frozenset({SessionRole.PLANNER}),
        description=(
            "Propose the plan. A person sees it and approves or rejects it; after an approval "
            "other agents do the tasks. Every problem of the plan comes back at once: fix all of "
            "them and call again. Calling again replaces the earlier proposal. End your turn when "
            "it was accepted."
        ),
        schema=object_of({"plan": PLAN}, ("plan",)),
        command=_proposal,
    ),
    Tool(
        name="invite_planner",
        roles=frozenset({SessionRole.PLANNER}),
        description=(
            "Have another agent plan the same goal beside you, where the person would gain from "
            "comparing: they see all plans and select one. Go on with your own plan."
        ),
        schema=object_of(
            {"agent": text("An agent's name, like 'codex'."), "model": text("Its model.")},
            ("agent",),
        ),
        command=lambda session_id, arguments: InvitePlanner(session_id=session_id, **arguments),
    ),
    Tool(
        name="suggest_planning",
        roles=frozenset({SessionRole.CHAT}),
        description=(
            "Suggest to plan before anything is changed, when the work is larger than one go: "
            "several parts, or open decisions. The person confirms or refuses. Not for small work."
        ),
        schema=object_of(
            {
                "reason": text("Why a plan is better here, in a sentence."),
                "goal": text("What the plan is to reach; left out: what the thread is about."),
            },
            ("reason",),
        ),
        command=lambda session_id, arguments: SuggestPlanning(session_id=session_id, **arguments),
    ),
    Tool(
        name="propose_amendment",
        roles=frozenset({SessionRole.CHAT, SessionRole.PLANNER}),
        description=(
            "Propose to change the plan that runs. A person sees a card of your changes and approves "
            "or rejects it; nothing changes before. Completed tasks never change, running ones can "
            "only be aborted, those that have not started can be added, modified, removed and put "
            "in order. Every problem comes back at once: fix all of them and call again. Calling "
            "again replaces your earlier proposal. Say then what you proposed, and end your turn."
        ),
        schema=AMENDMENT,
        command=_amendment,
    ),
    Tool(
        name="report_done",
        roles=frozenset({SessionRole.TASK}),
        description=(
            "Report that the task's work is finished. Treadle then commits and verifies it. Call "
            "it once, as your last act; without it nothing is verified."
        ),
        schema=object_of(
            {"summary": text("What changed and why, in a few sentences, for a reviewer.")},
            ("summary",),
        ),
        command=lambda session_id, arguments: ReportDone(
            session_id=session_id, **_shortened(arguments, "summary")
        ),
    ),
    Tool(
        name="report_blocked",
        roles=frozenset({SessionRole.TASK}),
        description=(
            "Report that the task can't be finished without a person: something is missing, "
            "forbidden or contradictory. Not for failing tests that you can fix."
        ),
        schema=object_of(
            {"reason": text("What blocks, what you tried, what you need.")}, ("reason",)
        ),
        command=lambda session_id, arguments: ReportBlocked(
            session_id=session_id, **_shortened(arguments, "reason")
        ),
    ),
    *WORKING_TOOLS,
    *TERMINAL_TOOLS,
    *RUNNING_TOOLS,
    *QUESTION_TOOLS,
    *REVIEW_TOOLS,
    *PLAN_FILE_TOOLS,
    Tool(
        name="propose_task_plan",
        roles=frozenset({SessionRole.TASK_PLANNER}),
        description=(
            "Propose how this one task is to be done. The thread's agent or a person looks at it; "
            "another agent then does the work by it. Every problem comes back at once: fix all of "
            "them and call again. Calling again replaces the earlier proposal. End your turn then."
        ),
        schema=TASK_PLAN,
        command=lambda session_id, arguments: ProposeTaskPlan(
            session_id=session_id, plan=cut_texts(decode_json(arguments.get("plan", arguments)))
        ),
    ),
)
