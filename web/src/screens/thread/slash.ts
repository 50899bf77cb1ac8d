/** The slash commands of a thread. */

import { Problem } from "@/api/client";
import type { SlashCommand } from "@/conversation/composer/slash";
import type { AgentCommand } from "@/conversation/projection/items";
import { stopTurn } from "@/conversation/transcript/commands";
import * as threads from "@/screens/thread/commands";
import * as steer from "@/screens/thread/steering";
import * as tasks from "@/tasks/commands";

/** What the commands of a thread act on. */
export interface Ground {
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

function onOff(argument: string): boolean {
  if (argument !== "on" && argument !== "off") {
    throw new Problem("invalid", "Not sent", "add “on” or “off” after the command");
  }
  return argument === "on";
}

/** Return the commands of a thread, those of its agent behind them. */
export function commandsOf(
  ground: Ground,
  agents: readonly AgentCommand[],
): readonly SlashCommand[] {
  const own = [...planCommands(ground), ...threadCommands(ground)];
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

function planCommands(ground: Ground): readonly SlashCommand[] {
  const { thread, hashOf, showPanel } = ground;
  const plainly =
    (what: threads.PlainCommand): Run =>
    (id) =>
      report(threads.plain(id, thread, what));
  const decide: Run = (id, argument) => {
    const [name = "", ...labels] = needed("the decision's ID and your choice", argument).split(
      /\s+/,
    );
    const decision = { id: name, content_hash: hashOf(name) };
    return report(steer.decide(id, thread, decision, labels.join(" ").replaceAll('"', "")));
  };
  const retry: Run = (id, task) => report(tasks.retry(id, thread, needed("the task's ID", task)));
  const auto: Run = (id, argument) => report(steer.auto(id, thread, onOff(argument)));
  const status: Run = () => {
    showPanel("table");
    return steer.planStatus(thread);
  };
  return [
    {
      name: "/plan",
      argument: "GOAL",
      description: "Plan a goal; without one, the thread's goal",
      run: (id, goal) => report(steer.plan(id, thread, goal)),
    },
    { name: "/plan status", argument: "", description: "Show the plan's status", run: status },
    {
      name: "/plan pause",
      argument: "",
      description: "Start no new tasks; running tasks finish",
      run: plainly("pause"),
    },
    {
      name: "/plan resume",
      argument: "",
      description: "Resume starting tasks",
      run: plainly("resume"),
    },
    {
      name: "/plan cancel",
      argument: "",
      description: "End the plan permanently; running tasks are aborted",
      run: plainly("cancel"),
    },
    {
      name: "/plan auto",
      argument: "on|off",
      description: "Turn automatic plan approval on or off",
      run: auto,
    },
    {
      name: "/plan decide",
      argument: "ID CHOICE",
      description: "Make a pending decision",
      run: decide,
    },
    { name: "/plan retry", argument: "TASK", description: "Retry a task", run: retry },
    {
      name: "/auto",
      argument: "on|off",
      description: "Turn automatic plan approval on or off",
      run: auto,
    },
    {
      name: "/pause",
      argument: "",
      description: "Start no new tasks; running tasks finish",
      run: plainly("pause"),
    },
    { name: "/resume", argument: "", description: "Resume starting tasks", run: plainly("resume") },
    { name: "/retry", argument: "TASK", description: "Retry a task", run: retry },
    {
      name: "/abort",
      argument: "TASK",
      description: "Abort a task; its work is saved at a checkpoint",
      run: (id, task) => report(steer.abort(id, thread, needed("the task's ID", task))),
    },
    {
      name: "/amend",
      argument: "TEXT",
      description: "Request a change to the running plan",
      run: (id, text) => report(steer.amend(id, thread, needed("what should change", text))),
    },
  ];
}

function threadCommands(ground: Ground): readonly SlashCommand[] {
  const { thread, session, number, position, go } = ground;
  const open: Run = async (id, argument) => {
    const [agent, model] = argument.split(/\s+/);
    return report(
      threads.openSession(id, thread, { ...(agent ? { agent } : {}), ...(model ? { model } : {}) }),
    );
  };
  const fork: Run = async (id) => {
    const opened = await threads.fork(id, thread, position(), session);
    go(`/threads/${opened.thread_id}`);
    return opened.message;
  };
  const change: Run = (id, argument) => {
    const [agent = "", model] = needed("the agent, and optionally its model", argument).split(
      /\s+/,
    );
    return report(
      threads.switchAgent(id, thread, number, { agent, model: model ?? null, options: {} }),
    );
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
      run: (id) => report(threads.keep(id, thread, number)),
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
      run: (id, topic) => report(threads.rename(id, thread, needed("the new name", topic))),
    },
    {
      name: "/archive",
      argument: "",
      description: "Archive the thread",
      run: (id) => report(threads.plain(id, thread, "archive")),
    },
  ];
}
