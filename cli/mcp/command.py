"""`treadle mcp`: the command."""

from typing import Annotated

import typer

app = typer.Typer()

Http = Annotated[bool, typer.Option("--http", help="Serve streamable HTTP instead of stdio.")]
Address = Annotated[
    str,
    typer.Argument(
        metavar="HOST:PORT", help="With --http: the address to listen on, on this machine."
    ),
]


@app.command()
def mcp(address: Address = "", http: Http = False) -> None:
    """Serve MCP, so that editors and other agents can propose, queue, read, wait and comment.

    It uses a token that can only propose, and approves nothing. Editors start `treadle mcp` themselves and talk to
    it over stdin and stdout.
    """
    if address and not http:
        raise typer.BadParameter("give it with --http", param_hint="HOST:PORT")
    from cli.mcp import serving  # what `--help` does not need

    if http:
        serving.serve_http(address)
    else:
        serving.serve_stdio()
