"""A branch of several repositories merged into the person's own on real git: in all, or in none."""

import pytest

from adapters.git.branches import GitBranches
from adapters.git.landings import GitLandings
from adapters.git.several.landings import SeveralLandings
from domain.core.beside import OpenedBeside
from domain.core.changes import ChangesQuery
from domain.threads.landing.calls import BesideTarget, LandCall, LandingRefusedError
from tests.adapters.task_specs import BRANCH, THREAD


class KilledError(BaseException):
    """The worker is gone: nothing may catch it."""


@pytest.fixture
def landings(spawner, data_dir):
    return SeveralLandings(spawner, data_dir, {})


@pytest.fixture
async def call(lab):
    """The merge of a task that added a file to each repository and changed one of `api`."""
    spec, _ = await lab.worked("task-0")
    merged = await lab.merged(
        "task-1", own_note="1\n", **{"api_note": "1\n", "api_serve.py": "2\n"}
    )
    (api,) = spec.beside
    return LandCall(
        thread_id=THREAD,
        repository=str(lab.own),
        branch=BRANCH,
        commit=merged.commit,
        target="main",
        target_commit=lab.git(lab.own, "rev-parse", "main"),
        beside=(
            BesideTarget(
                **dict(api), target="main", target_commit=lab.git(lab.api, "rev-parse", "main")
            ),
        ),
    )


def is_merged(lab):
    return [(each / "note").exists() for each in (lab.own, lab.api)]


def mains(lab):
    return [lab.git(each, "rev-parse", "main") for each in (lab.own, lab.api)]


def clean(lab):
    return [lab.git(each, "status", "--porcelain") for each in (lab.own, lab.api)] == ["", ""]


async def test_all_checkouts_follow_their_branches(lab, landings, call):
    assert await landings.land(call) == call.commit

    assert mains(lab) == list(lab.tips())
    assert is_merged(lab) == [True, True]
    assert clean(lab)
    assert await landings.land(call) == call.commit
    assert not list((lab.data_dir / "landings").iterdir())


async def test_a_change_of_a_person_in_one_is_in_the_way_of_all(lab, landings, call):
    before = mains(lab)
    (lab.own / "note").write_text("mine\n")

    with pytest.raises(LandingRefusedError, match=r"nothing was merged in any repository.*note"):
        await landings.land(call)

    assert mains(lab) == before
    assert (lab.own / "note").read_text() == "mine\n"
    assert not (lab.api / "note").exists()
    assert (lab.api / "serve.py").read_text() == "serve(1)\n"
    assert lab.git(lab.api, "status", "--porcelain") == ""


async def test_changes_of_a_person_outlast_a_merge_that_is_put_back(lab, landings, call):
    (lab.own / "note").write_text("mine\n")
    (lab.api / "draft").write_text("draft\n")

    with pytest.raises(LandingRefusedError):
        await landings.land(call)

    assert (lab.api / "draft").read_text() == "draft\n"


@pytest.mark.parametrize("place", ["own", "api"])
async def test_a_target_that_has_moved_in_one_is_merged_in_none(lab, landings, call, place):
    repository = getattr(lab, place)
    lab.git(repository, "commit", "--quiet", "--allow-empty", "--message=mine")
    before = mains(lab)

    with pytest.raises(LandingRefusedError, match="has moved since you looked"):
        await landings.land(call)

    assert mains(lab) == before
    assert is_merged(lab) == [False, False]


async def test_a_conflict_in_one_merges_in_none(lab, landings, call):
    (lab.api / "serve.py").write_text("serve(9)\n")
    lab.git(lab.api, "commit", "--quiet", "--all", "--message=mine")
    (api,) = call.beside
    seen = api.model_copy(update={"target_commit": lab.git(lab.api, "rev-parse", "main")})
    before = mains(lab)

    with pytest.raises(
        LandingRefusedError, match=r"^in .*/api: .* conflicts with main in serve\.py"
    ):
        await landings.land(call.model_copy(update={"beside": (seen,)}))

    assert mains(lab) == before


async def killed_between(lab, landings, call, monkeypatch):
    """Merge until the first branch has moved, and be killed there."""
    bring = GitLandings.bring
    count = 0

    async def once(self, *arguments):
        nonlocal count
        count += 1
        if count == 2:
            raise KilledError
        return await bring(self, *arguments)

    monkeypatch.setattr(GitLandings, "bring", once)
    with pytest.raises(KilledError):
        await landings.land(call)
    monkeypatch.setattr(GitLandings, "bring", bring)
    assert is_merged(lab) == [False, True]


async def test_the_next_attempt_ends_what_a_killed_one_began(
    lab, landings, call, spawner, monkeypatch
):
    await killed_between(lab, landings, call, monkeypatch)

    assert await SeveralLandings(spawner, lab.data_dir, {}).land(call) == call.commit

    assert mains(lab) == list(lab.tips())
    assert is_merged(lab) == [True, True]
    assert clean(lab)


async def test_a_branch_that_a_person_moved_after_a_kill_puts_the_other_back(
    lab, landings, call, spawner, monkeypatch
):
    await killed_between(lab, landings, call, monkeypatch)
    before = call.beside[0].target_commit
    lab.git(lab.own, "commit", "--quiet", "--allow-empty", "--message=mine")
    mine = lab.git(lab.own, "rev-parse", "main")

    with pytest.raises(LandingRefusedError, match="has moved since you looked"):
        await SeveralLandings(spawner, lab.data_dir, {}).land(call)

    assert mains(lab) == [mine, before]
    assert is_merged(lab) == [False, False]
    assert clean(lab)


async def test_what_is_to_be_merged_is_shown_of_all_repositories(lab, spawner, data_dir, call):
    beside = OpenedBeside(
        **{
            name: getattr(call.beside[0], name)
            for name in ("name", "repository", "begins_at", "since")
        },
        head_branch="main",
    )
    query = ChangesQuery(
        query_id="q",
        thread_id=THREAD,
        host="here",
        repository=call.repository,
        branch=BRANCH,
        begins_at=call.target_commit,
        target="main",
        beside=(beside,),
    )

    (api,) = (await GitBranches(spawner, data_dir).compare(query)).beside

    assert (api.name, api.commit, api.target) == ("api", lab.tips()[1], "main")
    assert api.target_commit == call.beside[0].target_commit
