"""What a TEMPLATE.md may say and what is refused, with its place."""

import pytest

from adapters.files.known_keys import unknown_keys
from adapters.files.template_text import BadTemplateError, read_template
from domain.core.four_eyes import FourEyes
from domain.plans.templates.template import BranchStrategy, PlanApproval, PlanTemplate


def read(*lines):
    return read_template("\n".join(["---", *lines, "---", "prose"]).encode(), "mine")


def step(text):
    return f"verification: {{steps: [{{{text}}}]}}"


def git(text):
    return f"git: {{{text}}}"


def ports(text):
    return f"resources: {{defaultPorts: [{text}]}}"


def hosts(text):
    return f"resources: {{hosts: [{text}]}}"


# row, lines of the frontmatter, type, line and column, words
REFUSED = [
    ("B34", [ports("{id: API}")], "bad_port_id", (2, 28), "'API'"),
    ("B34", [ports("{id: a_b}")], "bad_port_id", (2, 28), "lowercase"),
    ("B34", [ports("{id: a.b}")], "bad_port_id", (2, 28), "lowercase"),
    ("B34", [ports("{id: -a}")], "bad_port_id", (2, 28), "lowercase"),
    ("B34", [ports("{id: a-}")], "bad_port_id", (2, 28), "lowercase"),
    ("B34", [ports("{id: " + "a" * 64 + "}")], "bad_port_id", (2, 28), "at most 63"),
    ("B34", [ports("{id: '${x}'}")], "bad_port_id", (2, 28), "lowercase"),
    ("B35", [ports("{id: a}, {id: a}")], "duplicate_port", (2, 37), "twice"),
    ("B35", [ports(", ".join(f"{{id: p{n}}}" for n in range(50)))], "too_many", (2, 13), "10"),
    ("B9", [hosts("'*'")], "bad_host", (2, 21), "'*'"),
    ("B9", [hosts("'*.org'")], "bad_host", (2, 21), "below it"),
    ("B9", [hosts("a.example, 10.0.0.1")], "bad_host", (2, 32), "'10.0.0.1'"),
    ("B9", [hosts("'https://a.example'")], "bad_host", (2, 21), "'https://a.example'"),
    ("B9", [hosts("'a.example:443'")], "bad_host", (2, 21), "pypi.org"),
    ("B9", [hosts("''")], "bad_host", (2, 21), "pypi.org"),
    ("B9", [hosts(", ".join(f"h{n}.example" for n in range(51)))], "too_many", (2, 13), "50"),
    ("B36", ["planApproval: AUTO"], "bad_value", (2, 1), "'auto' or 'user'"),
    ("B37", [step("type: command")], "missing_field", (2, 24), "needs 'command'"),
    ("B37", [step("type: http_health")], "missing_field", (2, 24), "needs 'url'"),
    ("B37", [step("type: file_exists")], "missing_field", (2, 24), "needs 'path'"),
    ("B37", [step("command: make")], "missing_field", (2, 24), "type"),
    ("B37", [step("type: command, command: a, path: b")], "conflict", (2, 24), "one of them"),
    ("B38", [step("type: shell, command: a")], "unknown_step_type", (2, 25), "'script'"),
    ("B38", [step("type: Command, command: a")], "unknown_step_type", (2, 25), "'command'"),
    ("B38", [step("type: port_requested")], "unknown_step_type", (2, 24), "itself"),
    ("B39", [step("type: command, command: ' '")], "missing_field", (2, 24), "command"),
    ("B39", [step('type: command, command: "a\\0b"')], "bad_value", (2, 40), "NUL"),
    ("B39", [step("type: command, command: " + "x" * 9000)], "too_long", (2, 24), "8192"),
    ("B40", [step("type: command, command: '${ports.}'")], "unknown_port", (2, 24), "port ''"),
    ("B40", [step("type: command, command: '${ports.A}'")], "unknown_port", (2, 24), "'A'"),
    ("B41", [step("type: command, command: a, timeout: 0")], "bad_timeout", (2, 52), "1"),
    ("B41", [step("type: command, command: a, timeout: -5")], "bad_timeout", (2, 52), "1"),
    ("B41", [step("type: command, command: a, timeout: 1e12")], "bad_timeout", (2, 52), ""),
    ("B41", [step("type: command, command: a, timeout: 5m")], "bad_timeout", (2, 52), "whole"),
    ("B41", [step("type: command, command: a, timeout: true")], "bad_timeout", (2, 52), "whole"),
    ("B44", [git("branchPrefix: --upload-pack=x")], "bad_branch_prefix", (2, 7), "like"),
    ("B44", [git("branchPrefix: a..b")], "bad_branch_prefix", (2, 7), "like"),
    ("B44", [git("branchPrefix: a b")], "bad_branch_prefix", (2, 7), "like"),
    ("B44", [git("branchPrefix: '@{'")], "bad_branch_prefix", (2, 7), "like"),
    ("B44", [git("branchPrefix: x.lock")], "bad_branch_prefix", (2, 7), "like"),
    ("B44", [git("branchPrefix: x.lock/")], "bad_branch_prefix", (2, 7), "like"),
    ("B44", [git("branchPrefix: $(id)")], "bad_branch_prefix", (2, 7), "like"),
    ("B44", [git("branchPrefix: ;id")], "bad_branch_prefix", (2, 7), "like"),
    ("B44", [git('branchPrefix: "a\\nb"')], "bad_branch_prefix", (2, 7), "like"),
    ("B44", [git("branchPrefix: " + "x" * 300)], "bad_branch_prefix", (2, 7), "at most 60"),
    ("B44", [git("branchPrefix: refs/heads/")], "bad_branch_prefix", (2, 7), "like"),
    ("B44", [git("branchPrefix: ''")], "bad_branch_prefix", (2, 7), "like"),
    ("B44", [git("branchPrefix: a//")], "bad_branch_prefix", (2, 7), "like"),
    ("B44", [git("branchPrefix: /a")], "bad_branch_prefix", (2, 7), "like"),
    ("B44", [git("branchPrefix: ä/")], "bad_branch_prefix", (2, 7), "like"),
    ("B44", [git("branch_prefix: a..b")], "bad_branch_prefix", (2, 7), "branch_prefix"),
    ("B44", [git("prTarget: --force")], "bad_branch", (2, 7), "like 'main'"),
    ("B60", ["[1, 2]"], "not_a_mapping", (1, 1), "must be a mapping"),
    ("B60", ["only words"], "not_a_mapping", (1, 1), "must be a mapping"),
    ("B61", ["git:", "\topenPR: true"], "yaml_syntax", (3, 1), "not YAML"),
    ("B61", ["name: a: b"], "yaml_syntax", (2, 8), "not YAML"),
    ("B61", ["name: a", "description: \0"], "control_character", (3, 1), "control"),
    ("B62", ["name: &a x"], "yaml_feature_not_allowed", (2, 7), "anchors"),
    ("B62", ["git:", "  <<: {openPR: true}"], "yaml_feature_not_allowed", (3, 3), "merge"),
    ("B62", ["name: !!python/object:os.system x"], "yaml_feature_not_allowed", (2, 7), "tags"),
    ("B63", ["description: " + "x" * 65_536], "too_big", (0, 1), "at most 65536"),
    ("B63", ["x: " + "[" * 21 + "]" * 21], "too_deep", (2, 23), "deeper than 20"),
    ("B63", ["x: [" + "1," * 10_001 + "]"], "too_many_nodes", (2, 19999), "10000"),
    ("B63", ["planningHints: " + "x" * 17_000], "too_long", (2, 1), "16384"),
    ("B64", ["verification:", "  maxRetries: 3", "  maxRetries: 9"], "duplicate_key", (4, 3), ""),
    ("B65", [git("branchStrategy: no")], "bad_value", (2, 7), "'per-task' or 'shared'"),
    ("B65", [git("openPR: yes")], "wrong_type", (2, 7), "boolean"),
    ("B65", ["name: 10"], "wrong_type", (2, 1), "string"),
    ("B65", ["verification: {maxRetries: true}"], "wrong_type", (2, 16), "integer"),
    ("B65", ["verification: {maxRetries: '3'}"], "wrong_type", (2, 16), "integer"),
    ("B65", ["verification: {maxRetries: 99}"], "out_of_range", (2, 16), "10"),
    ("B65", ["verification: [a]"], "wrong_type", (2, 1), "object"),
    ("B66", ["Gate: auto"], "unknown_key", (2, 1), "did you mean 'gate'?"),
    ("B66", ["verification: {step: []}"], "unknown_key", (2, 16), "did you mean 'steps'?"),
    ("B66", ["planaproval: user"], "unknown_key", (2, 1), "did you mean"),
    ("B66", [f"k{n}: 1" for n in range(100)], "too_many", (1, 1), "100 keys"),
    ("B67", ["name: ''"], "bad_name", (2, 1), "1 to 80"),
    ("B67", ["name: " + "n" * 500], "bad_name", (2, 1), "80 characters"),
    ("B67", ["name: a/b"], "bad_name", (2, 1), "no '/'"),
    ("B67", ["name: a\u202eb"], "bad_name", (2, 1), "control characters"),
    ("B69", [step("type: file_exists, path: ../../x")], "bad_path", (2, 24), "out of"),
    ("B69", [step("type: file_exists, path: /etc/passwd")], "bad_path", (2, 24), "out of"),
    ("B69", [step("type: script, command: ../x.sh --now")], "bad_path", (2, 24), "out of"),
]


