/** What is wished of a new thread, as it is typed and as the API takes it; pure. */

import type { Problem, Schemas } from "@/api/client";
import { isSlash } from "../../conversation/composer/slash.ts";
import { labelsOf } from "../../ui/labels.ts";

/** An agent that plans beside the thread's own. */
export interface AdditionalPlanner {
  readonly agent: string;
  readonly model: string;
}

/** A session of the agent that the thread goes on with. */
export interface ContinuedSession {
  readonly agent_session: string;
  readonly title: string;
}

/** What was typed. */
export interface ThreadRequest {
  readonly goal: string;
  readonly repository: string;
  /** The paths of other repositories; empty ones are left out. */
  readonly also: readonly string[];
  readonly agent: string;
  readonly model: string;
  readonly options: Readonly<Record<string, string | boolean>>;
  readonly template: string;
  readonly planners: readonly AdditionalPlanner[];
  /** Agents that do each task at once, as `AGENT` or `AGENT:MODEL` with commas between; empty is by one. */
  readonly bestOf: string;
  readonly bestOfEnds: "all" | "first_passed";
  /** Empty is as the engine is set. */
  readonly planFiles: "" | "yes" | "no";
  readonly autoRun: "" | "yes" | "no";
  /** Null is as the engine is set. */
  readonly parallel: number | null;
  /** What the thread may cost, in US dollars. */
  readonly maxUsd: number | null;
  readonly priority: number;
  /** Empty is any that can do it. */
  readonly host: string;
  /** Labels that the host must have, as they are typed. */
  readonly labels: string;
  readonly continues: ContinuedSession | null;
}

/** Nothing typed yet. */
export const EMPTY_REQUEST: ThreadRequest = {
  goal: "",
  repository: "",
  also: [],
  agent: "",
  model: "",
  options: {},
  template: "",
  planners: [],
  bestOf: "",
  bestOfEnds: "all",
  planFiles: "",
  autoRun: "",
  parallel: null,
  maxUsd: null,
  priority: 3,
  host: "",
  labels: "",
  continues: null,
};

/** Read what a kept draft has: the fields that somebody changed, cleared ones too. */
export function draftOf(text: string): Partial<ThreadRequest> {
  try {
    const found: unknown = JSON.parse(text === "" ? "{}" : text);
    return typeof found === "object" && found !== null ? (found as Partial<ThreadRequest>) : {};
  } catch {
    return {};
  }
}

/** Return what an address says of a draft, and the address without it; null where it says nothing. */
export function takenFrom(
  search: URLSearchParams,
): { readonly draft: Partial<ThreadRequest>; readonly rest: URLSearchParams } | null {
  const rest = new URLSearchParams(search);
  const draft: { goal?: string; repository?: string } = {};
  for (const name of ["goal", "repository"] as const) {
    const value = search.get(name);
    if (value !== null) {
      draft[name] = value;
      rest.delete(name);
    }
  }
  return Object.keys(draft).length === 0 ? null : { draft, rest };
}

/** Return a draft as a whole request; what is suggested is taken until somebody changes it. */
export function requestOf(text: string, repository = "", agent = ""): ThreadRequest {
  return { ...EMPTY_REQUEST, repository, agent, ...draftOf(text) };
}

/** Say what of the further options differs from how a thread is by default, in a few words each. */
export function changedIn(request: ThreadRequest): readonly string[] {
  const { model, options, also, planners, template, host, labels, parallel, priority } = request;
  const counts = (count: number, noun: string) => `${count} more ${noun}${count === 1 ? "" : "s"}`;
  return [
    model.trim(),
    ...Object.entries(options).map(([name, value]) => `${name}=${value}`),
    also.length > 0 ? counts(also.length, "folder") : "",
    planners.length > 0 ? counts(planners.length, "planner") : "",
    template === "" ? "" : "another template",
    host === "" && labels === "" ? "" : "a host",
    parallel === null ? "" : `${parallel} parallel`,
    priority === EMPTY_REQUEST.priority ? "" : `priority ${priority}`,
    request.maxUsd === null ? "" : `at most $${request.maxUsd}`,
    request.bestOf.trim() === "" ? "" : `best of ${request.bestOf.trim()}`,
    request.autoRun === "" ? "" : "auto-approval",
    request.planFiles === "" ? "" : "plan files",
  ].filter((words) => words !== "");
}

/** Tell what is missing or mistyped, by field; nothing where it can be sent. */
export function missingIn(request: ThreadRequest): Readonly<Record<string, string>> {
  const isEmpty = request.goal.trim().replace(/^\/plan$/, "") === "";
  return {
    ...(isEmpty ? { goal: "Enter a message." } : commandProblem(request.goal)),
    ...(request.repository.trim() === "" ? { repository: "Choose a repository." } : {}),
    ...(isMoreThanChat(request) ? { continues: CHAT_ALONE } : {}),
  };
}

const CHAT_ALONE =
  "A session continues as a chat in one repository. Remove /plan, additional planners, best of and other repositories, or start a new session.";

/** Tell whether a session is to be continued with what only a new thread can have. */
function isMoreThanChat(request: ThreadRequest): boolean {
  const isBeside = request.also.some((path) => path.trim() !== "");
  return request.continues !== null && (asksForPlan(request) || isBeside);
}

