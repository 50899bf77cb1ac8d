"""An engine that finds real agents, each pointed at a model, in an environment of its own."""

import os
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from tests.agents.contenders import Contender, Pointing, write_files
from tests.agents.installation import PROGRAMS
from tests.e2e.engine import Engine


@asynccontextmanager
async def open_engine(
    folder: Path, pointed: Iterable[tuple[Contender, Pointing]], *paths: Path
) -> AsyncIterator[Engine]:
    """Install agents and start an engine that finds them; `paths` are what the user has in PATH."""
    pointed = list(pointed)
    programs = [place for contender, _ in pointed for place in contender.programs()]
    engine = Engine(folder)
    home = folder / "home"
    home.mkdir()
    path = os.pathsep.join((*programs, *map(str, paths), engine.environment["PATH"]))
    engine.environment |= {"HOME": str(home), "PATH": path}
    engine.environment["TREADLE_PROGRAMS_DIR"] = str(PROGRAMS)
    engine.environment["TREADLE_SANDBOX"] = "workspace-write"
    engine.environment["TREADLE_SANDBOX_OFF"] = str(folder / "asking")
    for contender, pointing in pointed:
        write_files(home, pointing.files)
        engine.environment |= pointing.variables
        if (profile := contender.own_profile()) is not None:
            write_files(engine.config, {f"agents/{contender.name}.yaml": profile})
    try:
        await engine.start("temporal", "api", "worker")
        for contender, _ in pointed:
            await contender.install(engine)
        yield engine
    finally:
        engine.stop()