@pytest.mark.parametrize(
    ("row", "lines", "type_name", "place", "words"),
    REFUSED,
    ids=[f"{row}-{lines[-1][:50]}" for row, lines, *_ in REFUSED],
)
def test_what_is_refused_says_by_which_name_and_where(row, lines, type_name, place, words):
    with pytest.raises(BadTemplateError) as caught:
        read(*lines)
    problem = caught.value.problem
    assert (problem.type, (problem.line, problem.column)) == (type_name, place), problem.message
    assert words in problem.message
    assert len(problem.message) < 1000


@pytest.mark.parametrize(
    ("raw", "type_name"),
    [
        (b"", "not_a_mapping"),
        (b"# Title\n", "not_a_mapping"),
        (b"---\nname: x\n", "not_a_mapping"),
        (b"---\nname: x\n...\n---\nname: y\n---\n", None),
        ("---\nname: ä\n---\n".encode("latin-1"), "not_utf8"),
    ],
)
def test_a_file_without_one_whole_frontmatter_in_utf8_is_refused(raw, type_name):
    if type_name is None:
        assert read_template(raw, "mine").name == "x"
        return
    with pytest.raises(BadTemplateError) as caught:
        read_template(raw, "mine")
    assert caught.value.problem.type == type_name


def test_windows_line_ends_and_a_mark_of_byte_order_are_fine():
    template = read_template(b"\xef\xbb\xbf---\r\nname: x\r\n---\r\nprose\r\n", "mine")
    assert (template.name, template.guidance) == ("x", "prose")


