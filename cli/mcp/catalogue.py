"""All tools. None of them approves, answers, merges, publishes or changes a setting."""

from cli.mcp import answers, arguments, proposals, readings, waiting
from cli.mcp.tool import Tool

TOOLS: tuple[Tool, ...] = (
    Tool(
        "propose_thread",
        "Propose a thread",
        "Open a thread on a git repository: agents plan and carry out a goal, in worktrees of their own. "
        "A person approves its plan, what its tasks changed, and every merge. Returns the thread's id.",
        arguments.Proposal,
        answers.Opened,
        proposals.propose_thread,
        is_reading=False,
    ),
    Tool(
        "queue_thread",
        "Queue a thread",
        "Add a goal to the queue, which opens its thread once there is room and everything in `after` is done.",
        arguments.Entry,
        answers.Queued,
        proposals.queue_thread,
        is_reading=False,
    ),
    Tool(
        "list_threads",
        "List threads",
        "List threads, most recently changed first; filter by words, status or repository.",
        arguments.Search,
        answers.ThreadPage,
        readings.list_threads,
    ),
    Tool(
        "get_thread",
        "Read a thread",
        "Read the state of a thread: its plan, its tasks, and what a person is asked.",
        arguments.OfThread,
        answers.ThreadState,
        readings.get_thread,
    ),
    Tool(
        "get_task",
        "Read a task",
        "Read what a task of a thread is to do, what it reports, and its newest verification, step by step.",
        arguments.OfTask,
        answers.TaskState,
        readings.get_task,
    ),
    Tool(
        "read_diff",
        "Read a diff",
        "Read what a task, or the whole branch of a thread, changed, as a patch in pieces.",
        arguments.OfDiff,
        answers.Part,
        readings.read_diff,
    ),
    Tool(
        "read_events",
        "Read events",
        "Read what happened in a thread, and what agents and people said, in pages.",
        arguments.OfEvents,
        answers.EventPage,
        readings.read_events,
    ),
    Tool(
        "wait_for_thread",
        "Wait for a thread",
        "Wait until a person is needed, a task has ended, no agent is working, or the thread is over. "
        "Cancelling the call only ends the wait. After a timeout, call it again.",
        arguments.Wait,
        answers.Waited,
        act_long=waiting.wait_for_thread,
    ),
    Tool(
        "send_message",
        "Send a message",
        "Send a message to the agent of a thread or of one of its tasks. The agent is told that it "
        "comes from a program and approves nothing.",
        arguments.Message,
        answers.Said,
        proposals.send_message,
        is_reading=False,
    ),
    Tool(
        "comment_on_line",
        "Comment on a line",
        "Send a task's agent a comment on a line of its diff, while it works. At its gate only a person can "
        "send the task back: give them your comment.",
        arguments.Comment,
        answers.Said,
        proposals.comment_on_line,
        is_reading=False,
    ),
    Tool(
        "get_queue",
        "Read the queue",
        "Read what is in the queue, and why it waits.",
        arguments.Nothing,
        answers.QueueState,
        readings.get_queue,
    ),
    Tool(
        "list_choices",
        "List agents and templates",
        "List the agents and plan templates that a proposal can name.",
        arguments.Choices,
        answers.ChoiceList,
        readings.list_choices,
    ),
)

BY_NAME = {tool.name: tool for tool in TOOLS}
