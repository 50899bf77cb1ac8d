"""Where flow files are looked for, which are taken, and what is told of the others."""

import json
import os
from pathlib import Path

import pytest

from adapters.files.flow_files import FlowFiles
from adapters.files.trusted_files import TrustedFiles
from domain.core.errors import InvalidError, NotShownError
from domain.flows.problems import FlowBrokenError, FlowNotTrustedError, UnknownFlowError

CODER = {"agentType": "coding_agent", "identifier": "coder"}
SAYS = {"type": "llm", **CODER, "messages": [{"role": "user", "content": ["Go on."]}]}
RUNS = {"type": "command", "command": "make test"}
REPO, OURS, BUILT_IN = "repo/flows", "config/flows", "built-in/flows"


class FlowLab(FlowFiles):
    """The flows of a folder: `repo`, `config`, `built-in` and `data` lie in it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            folder / "config",
            trusted=TrustedFiles(folder / "data", "flow"),
            built_in=folder / "built-in/flows",
        )
        self.folder = folder
        self.repository = str(folder / "repo")
        (folder / "repo/.git").mkdir(parents=True)
        (folder / "repo/.git/HEAD").write_text("ref: refs/heads/main\n")

    def put(self, path: str, content: str | bytes) -> Path:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def flow(self, path: str, *steps: object) -> Path:
        return self.put(f"{path}.json", json.dumps({"steps": steps or [SAYS]}))

    def listed(self) -> dict[str, str]:
        found = self.found(self.repository)
        return {each.choice: each.problems[0].type if each.problems else "" for each in found}

    def problem(self, content: str | bytes):
        self.put(f"{REPO}/x.json", content)
        first = self.one("x", self.repository).problems[0]
        return first.type, first.line, first.column


@pytest.fixture
def lab(tmp_path: Path) -> FlowLab:
    return FlowLab(tmp_path)


def test_the_repositorys_flow_goes_before_the_users_and_ours(lab: FlowLab):
    for place in (REPO, "repo/.treadle/flows", OURS, BUILT_IN):
        lab.flow(f"{place}/hello")
    lab.flow(f"{OURS}/mine")

    found = lab.found(lab.repository)

    assert [(each.choice, each.is_hidden) for each in found] == [
        ("repository:hello", False),
        ("repository:hello", True),
        ("user:hello", True),
        ("user:mine", False),
        ("built-in:hello", True),
    ]
    assert lab.one("hello", lab.repository).path == str(lab.folder / REPO / "hello.json")
    assert lab.one("user:hello", lab.repository).path == str(lab.folder / OURS / "hello.json")
    assert lab.one("hello", None).choice == "user:hello"


def test_any_folder_of_a_repository_stands_for_it(lab: FlowLab):
    lab.flow(f"{REPO}/hello")
    (lab.folder / "repo/src").mkdir()

    assert lab.one("hello", str(lab.folder / "repo/src")).definition


def test_no_folder_is_no_flow(lab: FlowLab):
    assert lab.found(lab.repository) == []
    with pytest.raises(UnknownFlowError, match="there are: none"):
        lab.one("hello", lab.repository)


def test_a_file_is_read_afresh_each_time(lab: FlowLab):
    lab.flow(f"{REPO}/hello")
    before = lab.definition("hello", lab.repository)

    lab.flow(f"{REPO}/hello", SAYS, SAYS)
    after = lab.definition("hello", lab.repository)
    lab.put(f"{REPO}/hello.json", '{"steps": [')

    assert (before.total, after.total) == (1, 2)
    assert before.content_hash != after.content_hash
    with pytest.raises(FlowBrokenError, match="line 1, column 12: the text ends too soon"):
        lab.definition("hello", lab.repository)
    (lab.folder / REPO / "hello.json").unlink()
    with pytest.raises(UnknownFlowError):
        lab.definition("hello", lab.repository)


def test_names_that_can_be_none_are_listed_with_the_reason(lab: FlowLab):
    lab.flow(f"{REPO}/good_one-2")
    for name in (".json", "a.b.json", "-x.json", "a b.json", "new\nline.json", "ü.json"):
        lab.put(f"{REPO}/{name}", "{}")
    lab.put(f"{REPO}/{'n' * 200}.json", "{}")
    lab.flow(f"{REPO}/twice")
    lab.flow(f"{REPO}/Twice")
    lab.put(f"{REPO}/notes.txt", "no flow")
    (lab.folder / REPO / "folder.json").mkdir()

    listed = lab.listed()

    assert listed.pop("repository:good_one-2") == ""
    assert listed.pop("repository:twice") == listed.pop("repository:Twice") == "ambiguous_name"
    assert set(listed.values()) == {"bad_name"}
    assert len(listed) == 7
    assert all(choice.isprintable() for choice in listed)
    with pytest.raises(FlowBrokenError, match="differ in upper and lower case only"):
        lab.definition("twice", lab.repository)


@pytest.mark.parametrize("choice", ["../x", "/etc/passwd", "", "a/b", "x\0", "nobody:x", "x" * 500])
def test_a_choice_is_a_name_and_no_path(lab: FlowLab, choice: str):
    lab.flow("repo/x")

    with pytest.raises(UnknownFlowError):
        lab.one(choice, lab.repository)


def test_links_and_fifos_are_not_followed(lab: FlowLab):
    outside = lab.flow("elsewhere/secret")
    (lab.folder / REPO).mkdir(parents=True)
    (lab.folder / REPO / "link.json").symlink_to(outside)
    os.mkfifo(lab.folder / REPO / "fifo.json")

    assert lab.listed() == {"repository:fifo": "unreadable", "repository:link": "unreadable"}


def test_a_linked_folder_of_a_repository_is_told_of_and_harms_no_other(lab: FlowLab):
    lab.flow("elsewhere/secret")
    (lab.folder / REPO).symlink_to(lab.folder / "elsewhere")
    lab.flow(f"{OURS}/mine")

    assert lab.listed() == {"repository:flows": "unreadable", "user:mine": ""}
    assert lab.one("mine", lab.repository).definition


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("", ("invalid_json", 1, 1)),
        ("[]", ("bad_value", 1, 1)),
        ("null", ("bad_value", 1, 1)),
        ("{}", ("missing_field", 1, 1)),
        ('{\n  "steps": {}\n}', ("bad_value", 2, 12)),
        ('{\n  // why\n  "steps": []\n}', ("invalid_json", 2, 3)),
        ('{"steps": [1,\n]}', ("invalid_json", 2, 1)),
        ('{"steps": [],\n "steps": []}', ("duplicate_key", 2, 2)),
        ('{"steps": [\n{"type": "wait", "seconds": NaN}]}', ("invalid_json", 2, 29)),
        ('{"steps": [\n{"type": "wait",\n "seconds": 1e999}]}', ("bad_value", 3, 13)),
        ('{"steps": [{"type": "wait",\n "seconds": ' + "9" * 9000 + "}]}", ("bad_value", 2, 13)),
        ("[" * 9000, ("too_deep", 1, 65)),
        ('{"steps": "' + '\\"' * 100_000, ("invalid_json", 1, 11)),
        (b'{"steps":\n"\xff"}', ("not_utf8", 2, 1)),
        (b"x" * (256 * 1024 + 1), ("too_large", 0, 0)),
        ('{"steps": [{"type": "wait"}], "\\ud800": 1}', ("bad_value", 1, 1)),
    ],
)
def test_what_is_no_flow_is_reported_with_its_line(lab: FlowLab, content: str | bytes, found):
    assert lab.problem(content) == found


def test_a_mark_of_the_byte_order_and_windows_lines_are_fine(lab: FlowLab):
    text = json.dumps({"steps": [SAYS]}, indent=2).replace("\n", "\r\n")
    lab.put(f"{REPO}/x.json", b"\xef\xbb\xbf" + text.encode())

    assert lab.one("x", lab.repository).definition


def test_a_problem_says_line_step_and_field(lab: FlowLab):
    steps = [{"type": "startLoop", "steps": [SAYS, {**SAYS, "agentType": 3}]}]
    lab.put(f"{REPO}/x.json", json.dumps({"steps": steps}, indent=1))

    with pytest.raises(FlowBrokenError) as refused:
        lab.definition("x", lab.repository)

    assert (
        "line 21, column 19, step 2, steps[0].steps[1].agentType: `agentType` must be a text, "
        "not 3 (bad_value)" in refused.value.message
    )


def test_a_repositorys_commands_run_only_once_they_are_trusted(lab: FlowLab):
    file = lab.flow(f"{REPO}/build", RUNS)
    lab.flow(f"{OURS}/mine", RUNS)
    lab.flow(f"{BUILT_IN}/ours", RUNS)

    with pytest.raises(FlowNotTrustedError, match="make test"):
        lab.definition("build", lab.repository)
    shown = lab.one("build", lab.repository)
    lab.trust("build", lab.repository, shown.content_hash, "ada")
    assert lab.definition("build", lab.repository).commands == ("make test",)
    assert lab.definition("mine", lab.repository)
    assert lab.definition("ours", lab.repository)

    file.write_text(file.read_text().replace("make test", "rm -rf ~"))
    with pytest.raises(FlowNotTrustedError):
        lab.definition("build", lab.repository)
    with pytest.raises(NotShownError):
        lab.trust("build", lab.repository, shown.content_hash, "ada")


def test_a_flow_without_commands_needs_no_trust_and_a_broken_one_gets_none(lab: FlowLab):
    lab.flow(f"{REPO}/talk")
    lab.put(f"{REPO}/broken.json", "{}")

    assert lab.definition("talk", lab.repository).total == 1
    with pytest.raises(InvalidError, match="can't be used"):
        lab.trust("broken", lab.repository, "x", "ada")


def test_of_many_files_the_first_ones_count(lab: FlowLab):
    for number in range(201):
        lab.flow(f"{REPO}/f{number:03}")

    found = lab.found(lab.repository)

    assert len(found) == 201
    assert found[-1].problems[0].type == "too_many"