def test_a_name_that_is_missing_is_the_folders():
    assert read("description: x").name == "mine"


@pytest.mark.parametrize("text", ["010", "2026-01-01", "12:30:00", "no", "on"])
def test_what_yaml_readers_differ_on_stays_text(text):
    assert read(f"description: {text}").description == text


def test_several_faults_are_reported_at_once_in_the_order_of_the_file():
    with pytest.raises(BadTemplateError) as caught:
        read(git("branchPrefix: a..b, prTarget: -x"), ports("{id: A}"), "name: a/b")
    problem = caught.value.problem
    assert (problem.line, problem.type) == (2, "bad_branch_prefix")
    places = [part.split(":")[0] for part in problem.message.split("; ")]
    assert places == [
        "line 2, column 7",
        "line 2, column 27",
        "line 3, column 28",
        "line 4, column 1",
    ]


def test_unknown_keys_are_warnings_with_their_line_and_the_template_is_used():
    template = read("licence: x", git("branchPrfix: x/, openPR: false"), "source: moon")
    assert template.warnings == (
        "line 2, column 1: the key 'licence' is not known and was passed over (unknown_key)",
        "line 3, column 7: the key 'git.branchPrfix' is not known and was passed over: did you "
        "mean 'branchPrefix'? (unknown_key)",
        "line 4, column 1: 'source' is Treadle's to say (set_by_treadle)",
    )
    assert template.source == "builtin"


@pytest.mark.parametrize(
    "key", ["Gate", "gates", "verification.step", "verification.steps.0.requird", "planapproval"]
)
def test_a_key_that_nearly_guards_something_is_told_apart(key):
    *folders, last = key.split(".")
    value: object = {last: True}
    for name in reversed(folders):
        value = [value] if name == "0" else {name: value}
    (found,) = unknown_keys(PlanTemplate, value)
    assert found.is_guarding
    assert "did you mean" in found.words


def test_a_step_that_needs_an_undeclared_port_is_a_warning():
    template = read(
        "verification:",
        "  steps:",
        "    - {type: http_health, url: 'http://127.0.0.1:${ports.web}/'}",
        "    - {type: review_agent, label: Security, prompt: look}",
    )
    (port,) = template.warnings
    assert port.startswith("line 4, column 7:")
    assert "'web': each task must declare it" in port


@pytest.mark.parametrize(
    ("text", "expected"),
    [("none", None), ("auto", PlanApproval.AUTO), ("user", PlanApproval.USER)],
)
def test_a_template_says_who_approves_the_plans_of_tasks(text, expected):
    assert read(f"planApproval: {text}").plan_approval is expected


def test_steps_that_say_that_they_are_required_are_kept():
    template = read(
        "verification:",
        "  steps:",
        "    - {type: command, label: Lint, command: make lint}",
        "    - {type: command, label: Audit, command: make audit, required: true}",
        "    - {type: command, command: make docs, required: false}",
        "  kept: [Lint]",
    )
    assert template.verification.kept == ("Audit",)
    assert [s.required for s in template.verification.steps] == [True, True, False]
    again = PlanTemplate.model_validate_json(template.model_dump_json())
    assert again == template


def test_both_spellings_are_read():
    camel = read(git("branchStrategy: shared, openPR: true, prTarget: main"))
    snake = read(git("branch_strategy: shared, open_pr: true, pr_target: main"))
    assert camel == snake
    assert camel.git.branch_strategy is BranchStrategy.SHARED


def test_thousands_of_wrong_values_cost_little():
    lines = ["verification:", "  steps:", *(["    - {type: x}"] * 2_000)]
    with pytest.raises(BadTemplateError, match="and 95 more"):
        read(*lines)


def test_a_template_asks_for_more_people():
    found = read("approvals: {planByAnother: true, gateApprovals: 3}")
    assert found.approvals.rule == FourEyes(plan_by_another=True, gate_approvals=3)
    assert PlanTemplate.model_validate_json(found.model_dump_json()) == found
    assert read().approvals.rule == FourEyes()


@pytest.mark.parametrize("count", [0, 11, "two"])
def test_a_template_asks_for_one_to_ten_people(count):
    with pytest.raises(BadTemplateError, match="gateApprovals"):
        read(f"approvals: {{gateApprovals: {count}}}")
