"""Flow files in few words, for tests."""

import pytest

from domain.flows.definition import FlowDefinition
from domain.flows.problems import FlowProblemsError
from domain.flows.reading import read_flow

CODER = {"agentType": "coding_agent", "identifier": "coder"}


def llm(*texts, **more):
    said = [{"role": "user", "content": [text]} for text in texts or ("go on",)]
    return {"type": "llm", **CODER, "messages": said, **more}


def judge(kind="break", **more):
    asked = {**CODER, "question": "Is it done?"} if not more else {}
    return {"type": kind, **asked, f"{kind}On": "yes", **more}


START, END = {"type": "startLoop"}, {"type": "endLoop"}


def nested(*steps, **more):
    return {"type": "startLoop", "steps": list(steps), **more}


def read(*steps, **top) -> FlowDefinition:
    return read_flow({"steps": list(steps), **top}, "example")


def problems(raw):
    with pytest.raises(FlowProblemsError) as refused:
        read_flow(raw, "example")
    return [(each.step, each.field, each.type) for each in refused.value.problems]
