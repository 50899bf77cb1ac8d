"""A thread is opened on several repositories with its branch in all of them, or in none."""

import pytest
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.threads import OpeningFiles, ThreadOpening
from adapters.files.template_files import TemplateFiles
from adapters.files.trusted_templates import TrustedTemplates
from adapters.git.demo_repositories import GitDemoRepositories
from adapters.git.thread_branches import GitThreadBranches
from domain.core.errors import RepositoryError
from domain.core.ids import ThreadId
from domain.threads.calls import OpenThreadCall
from domain.threads.lifecycle.calls import MergeSessionCall, RemovalCall
from tests.adapters.task_specs import BRANCH, THREAD
from tests.fakes import OneAgent

OPENED = "treadle/x-1a2b3c"


@pytest.fixture
def open_thread(lab, spawner, data_dir, tmp_path):
    """Open a thread on the lab's repository and others, as the worker does."""
    templates = TemplateFiles(tmp_path / "config", trusted=TrustedTemplates(data_dir))
    demos = GitDemoRepositories(spawner, data_dir)
    opening = ThreadOpening(lab.port, demos, OpeningFiles(templates, OneAgent()), "host")

    async def run(*also):
        call = OpenThreadCall(
            thread_id=ThreadId("thread-x-1a2b3c"),
            repository=str(lab.own),
            agent="fake",
            also=tuple(map(str, also)),
        )
        return await ActivityEnvironment().run(opening.open_thread, call)

    return run


def branches(lab, repository):
    return lab.git(repository, "branch", "--format=%(refname:short)").splitlines()


async def test_the_branch_begins_in_all_where_each_stands(lab, open_thread):
    opened = await open_thread(lab.api)

    (api,) = opened.beside
    assert (opened.name, api.name, api.repository) == ("project", "api", str(lab.api))
    assert opened.begins_at == api.since == lab.git(lab.own, "rev-parse", OPENED)
    assert api.begins_at == lab.git(lab.api, "rev-parse", OPENED)
    assert api.head_branch == "main"
    assert await open_thread(lab.api) == opened


async def test_a_template_that_would_publish_says_that_it_does_not(lab, open_thread, tmp_path):
    file = tmp_path / "config/plan-templates/default/TEMPLATE.md"
    file.parent.mkdir(parents=True)
    file.write_text("---\nname: Ours\ngit: {openPR: true}\n---\n")

    assert "openPR is ignored" in (await open_thread(lab.api)).template.warnings[-1]


async def test_a_branch_in_the_way_in_one_leaves_none_in_the_others(lab, open_thread):
    lab.git(lab.api, "branch", f"{OPENED}/taken")

    with pytest.raises(ApplicationError, match="there cannot be a branch") as caught:
        await open_thread(lab.api)

    assert caught.value.type == "branch_conflict"
    assert OPENED not in branches(lab, lab.own)


@pytest.mark.parametrize("folder", ["again", "linked"])
async def test_a_repository_cannot_be_beside_itself(lab, open_thread, tmp_path, folder):
    linked = tmp_path / "linked"
    lab.git(lab.own, "worktree", "add", "--quiet", "--detach", str(linked))

    with pytest.raises(ApplicationError, match=r"twice|the same repository"):
        await open_thread(lab.own if folder == "again" else linked)

    assert OPENED not in branches(lab, lab.own)


async def test_what_is_no_repository_opens_nothing(lab, open_thread, tmp_path):
    (tmp_path / "plain").mkdir()

    with pytest.raises(ApplicationError, match="not a git repository"):
        await open_thread(tmp_path / "plain")

    assert OPENED not in branches(lab, lab.own)


async def test_a_missing_base_in_one_makes_no_branch(lab):
    bases = {str(lab.own): "main", str(lab.api): "nowhere"}

    with pytest.raises(RepositoryError, match="nowhere"):
        await lab.port.create_branches("treadle/other", bases)

    assert "treadle/other" not in branches(lab, lab.own)


async def test_the_changes_of_a_chat_are_merged_in_all(lab, spawner, data_dir):
    spec, commit = await lab.worked("task-1", own_note="1\n", api_note="1\n")
    call = MergeSessionCall(
        key="keep-1",
        repository=spec.repository,
        beside=spec.beside,
        session_id=f"{THREAD}/session-1",
        branch=BRANCH,
        title="Keep changes",
        commit=commit,
    )

    merged = await GitThreadBranches(spawner, data_dir).merge_session(call)

    assert merged.commit == lab.tips()[0]
    assert lab.shows(lab.own, "note") == lab.shows(lab.api, "note") == "1"


async def test_a_thread_that_is_removed_leaves_nothing_in_any(lab, spawner, data_dir):
    spec, _ = await lab.worked("task-1", own_note="1\n", api_note="1\n")
    await lab.port.release(spec)
    call = RemovalCall(
        thread_id=THREAD,
        repository=spec.repository,
        beside=spec.beside,
        branch=BRANCH,
        stems=("treadle/task-1",),
        workspaces=(spec,),
        is_forced=True,
    )

    await GitThreadBranches(spawner, data_dir).remove(call)

    for each in (lab.own, lab.api):
        assert BRANCH not in branches(lab, each)
        assert lab.git(each, "for-each-ref", "refs/treadle/") == ""
