"""What is generated: every operation and every schema of the document."""

import inspect
import json
from typing import Any

import pytest

from api.openapi import FILE
from generator.annotations import annotation_of
from generator.document import operations_of, schemas_of
from treadle_client import AsyncTreadle, Treadle, models, problems
from treadle_client.addresses import Address

DOCUMENT: dict[str, Any] = json.loads(FILE.read_text())
OPERATIONS = list(operations_of(DOCUMENT))
NOWHERE = Address("http://127.0.0.1:1")


@pytest.mark.parametrize("kind", [Treadle, AsyncTreadle])
def test_every_operation_of_the_document_is_a_method(kind):
    client = kind(NOWHERE)
    missing = [
        f"{each.tag}.{each.name}"
        for each in OPERATIONS
        if not callable(getattr(getattr(client, each.tag, None), each.name, None))
    ]
    assert not missing
    assert len(OPERATIONS) == sum(len(methods) for methods in DOCUMENT["paths"].values())


def test_a_method_takes_what_its_operation_takes():
    client = Treadle(NOWHERE)
    for each in OPERATIONS:
        found = inspect.signature(getattr(getattr(client, each.tag), each.name)).parameters
        wanted = {parameter.name for parameter in each.parameters} | (
            {"body"} if each.body else set()
        )
        assert set(found) == wanted, f"{each.tag}.{each.name}"
        in_path = [p.name for p in each.parameters if p.is_in_path]
        assert list(found)[: len(in_path)] == in_path
        assert [f"{{{name}}}" in each.path for name in in_path] == [True] * len(in_path)


def test_every_schema_is_a_model_that_can_be_built():
    for name in schemas_of(DOCUMENT):
        found = getattr(models, name)
        if issubclass(found, models.Model):
            found.model_rebuild()


def test_every_stable_type_of_a_problem_is_a_class_of_errors():
    types = DOCUMENT["components"]["schemas"]["Problem"]["x-types"]
    assert len(types) > 100
    assert set(problems.PROBLEMS) == set(types)
    assert problems.PROBLEMS["not_what_was_shown"] is problems.NotWhatWasShown


@pytest.mark.parametrize(
    ("schema", "annotation"),
    [
        ({"$ref": "#/components/schemas/Plan"}, "models.Plan"),
        ({"type": "array", "items": {"type": "integer"}}, "builtins.list[int]"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "str | None"),
        ({"enum": ["a", "b"], "type": "string"}, "Literal['a', 'b']"),
        ({"type": "string", "format": "date-time"}, "datetime"),
        ({"type": "object"}, "dict[str, Any]"),
    ],
)
def test_a_schema_is_an_annotation(schema, annotation):
    assert annotation_of(schema) == annotation
