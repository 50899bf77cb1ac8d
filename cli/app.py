"""The commands that speak REST, by name: each is imported when it runs."""

from collections.abc import Mapping

import typer

from cli.core.lazy import Lazy, LazyGroup

LISTED: dict[str, dict[str, dict[str, str]]] = {
    "Threads": {
        "cli.threads.run": {
            "run": "Start a thread with its first message; leaving does not stop it.",
            "attach": "Watch a thread and answer what it asks, until it ends or you leave.",
        },
        "cli.imports.imports": {
            "import": "List an agent's sessions in a repository, or continue one as a thread.",
        },
        "cli.threads.list": {
            "threads": "List threads, most recently changed first (alias: `ls`).",
        },
        "cli.threads.search": {
            "search": "Search what people and agents said, plans, decisions, reports and test output.",
        },
        "cli.threads.show": {
            "show": "Show a thread or one of its tasks, and how to respond.",
            "logs": "Print the events of a thread, its tasks and its sessions.",
        },
        "cli.threads.timeline": {
            "timeline": "Show what each task of a thread did when.",
        },
        "cli.threads.say": {
            "say": "Send a message to an agent and print its answer.",
        },
        "cli.threads.stop": {
            "stop": "Stop the running turn of a session or task; it then waits for a message.",
        },
        "cli.threads.withdraw": {
            "withdraw": "Withdraw the newest queued message before an agent gets it.",
        },
        "cli.threads.control": {
            "pause": "Start no new tasks; running ones finish.",
            "resume": "Start tasks again.",
            "cancel": "Cancel the plan: abort running tasks, cancel pending ones.",
            "abort-all": "Abort running tasks and pause the plan; what waits at its gate stays.",
            "replan": "Ask the planner for a new plan.",
        },
        "cli.threads.setting_up": {
            "retry-set-up": "Set the workspaces of a thread up again, also by a changed recipe.",
            "skip-set-up": "Start the tasks of a thread without setting their workspaces up.",
        },
        "cli.threads.fork": {
            "fork": "Start a new thread from a checkpoint of this one.",
            "checkpoints": "List the checkpoints of a thread.",
        },
        "cli.threads.lifecycle": {
            "rename": "Rename a thread.",
            "assign": "Assign a thread to a person, whose inbox has it then.",
            "archive": "Archive a thread; it stays readable, and running work continues.",
            "unarchive": "Unarchive a thread.",
            "delete": "Delete a thread with its transcripts, worktrees and branches.",
        },
        "cli.retention.prune": {
            "pin": "Pin a thread: no prune removes it.",
            "unpin": "Unpin a thread: prunes may remove it again.",
            "prune": "Remove threads that ended for good: events, worktrees, branches and histories.",
        },
        "cli.threads.export": {
            "export": "Export a thread: goal, plans, decisions, tasks, transcripts, changes.",
        },
    },
    "Approvals and questions": {
        "cli.approvals.inbox": {
            "inbox": "List everything that is waiting for you, oldest first.",
        },
        "cli.approvals.dismiss": {
            "dismiss": "Dismiss from your inbox where you are mentioned in a thread.",
        },
        "cli.notify.commands": {
            "notify": "Channels that tell you what waits for you, and a test of one.",
        },
        "cli.approvals.approvals": {
            "approve": "Approve a plan, an amendment, or a task at its gate.",
            "reject": "Reject a plan, an amendment, or a task at its gate, with feedback.",
        },
        "cli.approvals.suggestions": {
            "apply": "Edit lines of the work at a gate yourself; the result is verified again.",
        },
        "cli.approvals.taking": {
            "take": "Take one candidate of a best-of task; the others are stopped.",
            "put-together": "Add a candidate: one candidate's work with files of others, verified like any other.",
            "add-candidate": "Add an agent to a best-of task.",
        },
        "cli.approvals.questions": {
            "allow": "Allow what an agent asks permission for.",
            "deny": "Deny what an agent asks permission for; its turn continues.",
            "decide": "Answer a decision of the plan, or one that an agent asks for.",
            "forget": "Forget a remembered answer; you are asked again.",
        },
    },
    "Tasks and sessions": {
        "cli.threads.control": {
            "abort": "Abort a task; tasks that depend on it are blocked until it is retried.",
            "retry": "Run a failed, cancelled or blocked task again in a new session.",
        },
        "cli.tasks.agents": {
            "skip-wait": "Continue a turn now that is waiting for its provider's limit.",
            "switch-agent": "Switch a task or session to another agent, model or option.",
            "open-session": "Open another session in a thread, or in a task's worktree.",
            "options": "List the modes, models and other options of a thread's agents.",
        },
        "cli.tasks.terminals": {
            "terminals": "List terminals of a thread or task, or show the output of one.",
            "ports": "List the ports of a thread's tasks.",
        },
        "cli.tasks.services": {
            "services": "Services of a task's workspace: see how they stand, start, stop and read them.",
        },
        "cli.tasks.files": {
            "files": 'Find files by name, to mention in a message: `treadle say T "read @FILE"`.',
        },
    },
    "Changes": {
        "cli.tasks.diff": {
            "diff": "Show the changes of a thread, a task or a session as a patch.",
        },
        "cli.threads.merge": {
            "merge": "Merge a thread's branch into the branch it started from.",
            "merge-session": "Merge the latest changes of a chat session into the thread's branch.",
        },
        "cli.threads.update_branch": {
            "update-branch": "Fetch the base of a thread's branch, and merge or rebase what is new.",
        },
        "cli.threads.publish": {
            "publish": "Push a thread's branch and open a pull request; or look at that pull request, merge it, and so on.",
            "resolve": "Choose how to resolve the merge conflict of a task or of a chat session.",
        },
        "cli.reports.receipts": {
            "receipt": "Get the signed receipt of what a thread published: what was proven of that tree.",
            "verify": "Verify a receipt offline, and whether it is of what a repository has.",
        },
        "cli.repositories": {
            "trust": "Review changed git metadata of a repository and trust it.",
        },
    },
    "Plans, flows, agents and the queue": {
        "cli.threads.plan": {
            "plan": "Start, review and control plans.",
        },
        "cli.plans.amendments": {
            "amend": "Change a running plan, by your own changes or with a planner.",
            "amendments": "Show the amendments and versions of a plan.",
        },
        "cli.plans.plan_files": {
            "plan-files": "List, print or export the plan files of a thread.",
        },
        "cli.plans.templates": {
            "template": "Plan templates: the conventions that every plan of a project starts from.",
        },
        "cli.recipes.recipes": {
            "workspace": "Workspace recipes: how the workspaces of a repository are set up.",
        },
        "cli.flows.runs": {
            "flow": "Flows: sequences of steps from a file, carried out by agents.",
        },
        "cli.queue.workflows": {
            "workflow": "Workflow templates: related goals that are queued together.",
        },
        "cli.queue.schedules": {
            "schedule": "Schedules: goals and flows that are queued at set times.",
        },
        "cli.queue.entries": {
            "queue": "The queue: waiting work, and how much runs at once.",
        },
        "cli.agents.commands": {
            "agents": "Agents: list, install, test and trust them.",
        },
        "cli.hosts.hosts": {
            "hosts": "Hosts: list them, join, and say which get work.",
        },
        "cli.mcp.command": {
            "mcp": "Serve MCP, so that editors and other agents can propose, queue, read, wait and comment.",
        },
        "cli.reports.report": {
            "report": "Report outcomes, durations, waits, failures and costs.",
        },
        "cli.learnings.commands": {
            "learnings": "Learnings: list, keep, remove and promote what tasks learned.",
        },
        "cli.money.money": {
            "money": "Money: this month's cost and spending limits.",
        },
        "cli.trackers.trackers": {
            "tracker": "Trackers: issues that become work.",
        },
        "cli.webhooks.webhooks": {
            "webhooks": "Webhooks: see what they brought, and try one.",
        },
        "cli.people.audit": {
            "audit": "The audit log: who did what, from where.",
        },
        "cli.people.people": {
            "people": "People who sign in: invite them, revoke them.",
        },
        "cli.people.passkeys": {
            "passkeys": "Your passkeys, where people sign in with them.",
        },
        "cli.people.signing_in": {
            "login": "Sign in at a team's server; commands then talk to it, until `treadle logout`.",
            "logout": "Sign out of a team's server: revoke the token of `treadle login`, and forget it.",
        },
        "cli.people.tokens": {
            "tokens": "Personal access tokens for the API and the command line.",
        },
        "cli.acp.command": {
            "acp": "Serve an editor over the Agent Client Protocol, on stdin and stdout.",
        },
        "cli.browser": {
            "open": "Print a link that signs in one browser, or open a worktree in an editor.",
        },
    },
}
"""The summary of each command, by the heading and the module that it is in."""

COMMANDS = {
    name: Lazy(module, summary, panel)
    for panel, modules in LISTED.items()
    for module, commands in modules.items()
    for name, summary in commands.items()
}
COMMANDS["host"] = Lazy("cli.hosts.hosts", COMMANDS["hosts"].summary, is_hidden=True, group="hosts")
COMMANDS["ls"] = Lazy("cli.threads.list", COMMANDS["threads"].summary, is_hidden=True)


class Commands(LazyGroup):
    """The commands that speak REST."""

    lazy: Mapping[str, Lazy] = COMMANDS


def root(group: type[LazyGroup]) -> typer.Typer:
    """Return the command line of a group."""
    made = typer.Typer(
        name="treadle",
        cls=group,
        no_args_is_help=True,
        add_completion=True,
        epilog="`treadle --version` prints the version.",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @made.callback()
    def treadle() -> None:  # pyright: ignore[reportUnusedFunction]  (its help)
        """Plan, run, verify and approve the work of coding agents, durably."""

    return made


app: typer.Typer = root(Commands)
