"""The commands that speak REST."""

import typer

from cli import (
    agents,
    amend,
    browse,
    conflicts,
    decisions,
    diffs,
    export,
    files,
    flow_runs,
    fork,
    inbox,
    look,
    merging,
    plan,
    plan_files,
    questions,
    queue,
    report,
    run,
    schedules,
    steer,
    taking_back,
    templates,
    terminals,
    threads,
    timeline,
    trust,
    waiting,
    workflow_templates,
)

app = typer.Typer(
    name="treadle",
    no_args_is_help=True,
    add_completion=False,
    epilog="`treadle --version` tells the version.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for group in (
    run,
    inbox,
    threads,
    look,
    timeline,
    diffs,
    decisions,
    questions,
    steer,
    taking_back,
    files,
    fork,
    terminals,
    waiting,
    conflicts,
    merging,
    amend,
    export,
    report,
    plan_files,
    trust,
    browse,
):
    app.add_typer(group.app)
app.add_typer(plan.app, name="plan")
app.add_typer(templates.app, name="template")
app.add_typer(flow_runs.app, name="flow")
app.add_typer(workflow_templates.app, name="workflow")
app.add_typer(schedules.app, name="schedule")
app.add_typer(queue.app, name="queue")
app.add_typer(agents.app, name="agents")


@app.callback()
def treadle() -> None:
    """Planned, parallel, verified and approved work of coding agents that survives anything."""
