"""What GitHub publishes of its own API (npm: @octokit/openapi), as far as pull requests go."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator

from tests.agents.installation import packages

FOLDER = Path(__file__).parent


@cache
def described() -> dict[str, Any]:
    """Return the whole description; it is installed once a machine, or the test is skipped."""
    folder = packages(FOLDER) / "@octokit" / "openapi" / "generated"
    return json.loads((folder / "api.github.com.json").read_text())


def plain(part: Any) -> Any:
    """Return a part with its references put in, and OpenAPI's `nullable` as JSON Schema has it."""
    if isinstance(part, list):
        return [plain(item) for item in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        found: Any = described()
        for name in part["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        return plain(found)
    made = {name: plain(value) for name, value in part.items() if name != "nullable"}
    return {"anyOf": [made, {"type": "null"}]} if part.get("nullable") is True else made


def problems(schema: Any, value: Any) -> list[str]:
    """Return how a value differs from a schema."""
    return [f"{e.json_path}: {e.message[:200]}" for e in Draft7Validator(schema).iter_errors(value)]


def json_of(part: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON content of a request or a response."""
    return part["content"]["application/json"]
