"""Flow files that name others: found as for a run, trusted together, and told where they can't be had."""

import json
from pathlib import Path

import pytest

from domain.flows.problems import FlowBrokenError, FlowNotTrustedError
from tests.adapters.test_flow_files import BUILT_IN, OURS, REPO, RUNS, SAYS, FlowLab


@pytest.fixture
def lab(tmp_path: Path) -> FlowLab:
    return FlowLab(tmp_path)


def names(*flows: str) -> dict[str, object]:
    return {"type": "subflow", "flowNames": list(flows)}


def test_names_are_looked_for_as_for_a_run(lab: FlowLab):
    lab.flow(f"{OURS}/whole", names("part", "own"))
    lab.flow(f"{OURS}/own")
    lab.flow(f"{OURS}/part")
    lab.flow(f"{REPO}/part")

    flow = lab.definition("whole", lab.repository)

    assert [(each.name, each.scope) for each in flow.subflows] == [
        ("part", "repository"),
        ("own", "user"),
    ]
    assert [each.scope for each in lab.definition("whole", None).subflows] == ["user", "user"]


def test_a_yes_is_for_the_commands_of_all_as_they_are(lab: FlowLab):
    part = lab.flow(f"{REPO}/part", RUNS)
    for folder in (REPO, OURS, BUILT_IN):
        lab.flow(f"{folder}/{folder.partition('/')[0]}", names("part"))

    for whole in ("repo", "config", "built-in"):
        with pytest.raises(FlowNotTrustedError, match="make test"):
            lab.definition(whole, lab.repository)
        shown = lab.one(whole, lab.repository)
        lab.trust(whole, lab.repository, shown.content_hash, "ada")
        assert lab.definition(whole, lab.repository).commands == ("make test",)
    with pytest.raises(FlowNotTrustedError):
        lab.definition("part", lab.repository)

    part.write_text(part.read_text().replace("make test", "rm -rf ~"))
    with pytest.raises(FlowNotTrustedError, match="rm -rf"):
        lab.definition("repo", lab.repository)


def test_what_is_wrong_with_one_is_reported_at_the_name_in_lists_and_at_the_door(lab: FlowLab):
    text = json.dumps({"steps": [SAYS, {"type": "startLoop", "steps": [names("b")]}]}, indent=1)
    lab.put(f"{REPO}/a.json", text)
    lab.flow(f"{REPO}/b", names("a"))

    listed = {each.name: each.problems[0] for each in lab.found(lab.repository)}
    with pytest.raises(FlowBrokenError, match="come round to itself: a → b → a"):
        lab.definition("a", lab.repository)

    wrong = listed["a"]
    assert (wrong.type, wrong.step, wrong.field) == (
        "subflow_cycle",
        2,
        "steps[1].steps[0].flowNames",
    )
    assert "flowNames" in text.splitlines()[wrong.line - 1]
    assert listed["b"].message.endswith("b → a → b")


def test_a_text_is_checked_as_if_it_lay_in_the_repository(lab: FlowLab):
    lab.flow(f"{REPO}/b", names("a"))
    text = json.dumps({"steps": [names("b")]})

    assert lab.check(text, "flows/a.json", lab.repository).problems[0].type == "subflow_cycle"
    assert lab.check(text, "c", lab.repository).problems[0].message.endswith("c → b → a")
    assert lab.check(text, "a", None).problems[0].type == "unknown_flow"


@pytest.mark.parametrize(
    "given", [[], [""], ["../b"], ["b\n"], ["b", "b"], ["b", "B"], ["user:b"], ["x" * 64], "b", [3]]
)
def test_a_name_is_no_path_and_comes_once(lab: FlowLab, given):
    lab.flow(f"{REPO}/b")
    lab.flow(f"{REPO}/a", {"type": "subflow", "flowNames": given})

    found = lab.one("a", lab.repository)

    # what is around a name is trimmed, as everywhere
    assert [each.type for each in found.problems] == ([] if given == ["b\n"] else ["bad_value"])


def test_a_key_that_no_subflow_has_is_refused(lab: FlowLab):
    lab.flow(f"{REPO}/b")
    lab.flow(f"{REPO}/a", {**names("b"), "continueOnFailure": True})

    assert lab.one("a", lab.repository).problems[0].type == "unknown_field"
