/** Queries of agents, templates, flows, queue, schedules, report. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { get, Problem } from "@/api/client";
import { useMe, useThreads, useTopicRefresh } from "@/api/queries";
import { roleIn, SERVER } from "@/api/roles";

/** What has no topic of the stream is fetched again when the window is looked at. */
export const ON_FOCUS = { refetchOnWindowFocus: true, staleTime: 5_000 } as const;

function asked(repository: string): { repository?: string } {
  return repository === "" ? {} : { repository };
}

/** Whose files are asked for or changed; an empty host is the first that has them. */
export function ofHost(host: string): { host?: string } {
  return host === "" ? {} : { host };
}

/** Return what a query failed with as a Problem, for `Failure`; null where it did not fail. */
export function problemOf(error: unknown): Problem | null {
  if (error === null || error === undefined) {
    return null;
  }
  return error instanceof Problem
    ? error
    : new Problem("defect", "Unexpected error", String(error));
}

const HEALTH_MS = 3_000;

/** What works of the engine; asked again every 3 s, as nothing else tells of it. */
export function useHealth() {
  return useQuery({
    queryKey: ["health"],
    queryFn: () => get("/v1/health"),
    refetchInterval: HEALTH_MS,
    staleTime: HEALTH_MS,
  });
}

/** Whether there is a Web UI of Temporal to open; it is set when the engine starts. */
export function useTemporal(): boolean {
  const query = useQuery({
    queryKey: ["temporal"],
    queryFn: () => get("/v1/temporal"),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (query.data?.url ?? null) !== null;
}

/** All agents, with what each still needs; those of a repository too, where one is named. */
export function useAgents(repository = "", host = "") {
  return useQuery({
    queryKey: ["agents", "all", repository, host],
    queryFn: () => get("/v1/agents", { query: { ...asked(repository), ...ofHost(host) } }),
    placeholderData: keepPreviousData,
    ...ON_FOCUS,
  });
}

/** One agent: how it is started, what it was seen to do, what it still needs. */
export function useAgent(name: string, repository = "", host = "") {
  const query = { ...asked(repository), ...ofHost(host) };
  return useQuery({
    queryKey: ["agents", "one", name, repository, host],
    queryFn: () => get("/v1/agents/{name}", { path: { name }, query }),
    enabled: name !== "",
    ...ON_FOCUS,
  });
}

/** What planners are told that were not in a thread's chat. */
export function usePlannerContext(thread: string) {
  return useQuery({
    queryKey: ["planner-context", thread],
    queryFn: () => get("/v1/threads/{thread}/plans/context", { path: { thread } }),
    staleTime: 0,
  });
}

/** Plan templates of the person, the built-in ones, and those of a repository. */
export function useTemplates(repository = "", host = "") {
  return useQuery({
    queryKey: ["templates", "all", repository, host],
    queryFn: () => get("/v1/templates", { query: { ...asked(repository), ...ofHost(host) } }),
    placeholderData: keepPreviousData,
    ...ON_FOCUS,
  });
}

/** One plan template with its fields and its text. */
export function useTemplate(choice: string, repository = "", host = "") {
  const query = { ...asked(repository), ...ofHost(host) };
  return useQuery({
    queryKey: ["templates", "one", choice, repository, host],
    queryFn: () => get("/v1/templates/{choice}", { path: { choice }, query }),
    enabled: choice !== "",
    ...ON_FOCUS,
  });
}

/** Templates of whole workflows: several goals that enter the queue together. */
export function useWorkflowTemplates(repository = "") {
  return useQuery({
    queryKey: ["workflow-templates", repository],
    queryFn: () => get("/v1/workflow-templates", { query: asked(repository) }),
    placeholderData: keepPreviousData,
    ...ON_FOCUS,
  });
}

/** Flows of the person, the built-in ones, and those of a repository; broken ones as well. */
export function useFlows(repository = "") {
  return useQuery({
    queryKey: ["flows", "all", repository],
    queryFn: () => get("/v1/flows", { query: asked(repository) }),
    placeholderData: keepPreviousData,
    ...ON_FOCUS,
  });
}

/** One flow with its steps, or with what is wrong in it. */
export function useFlow(name: string, repository = "") {
  return useQuery({
    queryKey: ["flows", "one", name, repository],
    queryFn: () => get("/v1/flows/{name}", { path: { name }, query: asked(repository) }),
    enabled: name !== "",
    ...ON_FOCUS,
  });
}

/** What a list of flow runs is narrowed by. */
export interface RunFilters {
  readonly flow?: string;
  readonly project?: string;
  readonly archived?: boolean;
}

/** Runs of flows, the latest changed first. */
export function useFlowRuns(filters: RunFilters = {}) {
  const query = useQuery({
    queryKey: ["flow-runs", filters],
    queryFn: () => get("/v1/flow-runs", { query: { ...filters, limit: 100 } }),
    placeholderData: keepPreviousData,
    ...ON_FOCUS,
  });
  useTopicRefresh("inbox", query.data?.position ?? null, ["flow-runs"]);
  return query;
}

/** A run of a flow: where it is, what its steps gave, what it asks. */
export function useFlowRun(run: string) {
  const query = useQuery({
    queryKey: ["flow-run", run],
    queryFn: () => get("/v1/flow-runs/{run}", { path: { run } }),
  });
  const position = query.data?.position ?? null;
  const awaits = (query.data?.children ?? []).some((child) => child.end == null);
  useTopicRefresh(`flow:${run}`, position, ["flow-run", run]);
  // that a run which it began asks a person is told there alone, and shows in lists
  useTopicRefresh("inbox", awaits ? position : null, ["flow-run", run]);
  return query;
}

/** The queue of this machine. */
export function useQueue() {
  const query = useQuery({ queryKey: ["queue"], queryFn: () => get("/v1/queue") });
  useTopicRefresh("queue", query.data?.position ?? null, ["queue"]);
  return query;
}

const HOSTS_MS = 30_000;

/** All hosts as they stand, asked again every `interval` ms, as no event tells that one fell silent. */
export function useHosts(interval = HOSTS_MS) {
  return useQuery({
    queryKey: ["hosts", "all"],
    queryFn: () => get("/v1/hosts"),
    refetchInterval: interval,
    ...ON_FOCUS,
  });
}

/** What is open on a host, of the person's projects. */
export function useHostWork(host: string) {
  return useQuery({
    queryKey: ["hosts", "work", host],
    queryFn: () => get("/v1/hosts/{name}/work", { path: { name: host } }),
    refetchInterval: 5_000,
    placeholderData: keepPreviousData,
    ...ON_FOCUS,
  });
}

/** Everything that is started by the clock. */
export function useSchedules() {
  return useQuery({
    queryKey: ["schedules"],
    queryFn: () => get("/v1/schedules"),
    refetchInterval: 30_000,
    ...ON_FOCUS,
  });
}

/** The plan files of a thread, and those archived. */
export function usePlanFiles(thread: string, after: number | null) {
  const query = useQuery({
    queryKey: ["plan-files", thread],
    queryFn: () => get("/v1/threads/{thread}/plan-files", { path: { thread } }),
    ...ON_FOCUS,
  });
  useTopicRefresh(`thread:${thread}`, query.data ? after : null, ["plan-files", thread]);
  return query;
}

/** The repositories of what was done before, the latest first. */
export function useRepositories(): readonly string[] {
  const threads = useThreads();
  const runs = useFlowRuns();
  const all = [...(threads ?? []), ...(runs.data?.runs ?? [])]
    .toSorted((one, other) => (other.changed ?? 0) - (one.changed ?? 0))
    .map((line) => line.project ?? "");
  return [...new Set(all)].filter((project) => project !== "");
}

/** The commit of a thread on a URL: the next one begins at what is newest. */
const PINNED = /^(\w+:\/\/.*)@[0-9a-f]{40,64}$/;

/** The repositories to suggest for what is next. */
export function useSuggestedRepositories(): readonly string[] {
  const known = useRepositories();
  return [...new Set(known.map((name) => name.replace(PINNED, "$1")))];
}

const NO_FOLDERS: readonly string[] = [];

/** Folders of the engine's machine whose paths begin with a text, for those who may see them; empty asks for none. */
export function useFolders(beginning: string): readonly string[] {
  const me = useMe().data;
  const query = useQuery({
    queryKey: ["folders", beginning],
    queryFn: () => get("/v1/repositories/folders", { query: { beginning } }),
    enabled: beginning !== "" && roleIn(me, SERVER) === "admin",
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    retry: false,
  });
  return useMemo(() => query.data?.folders.map(({ path }) => path) ?? NO_FOLDERS, [query.data]);
}

/** The workspace recipe of a repository; one that is none has no answer. */
export function useRecipe(repository: string) {
  return useQuery({
    queryKey: ["recipes", repository],
    queryFn: () => get("/v1/recipes", { query: { repository } }),
    enabled: repository !== "",
    retry: false,
    ...ON_FOCUS,
  });
}

const CHECK_MS = 500;

/** A check of a repository's recipe, asked for until it has ended; 0 is none. */
export function useRecipeCheck(repository: string, number: number) {
  return useQuery({
    queryKey: ["recipe-check", repository, number],
    queryFn: () => get("/v1/recipes/checks/{number}", { path: { number }, query: { repository } }),
    enabled: number > 0,
    refetchInterval: (query) => (query.state.data?.result ? false : CHECK_MS),
  });
}
