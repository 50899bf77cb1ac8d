"""The section of a pull request that tells its receipt."""

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from domain.evidence.section import BEGIN, END, with_section, without_section
from domain.evidence.words import sections_of, void_section_of
from domain.forges.pull_requests import MAX_FORGE_BODY
from tests.domain.receipt_lab import COMMIT, KEY, TREE, stated

SECTION, SHORT = sections_of(stated(), KEY.public.fingerprint)


@given(st.text(max_size=200))
def test_there_is_one_section_however_often_it_is_put_in(body: str):
    once = with_section(body, SECTION)

    assert with_section(once, SECTION) == once
    assert once.count(BEGIN) == once.count(END) == 1


def test_what_people_wrote_around_it_stays():
    body = f"before\n\n{BEGIN}\nold\n{END}\n\nafter"

    new = with_section(body, "new")

    assert "old" not in new
    assert without_section(new) == "before\n\nafter"


def test_a_section_whose_end_was_removed_is_replaced():
    assert "old" not in with_section(f"text\n{BEGIN}\nold", "new")


@given(st.integers(MAX_FORGE_BODY - 3000, MAX_FORGE_BODY))
def test_the_receipt_is_shortened_and_the_text_is_not(length: int):
    text = "x" * length
    body = with_section(text, SECTION, SHORT)

    assert len(body) <= MAX_FORGE_BODY
    assert without_section(body) == text
    room = MAX_FORGE_BODY - length - len(f"\n\n{BEGIN}\n\n{END}\n")
    shown = SECTION if len(SECTION) <= room else SHORT if len(SHORT) <= room else ""
    assert (shown in body) if shown else (body == text)


def test_the_lines_of_a_browser_leave_nothing_behind():
    body = with_section("one\r\n\r\ntwo", SECTION).replace("\n", "\r\n").replace("\r\r", "\r")

    assert without_section(f"{body}\r\nthree") == "one\r\n\r\ntwo\n\nthree"


def test_it_tells_tree_commands_and_who_approved():
    plan = stated().predicate.plan
    assert plan is not None
    assert f"plan revision 1, hash `{plan.content_sha256[:12]}`, approved by ada at " in SECTION
    assert "| passed (exit 0) | 1.2 s | `61affed06dc6` |" in SECTION
    assert "`codex m`: 1 turn, 15 tokens" in SECTION
    assert TREE in SECTION
    assert "make test" in SECTION
    assert "grace" in SECTION
    assert "0.25 USD" in SECTION


def test_what_the_policy_decided_is_no_person():
    approval = stated().predicate.approvals[-1]
    given = {"decider": "policy", "by": ("policy",)}
    receipt = stated().predicate.model_copy(
        update={"approvals": (approval.model_copy(update=given),)}
    )
    section, _ = sections_of(stated().model_copy(update={"predicate": receipt}), "f" * 64)

    assert "- gate of flag approved by the policy at " in section


def section_with(command: str, count: int = 1) -> str:
    step = stated().predicate.steps[0].model_copy(update={"command": command})
    receipt = stated().predicate.model_copy(update={"steps": (step,) * count})
    return sections_of(stated().model_copy(update={"predicate": receipt}), "f" * 64)[0]


def tokens_of(section: str) -> list[str]:
    return [token.type for token in MarkdownIt("commonmark").enable("table").parse(section)]


@given(st.text(st.sampled_from("a|`\\\n<>-# ") | st.characters(), max_size=60))
def test_no_command_steers_the_table(command: str):
    tokens = tokens_of(section_with(command))

    assert (tokens.count("td_open"), tokens.count("heading_open")) == (5, 1)


def test_a_command_ends_no_section():
    section = section_with(f"a | b ` {END} <img src=x>\n# heading")

    assert "\n# heading" not in section
    assert with_section(with_section("", section), section).count("## Receipt") == 1


def test_many_steps_are_folded_and_the_rest_is_counted():
    section = section_with("make", 50)

    assert "<details><summary>50 steps</summary>" in section
    assert "10 earlier steps in the signed file" in section
    assert tokens_of(section).count("td_open") == 5 * 40


def test_a_void_receipt_says_since_when():
    assert "Void since 2026-03-02" in void_section_of(TREE, COMMIT, "2026-03-02")
