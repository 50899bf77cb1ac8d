"""Comments on lines: how an agent reads them, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.approval_commands import Reject
from domain.core.approvals import ApprovalRequest, Outcome, Subject, without_feedback
from domain.core.comments import MAX_COMMENTS, LineComment, Side, with_comments
from domain.core.decisions import settle_verdict
from domain.core.errors import AlreadyDecidedError, InvalidError

GATE = ApprovalRequest(
    request_id="a/gate-1-1", subject=Subject.GATE, title="A", content_hash="f" * 64
)
PLAN = GATE.model_copy(update={"request_id": "plan-1", "subject": Subject.PLAN})
comments = st.builds(
    LineComment,
    path=st.text(min_size=1, max_size=30),
    line=st.integers(1, 9_999),
    side=st.sampled_from(Side),
    text=st.text(min_size=1, max_size=60),
)


def rejected(request, feedback="", *said):
    return Reject(
        request_id=request.request_id,
        content_hash=request.content_hash,
        feedback=feedback,
        comments=said,
        by="ann",
    )


def settled(request, feedback="", *said) -> Outcome:
    outcome = settle_verdict(rejected(request, feedback, *said), request, {})
    assert outcome is not None
    return outcome


def test_a_second_rejection_with_other_feedback_is_refused_and_not_lost():
    said = LineComment(path="b.py", line=12, text="why?")
    outcomes = {GATE.request_id: settled(GATE, "Nearly.")}
    assert settle_verdict(rejected(GATE, "Nearly."), None, outcomes) is None
    for other in (rejected(GATE, "Not at all."), rejected(GATE, "Nearly.", said)):
        with pytest.raises(AlreadyDecidedError, match="already decided: rejected by 'ann'"):
            settle_verdict(other, None, outcomes)
    carried = without_feedback(outcomes)
    assert settle_verdict(rejected(GATE, "Not at all."), None, carried) is None


def test_comments_follow_the_feedback_in_their_order():
    said = (
        LineComment(path="b.py", line=12, text="why?\nreally"),
        LineComment(path="a.py", line=3, side=Side.OLD, text="keep it"),
    )
    outcome = settled(GATE, "Nearly.\n", *said)
    assert (
        outcome.full_feedback == "Nearly.\n\nb.py:12 (new): why?\n  really\na.py:3 (old): keep it"
    )
    assert (outcome.feedback, outcome.comments) == ("Nearly.\n", said)
    assert settled(GATE, "Nearly.\n").full_feedback == "Nearly.\n"


@given(st.lists(comments, max_size=5))
def test_every_comment_begins_one_line_that_no_path_and_no_text_can_forge(said):
    lines = with_comments("", said).splitlines()
    heads = [line for line in lines if not line.startswith("  ")]
    tails = [f":{each.line} ({each.side}): " for each in said]
    assert len(heads) == len(said)
    assert all(tail in head for tail, head in zip(tails, heads, strict=True))
    assert not any(
        "\t" in head[: head.index(tail)] for tail, head in zip(tails, heads, strict=True)
    )
    assert not any(ord(letter) < 32 for line in lines for letter in line.replace("\t", ""))


def test_a_rejection_needs_feedback_or_comments():
    one = LineComment(path="a.py", line=1, text="no")
    assert settled(GATE, "", one).comments == (one,)
    with pytest.raises(InvalidError, match="needs feedback"):
        settled(GATE)


def test_comments_are_of_a_diff_and_bearable():
    one = LineComment(path="a.py", line=1, text="x" * 1_000)
    with pytest.raises(InvalidError, match="plan in the feedback"):
        settled(PLAN, "no", one)
    with pytest.raises(InvalidError, match="KiB together"):
        settled(GATE, "", *[one] * MAX_COMMENTS)
