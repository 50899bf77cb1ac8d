/** The slash commands of a thread. */

import { get, Problem, post } from "@/api/client";
import * as threads from "@/api/thread_commands";
import type { SlashCommand } from "@/conversation/composer/slash";
import type { AgentCommand } from "@/conversation/projection/items";
import { stopTurn } from "@/conversation/transcript/commands";
import { mergeSession, openSession, switchAgent } from "@/screens/thread/commands";

/** What the commands of a thread act on. */
export interface CommandContext {
  readonly thread: string;
  /** The session whose composer it is. */
  readonly session: string;
  readonly number: number;
  /** The newest position of the journal that the page knows. */
  readonly position: () => number;
  /** The hash of a decision as the page shows it; empty where it shows none. */
  readonly hashOf: (decision: string) => string;
  readonly go: (address: string) => void;
  readonly showPanel: (panel: string) => void;
}

type Run = NonNullable<SlashCommand["run"]>;

function report(answer: Promise<{ readonly message: string }>): Promise<string> {
  return answer.then(({ message }) => message);
}

function needed(what: string, argument: string): string {
  if (argument === "") {
    throw new Problem("invalid", "Not sent", `add ${what} after the command`);
  }
  return argument;
}

/** Return the hash that an answer is bound to: of what the page shows, or of what the answer says was shown. */
function boundTo(hash: string, said = ""): string {
  return hash.startsWith(said) ? hash : said;
}

function onOff(argument: string): boolean {
  if (argument !== "on" && argument !== "off") {
    throw new Problem("invalid", "Not sent", "add “on” or “off” after the command");
  }
  return argument === "on";
}

function numberOrOff(argument: string): number {
  if (argument !== "off" && !/^\d{1,4}$/.test(argument)) {
    throw new Problem("invalid", "Not sent", "add a number or “off” after the command");
  }
  return argument === "off" ? 0 : Number(argument);
}

/** Return the commands of a thread, those of its agent behind them. */
export function commandsOf(
  context: CommandContext,
  agents: readonly AgentCommand[],
): readonly SlashCommand[] {
  const own = [...planCommands(context), ...threadCommands(context)];
  const names = new Set(own.map(({ name }) => name));
  const others = agents
    .map(({ name, description, hint }) => ({
      name: `/${name.replace(/^\//, "")}`,
      argument: hint === "" ? "…" : hint,
      description,
    }))
    .filter(({ name }) => !names.has(name));
  return [...own, ...others];
}

function planCommands(context: CommandContext): readonly SlashCommand[] {
  const { thread, session, hashOf, showPanel } = context;
  const plainly =
    (command: threads.ThreadCommand): Run =>
    (id) =>
      report(threads.commandThread(id, thread, command));
  const plan: Run = (command_id, goal) =>
    report(
      post(
        "/v1/threads/{thread}/plans",
        { thread },
        { command_id, goal: goal === "" ? null : goal, session_id: session, rivals: [] },
      ),
    );
  const decide: Run = (command_id, argument) => {
    const said = needed("the decision's ID and your choice", argument).trim();
    const shown = /\s#([0-9a-f]{8,64})$/.exec(said);
    const [decision = "", ...labels] = said.slice(0, shown?.index).split(/\s+/);
    const selections = labels.join(" ").replaceAll('"', "");
    return report(
      post(
        "/v1/threads/{thread}/decisions/{decision}",
        { thread, decision },
        { command_id, selections, content_hash: boundTo(hashOf(decision), shown?.[1]) },
      ),
    );
  };
  const status: Run = () => {
    showPanel("table");
    return get("/v1/threads/{thread}/plan-status", { path: { thread } }).then(({ text }) => text);
  };
  const abort: Run = (id, task) =>
    report(threads.commandTask(id, thread, needed("the task's ID", task), "abort"));
  const amend: Run = (id, text) =>
    report(threads.requestAmendment(id, thread, needed("what should change", text)));
  const steering: readonly SlashCommand[] = [
    {
      name: "/pause",
      argument: "",
      description: "Start no new tasks; running tasks finish",
      run: plainly("pause"),
    },
    { name: "/resume", argument: "", description: "Resume starting tasks", run: plainly("resume") },
    {
      name: "/auto",
      argument: "on|off",
      description: "Turn automatic plan approval on or off",
      run: (id, argument) => report(threads.setAutoApproval(id, thread, onOff(argument))),
    },
    {
      name: "/turns",
      argument: "NUMBER|off",
      description: "How many more turns the agent may take without a message",
      run: (id, argument) => report(threads.setOwnTurns(id, thread, numberOrOff(argument))),
    },
    {
      name: "/retry",
      argument: "TASK",
      description: "Retry a task",
      run: (id, task) => report(threads.retryTask(id, thread, needed("the task's ID", task))),
    },
  ];
  return [
    {
      name: "/plan",
      argument: "GOAL",
      description: "Plan a goal; without one, the thread's goal",
      run: plan,
    },
    { name: "/plan status", argument: "", description: "Show the plan's status", run: status },
    {
      name: "/plan cancel",
      argument: "",
      description: "End the plan permanently; running tasks are aborted",
      run: plainly("cancel"),
    },
    {
      name: "/plan decide",
      argument: "ID CHOICE",
      description: "Make a pending decision",
      run: decide,
    },
    ...steering.map((command) => ({ ...command, name: `/plan ${command.name.slice(1)}` })),
    ...steering,
    {
      name: "/abort",
      argument: "TASK",
      description: "Abort a task; its work is saved at a checkpoint",
      run: abort,
    },
    {
      name: "/amend",
      argument: "TEXT",
      description: "Request a change to the running plan",
      run: amend,
    },
  ];
}

function threadCommands(context: CommandContext): readonly SlashCommand[] {
  const { thread, session, number, position, go } = context;
  const open: Run = async (id, argument) => {
    const [agent, model] = argument.split(/\s+/);
    return report(
      openSession(id, thread, { ...(agent ? { agent } : {}), ...(model ? { model } : {}) }),
    );
  };
  const fork: Run = async (id) => {
    const moment = { position: position(), stream: session };
    const opened = await post(
      "/v1/threads/{thread}/forks",
      { thread },
      { command_id: id, ...moment },
    );
    go(`/threads/${opened.thread_id}`);
    return opened.message;
  };
  const change: Run = (id, argument) => {
    const [agent = "", model] = needed("the agent, and optionally its model", argument).split(
      /\s+/,
    );
    return report(switchAgent(id, thread, number, { agent, model: model ?? null, options: {} }));
  };
  return [
    {
      name: "/stop",
      argument: "",
      description: "Stop the turn; its work is kept",
      run: (id) => report(stopTurn(id, session)),
    },
    { name: "/session", argument: "AGENT MODEL", description: "Open a new session", run: open },
    {
      name: "/switch",
      argument: "AGENT MODEL",
      description: "Switch this session's agent, with a fresh context",
      run: change,
    },
    {
      name: "/keep",
      argument: "",
      description: "Merge this session's changes into the thread's branch",
      run: (id) => report(mergeSession(id, thread, number)),
    },
    {
      name: "/fork",
      argument: "",
      description: "Fork a new thread from the current files",
      run: fork,
    },
    {
      name: "/rename",
      argument: "TOPIC",
      description: "Rename the thread",
      run: (id, topic) => report(threads.renameThread(id, thread, needed("the new name", topic))),
    },
    {
      name: "/archive",
      argument: "",
      description: "Archive the thread",
      run: (id) => report(threads.commandThread(id, thread, "archive")),
    },
  ];
}
