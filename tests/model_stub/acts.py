"""Acts: one wording in a script for what each agent offers under its own tool and argument names."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

from tests.model_stub.shapes import Request, ScriptError, Tool

# Names and argument names under which real agents offer the same act. The first offered one is used.
RUN = {
    "Bash": "command",
    "bash": "command",
    "run_shell_command": "command",
    "shell_command": "command",
    "exec_command": "cmd",
    "execute": "command",
    "shell": "command",
    "local_shell": "command",
    "terminal": "command",
    "run_command": "command",
    "execute_bash": "command",
    "run_commands": "commands",
}
WRITE = (
    "Write",
    "write",
    "write_file",
    "write_to_file",
    "create_file",
    "apply_patch",
    "file_editor",
    "editor",
    "save",
)
EDIT = (
    "Edit",
    "edit",
    "replace",
    "edit_file",
    "search_replace",
    "str_replace_editor",
    "apply_patch",
    "file_editor",
    "editor",
    "patch",
)
READ = ("Read", "read", "read_file", "view", "file_editor")
_PATH = ("file_path", "filePath", "path", "absolute_path", "filename", "target_file")
_OLD = ("old_string", "oldString", "old_str", "old_text", "search")
_NEW = ("new_string", "newString", "new_str", "new_text", "replace")


def _props(tool: Tool) -> dict[str, Any]:
    return tool.schema.get("properties") or {}


def _first(names: tuple[str, ...], props: dict[str, Any]) -> str | None:
    return next((n for n in names if n in props), None)


def _required_fill(tool: Tool, args: dict[str, Any]) -> dict[str, Any]:
    """Give required arguments that the script does not name a harmless value."""
    for name in tool.schema.get("required") or []:
        if name in args:
            continue
        prop = _props(tool).get(name) or {}
        kind = prop.get("type")
        kind = next((k for k in kind if k != "null"), None) if isinstance(kind, list) else kind
        if prop.get("enum"):
            args[name] = prop["enum"][0]
        else:
            args[name] = {
                "boolean": False,
                "integer": 30,
                "number": 30,
                "array": [],
                "object": {},
            }.get(kind, "stub")
    return args


def _pick(tools: list[Tool], names: Any) -> Tool | None:
    for name in names:
        for tool in tools:
            if tool.name == name:
                return tool
    return None


def _patch(op: str, path: str, body: list[str]) -> str:
    return "\n".join(["*** Begin Patch", f"*** {op} File: {path}", *body, "*** End Patch"]) + "\n"


def _as_patch_args(tool: Tool, patch: str) -> dict[str, Any] | str:
    if tool.freeform:
        return patch
    name = _first(("input", "patch", "patchText", "patch_text"), _props(tool)) or "input"
    return _required_fill(tool, {name: patch})


def resolve(spec: dict[str, Any], tools: list[Tool]) -> tuple[Tool, dict[str, Any] | str]:
    """Turn `{run|write|edit|read|mcp|tool: ...}` into a tool that this agent offers, with arguments."""
    offered = [t.name for t in tools]
    if "tool" in spec:
        names = spec["tool"] if isinstance(spec["tool"], list) else [spec["tool"]]
        tool = _pick(tools, names)
        if tool is None:
            tool = next((t for n in names for t in tools if re.fullmatch(str(n), t.name)), None)
        if tool is None:
            raise ScriptError(f"no tool {names} among {offered}")
        return tool, spec.get("input", spec.get("args", {}))
    if "mcp" in spec:
        want = spec["mcp"]
        tool = next((t for t in tools if t.name == want), None) or next(
            (t for t in tools if re.search(rf"(?:^|[_.\-/:]){re.escape(want)}$", t.name)), None
        )
        if tool is None:
            raise ScriptError(f"no MCP tool {want!r} among {offered}")
        return tool, spec.get("args", {})
    if "run" in spec:
        tool = _pick(tools, RUN)
        if tool is None:
            raise ScriptError(f"no tool that runs a command among {offered}")
        props, name = _props(tool), RUN[tool.name]
        name = (
            name
            if name in props or not props
            else _first(("command", "cmd", "commands", "script"), props) or name
        )
        value: Any = spec["run"]
        if (props.get(name) or {}).get("type") == "array":
            value = [value] if name == "commands" else ["bash", "-lc", value]
        return tool, _required_fill(tool, {name: value, **spec.get("args", {})})
    if "write" in spec:
        tool = _pick(tools, WRITE)
        if tool is None:  # no such tool: a shell can write
            path, text = shlex.quote(spec["write"]), shlex.quote(spec.get("content", ""))
            return resolve({"run": f"printf %s {text} > {path}"}, tools)
        if tool.name == "apply_patch":
            lines = spec.get("content", "").splitlines()
            return tool, _as_patch_args(
                tool, _patch("Add", spec["write"], ["+" + s for s in lines])
            )
        props = _props(tool)
        args = {
            _first(_PATH, props) or "path": spec["write"],
            _first(("content", "contents", "file_text", "text"), props) or "content": spec.get(
                "content", ""
            ),
        }
        if "command" in props:
            args["command"] = "create"
        return tool, _required_fill(tool, args)
    if "edit" in spec:
        tool = _pick(tools, EDIT)
        if tool is None:
            expr = "s/{}/{}/".format(
                *(re.escape(spec[k]).replace("/", r"\/") for k in ("old", "new"))
            )
            return resolve(
                {"run": f"sed -i {shlex.quote(expr)} {shlex.quote(spec['edit'])}"}, tools
            )
        if tool.name == "apply_patch":
            body = (
                ["@@"]
                + ["-" + s for s in spec["old"].splitlines()]
                + ["+" + s for s in spec["new"].splitlines()]
            )
            return tool, _as_patch_args(tool, _patch("Update", spec["edit"], body))
        props = _props(tool)
        path = _first(_PATH, props) or "path"
        if "edits" in props:
            return tool, _required_fill(
                tool,
                {
                    path: spec["edit"],
                    "edits": [
                        {
                            "old_text": spec["old"],
                            "new_text": spec["new"],
                            "oldText": spec["old"],
                            "newText": spec["new"],
                        }
                    ],
                },
            )
        if (
            _first(_OLD, props) is None and "content" in props
        ):  # search_replace of SEARCH/REPLACE blocks
            block = f"<<<<<<< SEARCH\n{spec['old']}\n=======\n{spec['new']}\n>>>>>>> REPLACE"
            return tool, _required_fill(tool, {path: spec["edit"], "content": block})
        args = {
            path: spec["edit"],
            _first(_OLD, props) or "old_string": spec["old"],
            _first(_NEW, props) or "new_string": spec["new"],
        }
        if "command" in props:
            args["command"] = "str_replace"
        return tool, _required_fill(tool, args)
    if "read" in spec:
        tool = _pick(tools, READ)
        if tool is None:
            return resolve({"run": f"cat {shlex.quote(spec['read'])}"}, tools)
        args = {_first(_PATH, _props(tool)) or "path": spec["read"]}
        if "command" in _props(tool):
            args["command"] = "view"
        return tool, _required_fill(tool, args)
    raise ScriptError(f"a call needs one of run, write, edit, read, mcp, tool: {spec}")


def deferred(
    spec: dict[str, Any], req: Request, searched: bool
) -> tuple[Tool, dict[str, Any], bool]:
    """An MCP tool that the agent holds back: search for it first, then call it as that agent wants.

    Returns the tool, its arguments and whether this is the search.
    """
    want, args = spec["mcp"], spec.get("args", {})
    names = {t.name: t for t in req.tools}
    said = req.system + "\n" + "\n".join(m.text for m in req.messages)
    found = re.search(rf"[\w\-]*(?:__|_|\.){re.escape(want)}\b", said)
    full = found[0] if found else want
    if not searched:
        for name in ("ToolSearch", "tool_search"):
            if name in names:
                query = f"select:{full}" if found else want.replace("_", " ")
                return names[name], _required_fill(names[name], {"query": query}), True
        if "search_tool_functions" in names:
            tool = names["search_tool_functions"]
            return tool, {"mode": "best_match", "query": want.replace("_", " ")}, True
    elif "ToolSearch" in names:
        return Tool(full, {}), args, False
    elif "tool_call" in names:
        return names["tool_call"], {"name": full, "arguments": args}, False
    elif "run_typescript" in names:
        path = re.findall(rf"tools\.[\w.]*{re.escape(want)}\b", said)
        call = f"return await {path[-1] if path else 'tools.' + full}({json.dumps(args)});"
        return names["run_typescript"], {"code": f"async function main() {{ {call} }}"}, False
    raise ScriptError(f"no MCP tool {want!r} among {[t.name for t in req.tools]}")
