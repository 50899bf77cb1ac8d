import assert from "node:assert/strict";
import { test } from "node:test";
import { ANY, lackOf, roleIn, SERVER } from "../src/api/roles.ts";

const SHOP = "/srv/shop";

function me(roles: Record<string, "viewer" | "author" | "approver" | "admin">, role = "author") {
  return {
    person: "anna",
    name: "Anna",
    is_owner: false,
    has_directory: true,
    role: role as "author",
    roles,
    scope: "admin",
    program: "",
    expires_at: null,
  } as const;
}

test("a role is that of the project, else that of all projects", () => {
  assert.equal(roleIn(me({ "*": "viewer", [SHOP]: "approver" }), SHOP), "approver");
  assert.equal(roleIn(me({ "*": "viewer" }), SHOP), "viewer");
  assert.equal(roleIn(me({ [SHOP]: "author" }), SERVER), "none");
  assert.equal(roleIn(me({ [SHOP]: "author" }), ANY), "author");
});

test("who has the role lacks nothing", () => {
  assert.equal(lackOf(me({ [SHOP]: "approver" }), SHOP, "approver"), "");
  assert.equal(lackOf(me({ [SHOP]: "admin" }), SHOP, "author"), "");
});

test("a refusal says what the person is, and what is needed", () => {
  assert.equal(
    lackOf(me({ [SHOP]: "viewer" }), SHOP, "author"),
    "You are a viewer of this project. This needs the role author.",
  );
  assert.equal(
    lackOf(me({ [SHOP]: "author" }), SHOP, "approver"),
    "You are an author of this project. This needs the role approver.",
  );
  assert.equal(
    lackOf(me({ [SHOP]: "author" }), SERVER, "admin"),
    "You have no role on this server. This needs the role admin.",
  );
  assert.equal(
    lackOf(me({ [SHOP]: "viewer" }, "viewer"), ANY, "author"),
    "You are a viewer here. This needs the role author.",
  );
});

test("nothing is off while it is not known who the person is, or of which project", () => {
  assert.equal(lackOf(undefined, SHOP, "admin"), "");
  assert.equal(lackOf(me({ "/srv/other": "viewer" }), SHOP, "admin"), "");
});
