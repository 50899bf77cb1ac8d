"""Acts: one wording in a script for what each agent offers under its own tool and argument names."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

from tests.model_stub.shapes import Request, ScriptError, Tool

Resolved = tuple[Tool, dict[str, Any] | str]

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


def resolve(spec: dict[str, Any], tools: list[Tool]) -> Resolved:
    """Turn `{run|write|edit|read|mcp|tool: ...}` into a tool that this agent offers, with arguments."""
    for name, act in ACTS.items():
        if name in spec:
            return act(spec, tools)
    raise ScriptError(f"a call needs one of {', '.join(ACTS)}: {spec}")


def _named(spec: dict[str, Any], tools: list[Tool]) -> Resolved:
    names = spec["tool"] if isinstance(spec["tool"], list) else [spec["tool"]]
    tool = _pick(tools, names)
    if tool is None:
        tool = next((t for n in names for t in tools if re.fullmatch(str(n), t.name)), None)
    if tool is None:
        raise ScriptError(f"no tool {names} among {[t.name for t in tools]}")
    return tool, spec.get("input", spec.get("args", {}))


def _mcp(spec: dict[str, Any], tools: list[Tool]) -> Resolved:
    want = spec["mcp"]
    tool = next((t for t in tools if t.name == want), None) or next(
        (t for t in tools if re.search(rf"(?:^|[_.\-/:]){re.escape(want)}$", t.name)), None
    )
    if tool is None:
        raise ScriptError(f"no MCP tool {want!r} among {[t.name for t in tools]}")
    return tool, spec.get("args", {})


def _run(spec: dict[str, Any], tools: list[Tool]) -> Resolved:
    tool = _pick(tools, RUN)
    if tool is None:
        raise ScriptError(f"no tool that runs a command among {[t.name for t in tools]}")
    props, name = _props(tool), RUN[tool.name]
    if props and name not in props:
        name = _first(("command", "cmd", "commands", "script"), props) or name
    value: Any = spec["run"]
    if (props.get(name) or {}).get("type") == "array":
        value = [value] if name == "commands" else ["bash", "-lc", value]
    may = {k: v for k, v in spec.get("may", {}).items() if k in props}
    return tool, _required_fill(tool, {name: value, **may, **spec.get("args", {})})


def _write(spec: dict[str, Any], tools: list[Tool]) -> Resolved:
    path, text = spec["write"], spec.get("content", "")
    tool = _pick(tools, WRITE)
    if tool is None:  # no such tool: a shell can write
        return _run({"run": f"printf %s {shlex.quote(text)} > {shlex.quote(path)}"}, tools)
    if tool.name == "apply_patch":
        return tool, _as_patch_args(tool, _patch("Add", path, ["+" + s for s in text.splitlines()]))
    props = _props(tool)
    content = _first(("content", "contents", "file_text", "text"), props) or "content"
    args = {_first(_PATH, props) or "path": path, content: text}
    if "command" in props:
        args["command"] = "create"
    return tool, _required_fill(tool, args)


_REPLACE = (
    "import sys, pathlib; file = pathlib.Path(sys.argv[1]); "
    "file.write_text(file.read_text().replace(*sys.argv[2:], 1))"
)
"""What a shell edits with: lines, and whatever stands in them."""


def _edit(spec: dict[str, Any], tools: list[Tool]) -> Resolved:
    file, old, new = spec["edit"], spec["old"], spec["new"]
    tool = _pick(tools, EDIT)
    if tool is None:
        return _run({"run": shlex.join(("python3", "-c", _REPLACE, file, old, new))}, tools)
    if tool.name == "apply_patch":
        body = ["@@", *("-" + s for s in old.splitlines()), *("+" + s for s in new.splitlines())]
        return tool, _as_patch_args(tool, _patch("Update", file, body))
    return tool, _required_fill(tool, _edit_args(_props(tool), file, old, new))


def _edit_args(props: dict[str, Any], file: str, old: str, new: str) -> dict[str, Any]:
    path = _first(_PATH, props) or "path"
    if "edits" in props:
        edit = {"old_text": old, "new_text": new, "oldText": old, "newText": new}
        return {path: file, "edits": [edit]}
    if (
        _first(_OLD, props) is None and "content" in props
    ):  # search_replace of SEARCH/REPLACE blocks
        block = f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE"
        return {path: file, "content": block}
    args = {
        path: file,
        _first(_OLD, props) or "old_string": old,
        _first(_NEW, props) or "new_string": new,
    }
    if "command" in props:
        args["command"] = "str_replace"
    return args


def _read(spec: dict[str, Any], tools: list[Tool]) -> Resolved:
    tool = _pick(tools, READ)
    if tool is None:
        return _run({"run": f"cat {shlex.quote(spec['read'])}"}, tools)
    args = {_first(_PATH, _props(tool)) or "path": spec["read"]}
    if "command" in _props(tool):
        args["command"] = "view"
    return tool, _required_fill(tool, args)


ACTS = {"tool": _named, "mcp": _mcp, "run": _run, "write": _write, "edit": _edit, "read": _read}
"""The acts by their word in a script; the first that a call has counts."""


_BY_QUERY = ("ToolSearch", "tool_search")
SEARCHES = (*_BY_QUERY, "search_tool_functions")
"""Names of the tools by which agents search for those that they hold back."""


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
        for name in _BY_QUERY:
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
