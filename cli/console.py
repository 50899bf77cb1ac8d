"""What every command prints with: answers on stdout, messages on stderr, and settings or a sentence."""

import json
import sys
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich.console import Console

from settings import Settings

messages = Console(stderr=True, highlight=False)
"""Messages for people."""

output = Console(highlight=False)
"""What a command was asked for."""

Json = Annotated[bool, typer.Option("--json", help="Answer as JSON on stdout.")]

USAGE = 2


def load_settings() -> Settings:
    """Return the settings; a wrong one ends the command with a sentence that names it."""
    try:
        return Settings()
    except ValidationError as error:
        for problem in error.errors():
            name = f"TREADLE_{'_'.join(str(part) for part in problem['loc'])}".upper()
            say(f"{name}: {problem['msg']} (it is {problem['input']!r})", style="red")
        raise typer.Exit(USAGE) from None


def say(text: str, style: str = "") -> None:
    """Print a message for a person; markup in it is shown as it is."""
    messages.print(text, style=style, markup=False, soft_wrap=True)


def print_json(value: Any) -> None:
    """Print a machine's answer on stdout, as one line where nobody looks at it."""
    indent = 2 if sys.stdout.isatty() else None
    sys.stdout.write(json.dumps(value, indent=indent, ensure_ascii=False, default=str) + "\n")
    sys.stdout.flush()
