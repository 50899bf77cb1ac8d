"""What models send as reviews: any usual shape is read, what it means is never guessed."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.errors import InvalidError
from domain.core.wire import size_bytes
from domain.verification.reviews import (
    MAX_BYTES,
    MAX_FINDINGS,
    Finding,
    Review,
    ReviewVerdict,
    Severity,
    read_review,
)

MAJOR = {"file": "src/a.py", "line": 3, "severity": "major", "text": "It leaks."}
READ = Finding(file="src/a.py", line=3, severity=Severity.MAJOR, text="It leaks.")


def wanted(*findings: Any) -> dict[str, Any]:
    return {"verdict": "request_changes", "summary": "No.", "findings": list(findings)}


@pytest.mark.parametrize(
    "sent",
    [
        wanted(MAJOR),
        {"review": wanted(MAJOR)},
        {"review": json.dumps(wanted(MAJOR))},
        json.dumps(wanted(MAJOR)),
        wanted(MAJOR, MAJOR),
        wanted(json.dumps(MAJOR)),
        {**wanted(), "findings": MAJOR},
        {**wanted(), "findings": json.dumps([MAJOR])},
        {"verdict": "Changes requested", "feedback": " No.\n", "issues": [MAJOR]},
        {"verdict": "REQUEST-CHANGES", "summary": "No.", "comments": [MAJOR]},
        wanted({**MAJOR, "severity": "High"}),
        wanted({**MAJOR, "line": "3"}),
        wanted({**MAJOR, "line": "L3-L9"}),
        wanted({**MAJOR, "line": [3, 9]}),
        wanted({**MAJOR, "file": "./src/a.py"}),
        wanted({**MAJOR, "file": "src/a.py:3", "line": None}),
        wanted({"path": "src/a.py:3-9", "severity": "error", "message": "It leaks."}),
        wanted(
            {"filename": "src/a.py", "line_number": 3, "severity": "major", "title": "It leaks."}
        ),
    ],
)
def test_the_shapes_in_which_models_send_a_review_are_read_as_one(sent: Any) -> None:
    assert read_review(sent) == Review(
        verdict=ReviewVerdict.REQUEST_CHANGES, summary="No.", findings=(READ,)
    )


@pytest.mark.parametrize("nothing", [None, [], "", "[]"])
def test_an_approval_needs_no_finding(nothing: Any) -> None:
    review = read_review({"verdict": "approve", "summary": "Fine.", "findings": nothing})
    assert review == Review(verdict=ReviewVerdict.APPROVE, summary="Fine.")


@pytest.mark.parametrize("line", [None, 0, "0", ""])
def test_a_finding_without_a_line_is_about_its_file(line: Any) -> None:
    (finding,) = read_review(wanted({**MAJOR, "line": line})).findings
    assert (finding.line, finding.as_line) == (None, "src/a.py (major): It leaks.")


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        (None, "a review is"),
        ("looks good to me", "a review is"),
        ([], "a review is"),
        (f"{'[' * 100_000}", "a review is"),
        ({"summary": "x"}, "verdict: missing; give one of: approve, request_changes"),
        ({"verdict": "maybe"}, "verdict: 'maybe'; give one of"),
        ({"verdict": True}, "verdict: 'True'"),
        ({"verdict": ["approve"]}, "verdict:"),
        ({"verdict": "approve", "findings": [MAJOR]}, "approve, with a major"),
        (wanted(), "needs a finding that says what must change"),
        (wanted({**MAJOR, "severity": "nit"}), "needs a finding that says what must change"),
        (wanted({**MAJOR, "severity": "bad"}), "findings[0].severity: 'bad'; give one of: blocker"),
        (wanted({"text": "x"}), "findings[0].severity: missing"),
        (wanted("It leaks."), "findings[0].severity: missing"),
        (wanted({**MAJOR, "text": " "}), "findings[0].text: say what is wrong"),
        (wanted(MAJOR, {**MAJOR, "line": "end"}), "findings[1].line: 'end' is no line number"),
        (wanted({**MAJOR, "line": True}), "findings[0].line: 'True' is no line number"),
        (wanted({**MAJOR, "line": -3}), "findings[0].line: '-3' is no line number"),
        (wanted({**MAJOR, "file": ["a", "b"]}), "findings[0].file: give one path"),
        (wanted({**MAJOR, "file": "a\nb"}), "findings[0].file: give one path"),
        (wanted(*[{**MAJOR, "text": f"{n}"} for n in range(51)]), "51 findings, at most 50"),
        (wanted(*[{**MAJOR, "text": f"{n}{'x' * 1_000}"} for n in range(20)]), "bytes: say them"),
    ],
)
def test_what_a_review_leaves_open_is_a_problem_in_words(sent: Any, words: str) -> None:
    with pytest.raises(InvalidError) as refused:
        read_review(sent)
    assert words in refused.value.message


def test_all_problems_are_reported_at_once() -> None:
    sent = {"verdict": "hm", "findings": [{"line": "x"}, {"severity": "major"}]}
    with pytest.raises(InvalidError) as refused:
        read_review(sent)
    lines = [line.split(":")[0] for line in refused.value.message.splitlines()]
    assert lines == [
        "verdict",
        "findings[0].severity",
        "findings[0].text",
        "findings[0].line",
        "findings[1].text",
    ]


def test_long_words_are_cut_and_marked() -> None:
    review = read_review({**wanted({**MAJOR, "text": "x" * 9_000}), "summary": "y" * 9_000})
    assert len(review.summary) == 3_000
    assert review.summary.endswith("[... cut]")
    assert len(review.findings[0].text) == 2_000


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
fields = st.sampled_from(["file", "path", "line", "lines", "severity", "text", "title", "x"])
words = st.sampled_from(["approve", "request_changes", "lgtm", "major", "nit", "a.py:3", "12"])
reviews = st.fixed_dictionaries(
    {},
    optional={
        "verdict": words | anything,
        "summary": anything,
        "findings": anything | st.lists(st.dictionaries(fields, words | anything)),
    },
)


@given(anything | reviews)
def test_whatever_comes_gives_a_bounded_review_or_a_refusal(sent: Any) -> None:
    try:
        review = read_review(sent)
    except InvalidError:
        return
    grave = {f.severity for f in review.findings} - {Severity.NOTE}
    if review.verdict is ReviewVerdict.APPROVE:
        assert grave <= {Severity.MINOR}
    else:
        assert grave
    assert len(review.findings) <= MAX_FINDINGS
    assert size_bytes(review) < MAX_BYTES + 20_000
