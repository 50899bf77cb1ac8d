"""Who may start a workflow of ours."""

from temporalio import workflow
from temporalio.exceptions import ApplicationError


def check_start(workflow_id: str, thread_id: str, *, is_carried: bool, is_child: bool) -> None:
    """Refuse a start that is none of ours: anybody local may start workflows on a dev server.

    A state is carried only by a run that continued as new; a task or a session runs only under
    its thread; each has the id that its input says.
    """
    info = workflow.info()
    has_thread = info.parent is not None and info.parent.workflow_id == thread_id
    is_ours = info.workflow_id == workflow_id and has_thread is is_child
    if not is_ours or (is_carried and info.continued_run_id is None):
        raise ApplicationError("not started by Treadle", type="forbidden", non_retryable=True)
