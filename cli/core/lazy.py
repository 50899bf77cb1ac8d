"""Commands that are imported when they run: `--help` lists all and imports none."""

import gc
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from typer.core import TyperCommand, TyperGroup
from typer.main import get_group


@dataclass(frozen=True)
class Lazy:
    """The place of a command, and how it is listed."""

    module: str
    """The module whose `app` has the command, or is a group of its name."""

    summary: str
    """The first line of its help."""

    panel: str | None = None
    """The heading that it is listed under."""

    is_hidden: bool = False

    group: str | None = None
    """The name of the group that this is another name of."""

    def load(self, name: str) -> Any:
        """Import and return the command."""
        app = import_module(self.module).app
        gc.enable()  # the launcher turns it off during imports, whose objects stay
        group: Any = get_group(app)
        if app.info.name != (self.group or name):
            return group.commands[name]
        group.name, group.hidden = name, self.is_hidden
        return group


class LazyGroup(TyperGroup):
    """A group that imports a command when it is run."""

    lazy: Mapping[str, Lazy] = {}
    """Set by the class of each group."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self._is_listing = False
        for name, lazy in self.lazy.items():
            self.add_command(
                TyperCommand(
                    name,
                    help=lazy.summary,
                    hidden=lazy.is_hidden,
                    rich_help_panel=lazy.panel,
                )
            )

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command: while commands are listed without importing it."""
        if self._is_listing or cmd_name not in self.lazy:
            return super().get_command(ctx, cmd_name)
        return self.lazy[cmd_name].load(cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        self._is_listing = True
        super().format_help(ctx, formatter)
        self._is_listing = False

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return the matching commands and options."""
        self._is_listing = True
        found = super().shell_complete(ctx, incomplete)
        self._is_listing = False
        return found
