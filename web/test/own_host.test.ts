import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import { serverUrl, takesSession } from "../src/ui/own_host.ts";
import { moduleOf, rendered } from "./rendered.ts";

function at(address: string) {
  return new URL(address) as unknown as Location;
}

const HERE = at("http://treadle.localhost:8420/threads/t-1");
const TEAM = at("https://treadle.example.org/threads/t-1");

test("a task's server is opened where the browser sends no session", () => {
  assert.equal(serverUrl(5173, HERE), "http://localhost:5173/");
  assert.equal(serverUrl(5173, at("http://localhost:8420")), "http://127.0.0.1:5173/");
  assert.equal(serverUrl(5173, at("https://treadle.localhost")), "http://localhost:5173/");
  // the cookie is Secure there, and this is no HTTPS
  assert.equal(serverUrl(5173, TEAM), "http://treadle.example.org:5173/");
});

test("an address that would be told the session is known, however it is written", () => {
  for (const href of [
    "http://treadle.localhost:5173/",
    "HTTP://Treadle.LOCALHOST:5173",
    "http://treadle.localhost",
    "https://treadle.localhost:5173",
    "http://ann@treadle.localhost:5173/",
    "http:\\\\treadle.localhost:5173\\",
    "http://treadle。localhost:5173/",
    "http://temporal.treadle.localhost:5173/",
  ]) {
    assert.ok(takesSession(href, HERE), href);
  }
  assert.ok(takesSession("https://treadle.example.org:8443/", TEAM));
  assert.ok(takesSession("http://treadle.localhost:5173", at("https://treadle.localhost:8420")));
});

test("other addresses are links as before", () => {
  for (const href of [
    "http://treadle.localhost:8420/threads/t-2",
    "http://temporal.treadle.localhost:8420/",
    "http://nottreadle.localhost:5173/",
    "http://localhost:5173/",
    "https://example.org/",
    "mailto:ann@treadle.localhost",
    "nonsense",
  ]) {
    assert.ok(!takesSession(href, HERE), href);
  }
  assert.ok(!takesSession("http://treadle.example.org:5173/", TEAM));
});

test("what an agent writes leads to no server that would be told who reads it", async () => {
  Object.defineProperty(globalThis, "window", { value: { location: HERE }, configurable: true });
  const { Markdown } = await moduleOf<typeof import("../src/ui/Markdown.tsx")>("ui/Markdown.tsx");
  const text =
    "[look](http://treadle.localhost:5173/) ![it](http://treadle.localhost:5173/a.png) " +
    "http://treadle.localhost:5173/x [app](http://localhost:5173/)";
  const html = rendered(createElement(Markdown, { text }), []);
  assert.doesNotMatch(html, /href="http:\/\/treadle/);
  assert.match(html, /<a href="http:\/\/localhost:5173\/"/);
  const { Ports } = await moduleOf<typeof import("../src/tasks/Ports.tsx")>("tasks/Ports.tsx");
  const port = { id: "web", port: 5173, status: "active", description: "" } as const;
  const listed = rendered(createElement(Ports, { ports: [port] }), []);
  assert.match(listed, /href="http:\/\/localhost:5173\/"/);
});
