"""The whole command line: cli/'s commands, and those that start processes or look at the machine."""

import typer

app = typer.Typer(name="treadle", no_args_is_help=True)


def run() -> None:
    """Run the command line."""
    app()


@app.callback()
def treadle() -> None:
    """Planned, parallel, verified and approved work of coding agents that survives anything."""
