"""Stacks of pull requests: found in the thread's branch, replayed, pushed and opened one by one."""

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.errors import translated
from activities.heartbeats import beating
from domain.forges.errors import ForgeBusyError
from domain.forges.ports import Forge, PullRequests
from domain.forges.pull_requests import PullRequest, PullRequestId
from domain.threads.publishing.stack_calls import (
    LayerAnswer,
    LayerCall,
    ReplayCall,
    Replayed,
    StackCall,
    StackFound,
)
from domain.threads.publishing.stack_ports import Stacks


class Stacking:
    """Each may be asked for again: what is there already stays."""

    def __init__(self, stacks: Stacks, forge: Forge, pull_requests: PullRequests | None) -> None:
        self._stacks = stacks
        self._forge = forge
        self._pull_requests = pull_requests

    @activity.defn
    async def find_stack(self, call: StackCall) -> StackFound:
        """Find the tasks in the thread's branch; reads only."""
        with translated():
            async with beating():
                return await self._stacks.find(call)

    @activity.defn
    async def replay_layer(self, call: ReplayCall) -> Replayed:
        """Put a layer's commits on top of others; another attempt makes other commits, of which one is pushed."""
        with translated():
            async with beating():
                return await self._stacks.replay(call)

    @activity.defn
    async def publish_layer(self, call: LayerCall) -> LayerAnswer:
        """Push a layer, and open its pull request or put it right; the one that is open already is found."""
        project = call.draft.project
        if obstacle := self._forge.obstacle(project):
            return LayerAnswer(obstacle=obstacle)
        if self._pull_requests is None:
            return LayerAnswer(obstacle="this worker cannot change pull requests: give it a token")
        with translated():
            async with beating():
                await self._stacks.push(call)
                try:
                    return LayerAnswer(pull_request=await self._opened(call, self._pull_requests))
                except ForgeBusyError as error:
                    raise ApplicationError(
                        error.message, type=error.type, next_retry_delay=error.wait
                    ) from error

    async def _opened(self, call: LayerCall, forge: PullRequests) -> PullRequest:
        draft = call.draft
        if not call.number:
            return await forge.open_pull_request(draft)
        of = PullRequestId(project=draft.project, number=call.number)
        await forge.edit(of, body=draft.body, base=draft.base)
        return PullRequest(number=call.number, url=call.url, is_new=False)
