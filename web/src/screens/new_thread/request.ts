/** What is wished of a new thread, as it is typed and as the API takes it; pure. */

import type { Schemas } from "@/api/client";

/** An agent that plans beside the thread's own. */
export interface Rival {
  readonly agent: string;
  readonly model: string;
}

/** What was typed. */
export interface Wish {
  readonly goal: string;
  readonly repository: string;
  readonly agent: string;
  readonly model: string;
  readonly options: Readonly<Record<string, string | boolean>>;
  readonly template: string;
  readonly isPlanned: boolean;
  readonly rivals: readonly Rival[];
  /** Empty is as the engine is set. */
  readonly planFiles: "" | "yes" | "no";
  readonly autoRun: "" | "yes" | "no";
  /** Null is as the engine is set. */
  readonly parallel: number | null;
  readonly priority: number;
}

/** Nothing typed yet. */
export const NO_WISH: Wish = {
  goal: "",
  repository: "",
  agent: "",
  model: "",
  options: {},
  template: "",
  isPlanned: true,
  rivals: [],
  planFiles: "",
  autoRun: "",
  parallel: null,
  priority: 3,
};

/** Read a kept draft; what does not fit is left out. */
export function wishOf(text: string): Wish {
  if (text === "") {
    return NO_WISH;
  }
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null ? { ...NO_WISH, ...found } : NO_WISH;
  } catch {
    return NO_WISH;
  }
}

/** Tell what is missing, by field; nothing where it can be sent. */
export function missingIn(wish: Wish): Readonly<Record<string, string>> {
  return {
    ...(wish.goal.trim() === "" ? { goal: "Enter a goal." } : {}),
    ...(wish.repository.trim() === "" ? { repository: "Choose a repository." } : {}),
  };
}

function said(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}

function switched(choice: "" | "yes" | "no"): boolean | null {
  return choice === "" ? null : choice === "yes";
}

/** Return the thread to open, without its command id. */
export function threadOf(wish: Wish): Omit<Schemas["ThreadBody"], "command_id"> {
  return {
    repository: wish.repository.trim(),
    goal: wish.goal.trim(),
    agent: said(wish.agent),
    model: said(wish.model),
    options: { ...wish.options },
    template: said(wish.template),
    is_planned: wish.isPlanned,
    plan_files: switched(wish.planFiles),
    max_parallel_tasks: wish.parallel,
    planner: wish.isPlanned ? { auto_run: switched(wish.autoRun) } : {},
  };
}

const FIELDS: Readonly<Record<string, string>> = {
  unusable_repository: "repository",
  repository_not_trusted: "repository",
  unknown_agent: "agent",
  agent_not_trusted: "agent",
  invalid_profile: "agent",
  unknown_template: "template",
  invalid_template: "template",
  template_not_trusted: "template",
  max_parallel_tasks: "parallel",
  plan_files: "planFiles",
};

const KNOWN = new Set(["goal", "repository", "agent", "model", "options", "template"]);

/** Return the field of the form that a refusal means; empty where it means the whole. */
export function fieldOf(type: string, field: string | undefined): string {
  const named = (field ?? "").replace(/^items\.\d+\./, "").split(".")[0] ?? "";
  return KNOWN.has(named) ? named : (FIELDS[named] ?? FIELDS[type] ?? "");
}
