/** The one way to the API: typed by its OpenAPI, refusals as Problems, writes refused while offline. */

import createClient, { type Middleware } from "openapi-fetch";
import { sendUntilConfirmed, UNCONFIRMED } from "@/api/confirmation";
import { isOnline, noteSignedOut } from "@/api/connectivity";
import type { components, paths } from "@/api/schema";

/** The models of the API, by their names. */
export type Schemas = components["schemas"];

/** A refusal of the API (RFC 9457); `type` is a stable name without its `treadle:`. */
export class Problem extends Error {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly hint: string | undefined;
  /** The field of the body that is meant, where it is one; set by `problemOf`. */
  field: string | undefined;
  /** What is wrong with each field, where several are; set by `problemOf`. */
  errors: readonly Schemas["FieldProblem"][] = [];

  constructor(type: string, title: string, detail: string, status = 0, hint?: string) {
    super(detail);
    this.name = "Problem";
    this.type = type;
    this.title = title;
    this.status = status;
    this.hint = hint;
  }

  get detail(): string {
    return this.message;
  }
}

const guard: Middleware = {
  onRequest({ request }) {
    if (request.method !== "GET") {
      if (!isOnline()) {
        throw new Problem(
          "offline",
          "Not sent",
          "the engine cannot be reached; nothing was sent, and your text is saved",
        );
      }
      request.headers.set("X-Treadle", "1");
    }
    return request;
  },
  async onResponse({ response }) {
    if (!response.ok) {
      throw await problemOf(response);
    }
    return response;
  },
  onError({ request }) {
    const isRead = request.method === "GET";
    const detail = isRead
      ? "the engine did not answer"
      : "the engine did not answer, so this may or may not have arrived; it is safe to send it again";
    return new Problem("unreachable", "No response", detail);
  },
};

/** Longer than the engine takes to say that a part of it does not answer. */
const PATIENCE_MS = 45_000;

/** Statuses whose answers have no body (Fetch, "null body status"). */
const BODILESS = new Set([204, 205, 304]);

/**
 * Ask, and give up after a while: an engine that hangs neither answers nor refuses.
 *
 * The answer is read whole: one that is cut off is no answer.
 */
async function askPatiently(request: Request): Promise<Response> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  const signal = AbortSignal.any([request.signal, patience.signal]);
  try {
    const answer = await fetch(request, { signal });
    const whole = await answer.arrayBuffer();
    return new Response(BODILESS.has(answer.status) ? null : whole, answer);
  } finally {
    clearTimeout(timer);
  }
}

async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => null);
  const parsed = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const word = (name: string): string | undefined =>
    typeof parsed[name] === "string" ? parsed[name] : undefined;
  const type = (word("type") ?? "treadle:error").replace(/^treadle:/, "");
  if (response.status === 401) {
    noteSignedOut();
  }
  const problem = new Problem(
    type,
    word("title") ?? `HTTP ${response.status}`,
    word("detail") ?? response.statusText,
    response.status,
    // the engine's own hint is for those who make ids of commands themselves
    type === UNCONFIRMED
      ? "It is safe to send it again: it will be carried out only once."
      : word("hint"),
  );
  problem.field = word("field");
  problem.errors = Array.isArray(parsed.errors) ? parsed.errors : [];
  return problem;
}

/** The typed client: `api.GET("/v1/threads/{thread}", { params: { path: { thread } } })`. */
export const api = createClient<paths>({
  baseUrl: "/",
  fetch: (request) =>
    sendUntilConfirmed(request, {
      ask: askPatiently,
      now: () => performance.now(),
      pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    }),
});
api.use(guard);

/**
 * Return an answer's body; a refusal is thrown as a Problem.
 *
 * openapi-fetch types a body as absent, because its own errors are values; ours are thrown.
 */
export async function body<T>(answer: Promise<{ data?: T }>): Promise<T> {
  const { data } = await answer;
  if (data === undefined) {
    throw new Problem("empty", "No response", "the engine returned an empty response");
  }
  return data;
}

/** The paths of the API that take a method. */
type PathsOf<M extends "get" | "post" | "delete"> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

type PlaceOf<O> = O extends { parameters: { path: infer V } } ? V : Record<string, never>;

type QueryOf<O> = O extends { parameters: { query?: infer V } } ? V : Record<string, never>;

type BodyOf<O> = O extends { requestBody: { content: { "application/json": infer B } } }
  ? B
  : never;

type JsonOf<R> = R extends { content: { "application/json": infer A } } ? A : never;

/** What an operation answers once it is carried out; what was only accepted is asked for until then. */
type AnswerOf<O> = O extends { responses: infer R }
  ? [JsonOf<R[keyof R & (200 | 201 | 202)]>] extends [infer A]
    ? [Exclude<A, Schemas["PendingCommand"]>] extends [never]
      ? undefined
      : Exclude<A, Schemas["PendingCommand"]>
    : never
  : never;

type ParametersOf<O> = O extends { parameters: infer V } ? Omit<V, "header" | "cookie"> : never;

type Send = (path: string, options: object) => Promise<{ data?: unknown }>;

/** Wraps what a command sends; no page of another origin can send this header. */
function optionsOf(place: object, payload: unknown, query: object = {}): object {
  return { params: { path: place, query, header: { "X-Treadle": "1" } }, body: payload };
}

/** Read what a path of the API answers. */
export function get<P extends PathsOf<"get">>(
  path: P,
  params?: ParametersOf<paths[P]["get"]>,
): Promise<AnswerOf<paths[P]["get"]>> {
  const read = api.GET as unknown as Send;
  return body(read(path, { params })) as Promise<AnswerOf<paths[P]["get"]>>;
}

/** Send a command to a path of the API; `place` has the parameters of the path. */
export function post<P extends PathsOf<"post">>(
  path: P,
  place: PlaceOf<paths[P]["post"]>,
  payload: BodyOf<paths[P]["post"]>,
  query?: QueryOf<paths[P]["post"]>,
): Promise<AnswerOf<paths[P]["post"]>> {
  const send = api.POST as unknown as Send;
  return body(
    send(path, optionsOf(place as object, payload, query as object | undefined)),
  ) as Promise<AnswerOf<paths[P]["post"]>>;
}

/** Delete what a path of the API names; what answers nothing gives `undefined`. */
export async function del<P extends PathsOf<"delete">>(
  path: P,
  place: PlaceOf<paths[P]["delete"]>,
  payload: BodyOf<paths[P]["delete"]>,
): Promise<AnswerOf<paths[P]["delete"]>> {
  const send = api.DELETE as unknown as Send;
  const { data } = await send(path, optionsOf(place as object, payload));
  return data as AnswerOf<paths[P]["delete"]>;
}

/** Make the id of a command: one for each intent, so that sending it again is the same command. */
export function newCommandId(): string {
  return `page-${crypto.randomUUID()}`;
}
