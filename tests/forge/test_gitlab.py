"""What GitLab alone has: pipelines of merged results, and those of forks in the target's project."""

from collections.abc import Iterator

import pytest

from domain.forges.projects import ForgeKind
from domain.forges.pull_requests import CheckState
from tests.forge.adapters import opened
from tests.forge.double import Double, forge_double


@pytest.fixture
def gitlab() -> Iterator[Double]:
    with forge_double(ForgeKind.GITLAB) as double:
        yield double
    assert double.wrong == []


async def test_the_jobs_of_a_merged_result_are_checks_of_the_head(gitlab: Double):
    it = await opened(gitlab)
    it.pull.merged_result, it.pull.result_of = gitlab.commit(), it.pull.commit
    gitlab.set_check(it.pull.commit, "treadle", "passed")
    gitlab.set_check(it.pull.merged_result, "test", "failed", log="assert 1 == 2")
    first = await it.look({})
    assert first.view is not None
    checks = {check.name: check for check in first.view.checks}

    assert {name: check.state for name, check in checks.items()} == {
        "treadle": CheckState.PASSED,
        "test": CheckState.FAILED,
    }
    assert (await it.forges.check_log(it.of, checks["test"].id, 100)) == "assert 1 == 2"
    assert (await it.look(first.tags)).view is None
    gitlab.set_check(it.pull.merged_result, "test", "passed")
    second = (await it.look(first.tags)).view
    assert second is not None
    assert {check.state for check in second.checks} == {CheckState.PASSED}


async def test_the_pipeline_of_the_last_head_says_nothing_of_a_new_one(gitlab: Double):
    it = await opened(gitlab)
    it.pull.merged_result, it.pull.result_of = gitlab.commit(), it.pull.commit
    gitlab.set_check(it.pull.merged_result, "test", "passed")
    before = await it.view()
    gitlab.push_as(gitlab.path, it.pull.head)

    assert [check.name for check in before.checks] == ["test"]
    assert (await it.view()).checks == ()


async def test_the_log_of_a_job_is_read_where_the_job_ran(gitlab: Double):
    it = await opened(gitlab)
    gitlab.set_check(it.pull.commit, "test", "failed", log="assert 1 == 2")
    (check,) = (await it.view()).checks
    gitlab.requests.clear()
    tail = await it.forges.check_log(it.of, check.id, 100)

    assert tail == "assert 1 == 2"
    assert f"/projects/{it.pull.head_project.id}/jobs/" in gitlab.requests[0]


@pytest.mark.parametrize("check", ["job:7", "job:1/7"])
async def test_a_job_that_is_not_there_has_no_log(gitlab: Double, check: str):
    it = await opened(gitlab)

    assert await it.forges.check_log(it.of, check, 100) == ""
