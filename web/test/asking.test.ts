/** The page's worker: each question is answered, whatever becomes of the worker. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { moduleOf } from "./rendered.ts";

type Asking = typeof import("../src/ui/background/asking.ts");

/** What a browser does when it is to start a worker; each takes the first one. */
const starts: ("throws" | "answers")[] = [];

class PaperWorker {
  private hear: (event: unknown) => void = () => {};

  constructor() {
    if (starts.shift() === "throws") {
      throw new DOMException("no more workers", "SecurityError");
    }
  }

  addEventListener(kind: string, hear: (event: unknown) => void): void {
    if (kind === "message") {
      this.hear = hear;
    }
  }

  postMessage({ id, call }: { readonly id: number; readonly call: string }): void {
    setTimeout(() => this.hear({ data: { id, result: call } }), 0);
  }

  terminate(): void {}
}

test("where no worker can be started the question is given up, and the next is asked", async () => {
  Object.defineProperty(globalThis, "Worker", { value: PaperWorker });
  const { ask } = await moduleOf<Asking>("ui/background/asking.ts");
  const asked = (call: string) => ask(call as never, [] as never);

  starts.push("throws", "throws", "answers");
  assert.equal(await asked("first"), null);
  const [second, third] = [asked("second"), asked("third")];
  assert.deepEqual(await Promise.all([second, third]), [null, "third"]);
  assert.equal(await asked("fourth"), "fourth");
});
