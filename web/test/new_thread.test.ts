import assert from "node:assert/strict";
import { test } from "node:test";
import {
  asksForPlan,
  changedIn,
  EMPTY_REQUEST,
  fieldOf,
  isUrl,
  missingIn,
  refusalOf,
  requestOf,
  takenFrom,
  threadOf,
} from "../src/screens/new_thread/request.ts";
import { suggestedAgent, toSetUp } from "../src/screens/new_thread/suggested.ts";

test("a wish without goal or repository says what is missing", () => {
  assert.deepEqual(Object.keys(missingIn(EMPTY_REQUEST)), ["goal", "repository"]);
  assert.deepEqual(missingIn({ ...EMPTY_REQUEST, goal: "g", repository: "/r" }), {});
});

test("what was left empty is left to the engine", () => {
  const thread = threadOf({ ...EMPTY_REQUEST, goal: " g ", repository: " /r " }, false);
  assert.equal(thread.goal, "g");
  assert.equal(thread.agent, null);
  assert.equal(thread.plan_files, null);
  assert.deepEqual(thread.planner, { auto_run: null });
});

test("other repositories are sent without those that nobody typed", () => {
  const request = { ...EMPTY_REQUEST, goal: "g", repository: "/r", also: [" /a ", ""] };
  assert.deepEqual(threadOf(request, false).also, ["/a"]);
  assert.equal(fieldOf("invalid_value", "also.0"), "also");
});

test("a thread is a chat unless a plan is asked for", () => {
  const chat = { ...EMPTY_REQUEST, goal: "g", repository: "/r" };
  const plan = { ...chat, goal: " /plan  Add a flag" };
  assert.equal(threadOf(chat, asksForPlan(chat)).is_planned, false);
  assert.equal(threadOf(plan, asksForPlan(plan)).is_planned, true);
  assert.equal(threadOf(plan, true).goal, "Add a flag");
  assert.ok(asksForPlan({ ...chat, planners: [{ agent: "codex", model: "" }] }));
  assert.ok(!asksForPlan({ ...chat, goal: "/planning is hard" }));
  assert.deepEqual(Object.keys(missingIn({ ...chat, goal: "/plan " })), ["goal"]);
});

test("a refusal stands at the field that it means", () => {
  assert.equal(fieldOf("too_long", "goal"), "goal");
  assert.equal(fieldOf("unusable_repository", undefined), "repository");
  assert.equal(fieldOf("out_of_range", "max_parallel_tasks"), "parallel");
  assert.equal(fieldOf("empty", "items.0.repository"), "repository");
  assert.equal(fieldOf("unavailable", undefined), "");
});

test("what a refusal names stands at its field, or else is told of the whole", () => {
  const refused = (field: string | undefined, errors: object[] = []) =>
    refusalOf({ type: "invalid", detail: "no", hint: undefined, field, errors } as Refusal, {
      repository: "/r",
      also: [],
    });
  type Refusal = Parameters<typeof refusalOf>[0];
  assert.deepEqual(refused("best_of.agents.1"), { bestOf: "no" });
  assert.deepEqual(refused("continues"), { continues: "no" });
  assert.deepEqual(refused("items.0.planner.max_thread_usd"), { maxUsd: "no" });
  assert.deepEqual(refused("plan_files"), { planFiles: "no" });
  assert.deepEqual(refused("planner.somewhat_new"), {});
  assert.deepEqual(refused(undefined, [{ field: "goal", detail: "long" }]), { goal: "long" });
  const unknown = { field: "somewhat_new", detail: "bad" };
  assert.deepEqual(refused(undefined, [{ field: "goal", detail: "long" }, unknown]), {});
});

test("a session is continued as a chat, and what does not go with that is said", () => {
  const continues = { agent_session: "s-1", title: "Before" };
  const chat = { ...EMPTY_REQUEST, goal: "g", repository: "/r", continues };
  assert.deepEqual(missingIn(chat), {});
  for (const more of [{ goal: "/plan g" }, { bestOf: "a, b" }, { also: ["/other"] }]) {
    assert.deepEqual(Object.keys(missingIn({ ...chat, ...more })), ["continues"]);
  }
});

test("a draft that cannot be read is none", () => {
  assert.deepEqual(requestOf("{broken"), EMPTY_REQUEST);
  assert.equal(requestOf('{"goal":"kept"}').goal, "kept");
});

