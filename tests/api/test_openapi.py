"""The description of the API in the tree; made by a process of its own, as tests define event kinds."""

import json
import re
import subprocess
import sys
from collections import Counter

import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute

from api.core.operation_ids import operation_id
from api.openapi import FILE

DOCUMENT = "import sys; from api import openapi; sys.stdout.write(openapi.document())"


def test_the_description_in_the_tree_is_that_of_the_code():
    made = subprocess.run([sys.executable, "-c", DOCUMENT], capture_output=True, check=True)
    assert made.stdout.decode() == FILE.read_text(), "run `make openapi`"


OPERATIONS = [
    operation
    for methods in json.loads(FILE.read_text())["paths"].values()
    for operation in methods.values()
]


def test_operations_have_ids_that_clients_can_be_made_of():
    ids = Counter(operation["operationId"] for operation in OPERATIONS)
    assert not [name for name, count in ids.items() if count > 1], "give a route another name"
    assert not [name for name in ids if not re.fullmatch(r"[a-z]+(_[a-z]+)+", name)]


def test_schemas_are_called_by_what_they_are_and_not_by_where_they_are():
    schemas = json.loads(FILE.read_text())["components"]["schemas"]
    assert not [name for name in schemas if "__" in name], "two models of one name: rename one"


def test_streams_say_what_their_messages_are():
    streams = {
        operation["operationId"]: content.get("x-event-data")
        for operation in OPERATIONS
        for kind, content in operation["responses"].get("200", {}).get("content", {}).items()
        if kind == "text/event-stream"
    }
    assert streams.pop("events_topics") is None
    assert {str(data) for data in streams.values()} == {
        "{'$ref': '#/components/schemas/JournaledEvent'}"
    }


@pytest.mark.parametrize(
    ("tag", "name", "method", "expected"),
    [
        ("threads", "open_thread", "POST", "threads_open"),
        ("threads", "threads", "GET", "threads_list"),
        ("threads", "thread", "GET", "threads_get"),
        ("inbox", "inbox", "GET", "inbox_get"),
        ("set-up", "skip", "POST", "set_up_skip"),
        ("plan files", "plan_files", "POST", "plan_files_plan_files"),
        ("queue", "hold_queue", "POST", "queue_hold_queue"),
    ],
)
def test_an_operation_is_named_by_its_tag_and_what_it_does(tag, name, method, expected):
    router = APIRouter(tags=[tag])
    router.add_api_route("/", lambda: None, methods=[method], name=name)
    route = router.routes[0]
    assert isinstance(route, APIRoute)
    assert operation_id(route) == expected