/** Say that a message begins with a command that is none of ours; a space before it sends it all the same. */
function commandProblem(goal: string): Readonly<Record<string, string>> {
  const [name = ""] = goal.split(/\s/, 1);
  return isSlash(goal) && name !== "/plan"
    ? { goal: `Unknown command ${name}. Put a space before it to send it to the agent as text.` }
    : {};
}

/** Tell whether a repository is named by a URL: this machine has no files of it to look at yet. */
export function isUrl(repository: string): boolean {
  return /^([a-z][a-z0-9+.-]*:\/\/|[\w.-]+@[\w.-]+:)/i.test(repository.trim());
}

function optional(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}

function switched(choice: "" | "yes" | "no"): boolean | null {
  return choice === "" ? null : choice === "yes";
}

const PLAN = /^\/plan\s+/;

/** Tell whether the text asks for a plan, as in the box of a thread. */
export function asksForPlan(form: ThreadRequest): boolean {
  const isByRequest = PLAN.test(form.goal.trimStart());
  return isByRequest || form.planners.length > 0 || bestOfOf(form) !== null;
}

/** Return the thread to open, without its command id; planned at once, or a chat. */
export function threadOf(
  form: ThreadRequest,
  isPlanned: boolean,
): Omit<Schemas["ThreadBody"], "command_id"> {
  return {
    repository: form.repository.trim(),
    also: form.also.map((path) => path.trim()).filter((path) => path !== ""),
    goal: form.goal.trim().replace(PLAN, ""),
    agent: optional(form.agent),
    model: optional(form.model),
    options: { ...form.options },
    template: optional(form.template),
    best_of: bestOfOf(form),
    is_planned: isPlanned,
    plan_files: switched(form.planFiles),
    max_parallel_tasks: form.parallel,
    planner: {
      auto_run: switched(form.autoRun),
      ...(form.maxUsd === null ? {} : { max_thread_usd: form.maxUsd }),
    },
    host: form.host,
    labels: labelsOf(form.labels),
    attachments: [],
    continues: form.continues,
  };
}

/** Return the agents that do each task at once; null where it is done by one. */
function bestOfOf({ bestOf, bestOfEnds }: ThreadRequest): Schemas["BestOfBody"] | null {
  const agents = bestOf
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return agents.length === 0 ? null : { agents, ends: bestOfEnds, judge: "" };
}

const FIELDS: Readonly<Record<string, string>> = {
  unusable_repository: "repository",
  invalid_repository_url: "repository",
  unknown_ref: "repository",
  repository_access_refused: "repository",
  repository_unreachable: "repository",
  repository_not_trusted: "repository",
  recipe_not_trusted: "repository",
  invalid_recipe: "repository",
  unknown_agent: "agent",
  agent_not_trusted: "agent",
  invalid_profile: "agent",
  unknown_template: "template",
  invalid_template: "template",
  template_not_trusted: "template",
  max_parallel_tasks: "parallel",
  plan_files: "planFiles",
  best_of: "bestOf",
  continues: "continues",
  priority: "priority",
  "planner.max_thread_usd": "maxUsd",
  "planner.auto_run": "autoRun",
  no_host: "host",
  unknown_host: "host",
  host: "host",
  labels: "host",
};

const KNOWN = new Set(["goal", "repository", "also", "agent", "model", "options", "template"]);

/** Return the field of the form that a refusal means; empty where it means the whole. */
export function fieldOf(type: string, field: string | undefined): string {
  const path = (field ?? "").replace(/^items\.\d+\./, "");
  const [named = ""] = path.split(".");
  return KNOWN.has(named) ? named : (FIELDS[path] ?? FIELDS[named] ?? FIELDS[type] ?? "");
}

type Refusal = Pick<Problem, "type" | "detail" | "field" | "hint" | "errors">;

/**
 * Return what was refused, by the field that it means; what means none is not in it, and is told of the whole.
 *
 * What names another repository is told there.
 */
export function refusalOf(
  problem: Refusal | null,
  { repository, also }: Pick<ThreadRequest, "repository" | "also">,
): Readonly<Record<string, string>> {
  if (problem === null) {
    return {};
  }
  if (problem.errors.length > 0) {
    const named = problem.errors.map(
      ({ field, detail }) => [fieldOf(problem.type, field), detail] as const,
    );
    return named.some(([field]) => field === "") ? {} : Object.fromEntries(named);
  }
  const known = fieldOf(problem.type, problem.field);
  const { detail } = problem;
  const isOther = !isNamed(repository, detail) && also.some((path) => isNamed(path, detail));
  const field = known === "repository" && isOther ? "also" : known;
  const words = [detail, problem.hint].filter((part) => part).join(" · ");
  return field === "" ? {} : { [field]: words };
}

/** Tell whether a refusal names a folder; of a long one it has the beginning. */
function isNamed(path: string, detail: string): boolean {
  const isWhole = [" ", ":", ","].some((end) => `${detail} `.includes(`${path}${end}`));
  const [shown = ""] = detail.split(/…| /);
  return path !== "" && (isWhole || (detail.includes("…") && path.startsWith(shown)));
}
