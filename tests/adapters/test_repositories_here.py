"""Repositories by URL in what activities take and give: a path on this host in one, the URL in the other."""

from adapters.temporal.repositories_here import remotes_in, renamed
from domain.core.ids import StreamId, ThreadId
from domain.core.workspaces import RepositoryFacts, WorkspaceKind, WorkspaceSpec
from domain.flows.inputs import OpenedFlow, OpenFlowCall
from domain.threads.calls import OpenThreadCall, SettleCall, SettleTasksCall

URL = f"https://git.example/team/app.git@{'a' * 40}"


def call_on(repository: str) -> SettleTasksCall:
    workspace = WorkspaceSpec(
        workspace_id="w",
        kind=WorkspaceKind.TASK,
        repository=repository,
        thread_id=ThreadId("thread-1"),
        base="main",
    )
    one = SettleCall(key="k", task_id="t", workspace=workspace, branch="b", title=URL)
    return SettleTasksCall(calls=(one, one))


def test_a_repository_is_named_by_its_path_at_any_depth_and_by_nothing_else():
    call = call_on(URL)

    assert remotes_in(call) == {URL}
    here = renamed(call, {URL: "/data/app"})
    assert [each.workspace.repository for each in here.calls] == ["/data/app"] * 2
    assert here.calls[0].title == URL
    assert renamed(here, {"/data/app": URL}) == call


def test_repositories_beside_are_renamed_as_well():
    call = OpenThreadCall(thread_id="t", repository="/a", agent="x", also=(URL, "/b"))

    assert remotes_in(call) == {URL}
    assert renamed(call, {URL: "/data/app"}).also == ("/data/app", "/b")


def test_a_call_on_a_path_is_left_as_it_is():
    call = call_on("/home/ann/app")

    assert remotes_in(call) == set()
    assert renamed(call, {URL: "/data/app"}) is call


def test_a_flow_is_opened_in_its_checkout_and_keeps_the_url():
    call = OpenFlowCall(run_id=StreamId("flow-hello-1"), repository=URL)

    assert remotes_in(call) == {URL}
    assert renamed(call, {URL: "/data/app"}).repository == "/data/app"
    facts = RepositoryFacts(root="/data/app", head="a" * 40, head_branch="main")
    opened = OpenedFlow(facts=facts, branch="treadle/flow-hello-1", host="h")
    assert renamed(opened, {"/data/app": URL}).facts.root == URL
