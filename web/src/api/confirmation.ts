/** What a busy or restarting engine could not confirm is sent again by itself, as the same command; pure. */

/** Half as long as the command line does, and longer than a worker that died keeps a workflow waiting. */
const CONFIRMATION_MS = 30_000;
const PAUSE_MS = 300;

/** How a request is sent once, what time it is, and how to wait. */
export interface Transport {
  readonly ask: (request: Request) => Promise<Response>;
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

/** The type of the problem that says so. */
export const UNCONFIRMED = "not_confirmed";

/**
 * Ask until the engine has confirmed a command, for a while at most; returns its last answer.
 *
 * Only what has a command id is sent again: however often the engine gets it, it is carried out once.
 * That may be since the engine was busy, or restarts: then nobody answers, or a proxy does in its place.
 */
export async function sendUntilConfirmed(request: Request, around: Transport): Promise<Response> {
  const isOnce = request.method === "GET" || !(await isNamed(request));
  const givesUp = around.now() + CONFIRMATION_MS;
  for (;;) {
    const isLast = isOnce || around.now() > givesUp;
    const answer = await askOrMiss(isOnce ? request : request.clone(), isLast, around);
    if (answer === null) {
      await around.pause(PAUSE_MS);
      continue;
    }
    const place = placeToAsk(answer);
    if (isLast || !(place || isOfProxy(answer) || (await isUnconfirmed(answer)))) {
      return answer;
    }
    if (place && !(await isTaken(new URL(place, request.url), givesUp, around))) {
      return answer;
    }
    await around.pause(PAUSE_MS);
  }
}

/** Ask; null where nobody answers, unless nobody will ask again. */
async function askOrMiss(
  request: Request,
  isLast: boolean,
  around: Transport,
): Promise<Response | null> {
  try {
    return await around.ask(request);
  } catch (error) {
    // a TypeError is how fetch says that there is no connection; an abort is somebody's wish
    if (isLast || !(error instanceof TypeError)) {
      throw error;
    }
    return null;
  }
}

/** Tell whether a proxy answers in place of an engine that is away. */
function isOfProxy(answer: Response): boolean {
  const isOwn = answer.headers.get("Content-Type")?.startsWith("application/problem+json");
  return [502, 503, 504].includes(answer.status) && !isOwn;
}

/** Wait until a worker has taken what was accepted; sent again it is answered then. */
async function isTaken(place: URL, givesUp: number, around: Transport): Promise<boolean> {
  while (around.now() <= givesUp) {
    await around.pause(PAUSE_MS);
    const asked = await askOrMiss(new Request(place), false, around);
    if (asked !== null && !isOfProxy(asked) && !placeToAsk(asked)) {
      return true;
    }
  }
  return false;
}

/** Where to ask for a command that was accepted and waits for a worker; empty of any other answer. */
function placeToAsk(answer: Response): string {
  const place = answer.status === 202 ? answer.headers.get("Location") : null;
  return place?.startsWith("/v1/commands/") ? place : "";
}

async function isNamed(request: Request): Promise<boolean> {
  if (!request.headers.get("Content-Type")?.startsWith("application/json")) {
    return false;
  }
  const parsed = await partsOf(request.clone());
  return typeof parsed.command_id === "string" && parsed.command_id !== "";
}

async function isUnconfirmed(answer: Response): Promise<boolean> {
  return answer.status === 503 && (await partsOf(answer.clone())).type === `treadle:${UNCONFIRMED}`;
}

async function partsOf(body: Body): Promise<Record<string, unknown>> {
  const fields: unknown = await body.json().catch(() => null);
  return typeof fields === "object" && fields !== null ? (fields as Record<string, unknown>) : {};
}
