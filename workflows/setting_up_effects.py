"""How a thread has its workspaces set up."""

from temporalio.exceptions import ActivityError

from activities.setting_up import SettingUp
from domain.core.ids import host_queue
from domain.recipes.results import SetUpResult
from domain.threads.setting_up.calls import SetUpCall
from domain.threads.setting_up.effects import EndSetUp, SetUpWorkspaces
from workflows import options
from workflows.failures import words_of
from workflows.thread_effects import carries
from workflows.thread_loop import ThreadLoop


@carries
async def _set_up(effect: SetUpWorkspaces, thread: ThreadLoop) -> None:
    opened = thread.state.opened
    if opened is None:
        return
    call = SetUpCall(
        thread_id=thread.input.thread_id,
        repository=opened.facts.root,
        commit=opened.begins_at or opened.facts.head,
        recipe=thread.state.set_up.recipe,
        hosts=opened.template.resources.hosts,
    )
    where = options.on(host_queue(opened.host), options.STEP)
    try:
        result = await thread.run_activity(SettingUp.set_up_workspaces, call, where)
    except ActivityError as error:
        result = SetUpResult(failure=words_of(error))
    thread.submit(EndSetUp(number=effect.number, result=result))
