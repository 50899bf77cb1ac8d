"""The scripted agent: a real ACP process that plays a YAML scenario instead of asking a model.

For the demo, tests, chaos runs and benchmarks; docs/reference/scripted-agent.md has the scenario's format.
Standard library and PyYAML only, imported late: a process starts in tens of milliseconds.
"""


def main(argv: list[str]) -> None:
    """Serve one client on standard input and output until it closes them; `argv` takes nothing."""
    del argv
    from adapters.scripted_agent.agent import serve

    serve()