test("the suggested repository is taken until the field is changed, or cleared", () => {
  assert.equal(requestOf("", "/code/app").repository, "/code/app");
  assert.equal(requestOf('{"goal":"g"}', "/code/app").repository, "/code/app");
  assert.equal(requestOf('{"repository":""}', "/code/app").repository, "");
});

test("a first message with an unknown command is not sent unnoticed", () => {
  const typed = (goal: string) => missingIn({ ...EMPTY_REQUEST, goal, repository: "/r" }).goal;
  assert.match(typed("/nonsense x") ?? "", /Unknown command \/nonsense/);
  for (const fine of [" /nonsense x", "/plan Add a flag", "/etc/hosts is wrong", "Ask"]) {
    assert.equal(typed(fine), undefined);
  }
});

test("a URL is told from a folder, and what is wrong with it stands at its field", () => {
  for (const url of ["https://git.example/a.git@main", "git@git.example:a.git", " ssh://g/a"]) {
    assert.equal(isUrl(url), true);
  }
  assert.equal(isUrl("/home/you/a@b:c"), false);
  assert.equal(fieldOf("unknown_ref", undefined), "repository");
});

test("a host is wished for by its name or by labels", () => {
  const request = { ...EMPTY_REQUEST, goal: "g", repository: "/r", host: "build-2" };
  const thread = threadOf({ ...request, labels: " gpu,  zone=a gpu " }, false);
  assert.equal(thread.host, "build-2");
  assert.deepEqual(thread.labels, ["gpu", "zone=a"]);
  assert.deepEqual(threadOf(EMPTY_REQUEST, false).labels, []);
  assert.equal(fieldOf("no_host", undefined), "host");
});

type Agent = Parameters<typeof suggestedAgent>[0][number];

const BLOCKED = [{ what: "no login", fix: "tool login", is_in_the_way: true }];

function agent(name: string, more: Partial<Agent> = {}): Agent {
  return { name, scope: "built-in", path: "", is_installed: true, missing: [], ...more } as Agent;
}

test("the agent to begin with is the default where it is ready, else the ready one used last", () => {
  const claude = agent("claude", { is_default: true });
  const codex = agent("codex");
  const gemini = agent("gemini");
  const out = agent("claude", { is_default: true, missing: BLOCKED as Agent["missing"] });
  assert.equal(suggestedAgent([claude, codex], ["codex"]), "");
  assert.equal(suggestedAgent([out, codex, gemini], ["claude", "gemini"]), "gemini");
  assert.equal(suggestedAgent([out, codex], []), "codex");
  assert.equal(suggestedAgent([out, agent("hidden", { is_hidden: true })], []), null);
  const scripted = agent("scripted", { is_scripted: true });
  assert.equal(suggestedAgent([out, scripted], []), null);
  assert.equal(suggestedAgent([out, scripted], ["scripted"]), "scripted");
  assert.equal(suggestedAgent([out, scripted, codex], ["scripted"]), "codex");
});

test("the agents to set up begin with those that are installed", () => {
  const one = agent("one", { is_installed: false });
  const two = agent("two", { missing: BLOCKED as Agent["missing"] });
  const play = agent("play", { is_scripted: true });
  assert.deepEqual(
    toSetUp([one, play, two]).map(({ name }) => name),
    ["two", "one"],
  );
});

test("what differs from a usual thread is said in a line", () => {
  assert.deepEqual(changedIn(EMPTY_REQUEST), []);
  const planners = [{ agent: "codex", model: "" }];
  const changed = { ...EMPTY_REQUEST, model: "opus", planners, also: ["/a", "/b"], parallel: 4 };
  assert.deepEqual(changedIn(changed), ["opus", "2 more folders", "1 more planner", "4 parallel"]);
});

test("the suggested agent is taken until another is chosen, or the default again", () => {
  assert.equal(requestOf("", "/code/app", "codex").agent, "codex");
  assert.equal(requestOf('{"agent":""}', "/code/app", "codex").agent, "");
});

test("what the address says is taken once: without it a reload keeps what was typed since", () => {
  const given = takenFrom(new URLSearchParams("goal=Fix+it&repository=/r&tab=1"));
  assert.deepEqual(given?.draft, { goal: "Fix it", repository: "/r" });
  assert.equal(given?.rest.toString(), "tab=1");
  assert.equal(takenFrom(given?.rest ?? new URLSearchParams("goal=")), null);
  assert.deepEqual(takenFrom(new URLSearchParams("goal=g"))?.draft, { goal: "g" });
});
