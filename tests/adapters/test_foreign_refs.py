import pytest

from adapters.git.foreign_refs import is_treadles
from tests.adapters.task_specs import BRANCH, THREAD, spec_of


@pytest.mark.parametrize(
    ("ref", "is_ours"),
    [
        (f"refs/heads/{BRANCH}", True),
        ("refs/heads/treadle/other-2--task", True),
        ("refs/heads/main", False),
        ("refs/heads/treadle-of-mine", False),
        ("refs/tags/v1", False),
    ],
)
def test_branches_below_the_same_prefix_are_treadles(tmp_path, ref, is_ours):
    assert is_treadles(ref, spec_of(tmp_path, "one")) is is_ours


@pytest.mark.parametrize(
    ("name", "is_ours"), [("", True), ("--two", True), ("2", False), ("-two", False)]
)
def test_a_reviewer_at_a_commit_knows_the_branches_of_its_thread(tmp_path, name, is_ours):
    spec = spec_of(tmp_path, "one", branch=None).model_copy(update={"base": "9477e850" * 5})
    ref = f"refs/heads/own-prefix/{THREAD.removeprefix('thread-')}{name}"
    assert is_treadles(ref, spec) is is_ours


@pytest.mark.parametrize(
    ("ref", "is_ours"),
    [
        ("refs/heads/treadle/rename-the-field-f3f2b4--both", True),
        ("refs/heads/treadle/flow-review-3", True),
        ("refs/heads/feature/rename-the-field", False),
        ("refs/heads/rename-the-field-f3f2b4", False),
        ("refs/tags/x/rename-the-field-f3f2b4", False),
    ],
)
def test_at_a_commit_branches_of_other_threads_are_known_by_how_they_are_called(
    tmp_path, ref, is_ours
):
    spec = spec_of(tmp_path, "one", branch=None).model_copy(update={"base": "9477e850" * 5})
    assert is_treadles(ref, spec) is is_ours
