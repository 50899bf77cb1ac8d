"""The ids of a permission's options: none is taken for another answer than the one it is shown as."""

import pytest

from tests.adapters.test_acp_questions import ASK, keeper, lab, start

__all__ = ["keeper", "lab"]


@pytest.mark.parametrize(
    "options",
    [
        [("treadle-deny", "allow_once")],
        [("option-2", "allow_once"), ("n\no", "reject_once")],
        [("option-2", "allow_once"), ("option-2-", "allow_once"), ("n\no", "reject_once")],
    ],
    ids=str,
)
async def test_a_no_is_never_the_yes_that_an_agent_named_alike(lab, keeper, options):
    offered = [{"optionId": name, "name": kind, "kind": kind} for name, kind in options]
    turn, _ = await start(lab, keeper, {**ASK, "options": offered})
    (question,) = await keeper.asked()
    denial = question.options[-1]
    await keeper.answer(question, denial.option_id)

    assert denial.kind == "reject_once"
    assert len({option.option_id for option in question.options}) == len(question.options)
    assert not (await turn).text.startswith("allowed")
