"""The sandbox of this machine: what `up` and `doctor` say of it, and the one question where it is weaker.

A machine that cannot make the sandbox that the settings ask for starts no agent, until its owner has
accepted less. The answer is kept in config.toml, and nobody is asked again.
"""

import tomlkit
from tomlkit.exceptions import TOMLKitError

from adapters.container import is_container
from adapters.files.state_files import write_atomic
from adapters.processes.confinement import Confinement
from adapters.processes.isolation import probe_isolation
from cli.core.confirmation import is_watched
from cli.core.console import confirmed, say
from domain.agents.fallback import Fallback, Strength, fallen, is_short
from domain.agents.sandbox import Level
from settings import Settings, config_dir
from treadle.engine import EngineError
from treadle.finding import Finding

_NAME = "sandbox_fallback"


def settled(settings: Settings, confinement: Confinement | None = None) -> Settings:
    """Return the settings, with the answer of a person who was asked whether a weaker sandbox will do.

    Only a person at a terminal is asked, and once. Whatever is not confined is said at every start.
    """
    confinement = confinement or Confinement(probe_isolation())
    there, rules = confinement.strength, settings.sandbox_rules
    if not is_short(rules, there):
        return settings
    accepts = settings.sandbox_fallback
    least = fallen(rules, there, Fallback(there.value if there is not Strength.FULL else "ask"))
    if accepts == "ask" and least is not None and is_watched() and not is_container():
        settings = _asked(settings, there, confinement.lack_of(rules.of(None, None)))
    say(f"treadle up: sandbox: {_words(settings, confinement)}", style="yellow")
    return settings


def sandbox_findings(settings: Settings, confinement: Confinement | None = None) -> list[Finding]:
    """Tell how agents and verification steps are confined; without it none of them starts."""
    confinement = confinement or Confinement(probe_isolation())
    there = confinement.strength
    asked, rules = settings.sandbox_rules, settings.rules_on(there)
    sandbox = rules.of(None, None)
    lack = confinement.lack_of(sandbox)
    found = f"{sandbox.summary}; planners and reviewers {Level.READ_ONLY}"
    if sandbox.level is Level.OFF:
        found = f"{sandbox.summary} (TREADLE_SANDBOX)"
    if rules != asked:
        return [_weaker(settings, confinement)]
    off = [Finding(name="no sandbox for", is_well=True, found=path) for path in rules.off_for]
    return [
        Finding(name="sandbox", is_well=not lack, found=found, fix=lack),
        *(off if sandbox.level is not Level.OFF else []),
    ]


def _weaker(settings: Settings, confinement: Confinement) -> Finding:
    lack = confinement.lack_of(settings.sandbox_rules.of(None, None))
    return Finding(
        name="sandbox",
        is_well=False,
        is_required=False,
        found=_words(settings, confinement),
        fix=lack,
    )


def _words(settings: Settings, confinement: Confinement) -> str:
    there = confinement.strength
    if settings.rules_on(there) != settings.sandbox_rules:
        return f"{there} (TREADLE_SANDBOX_FALLBACK={settings.sandbox_fallback}): {there.loss}"
    return f"no agent starts: {confinement.lack_of(settings.sandbox_rules.of(None, None))}"


def _asked(settings: Settings, there: Strength, lack: str) -> Settings:
    say(f"{lack[:1].upper()}{lack[1:]}.", style="yellow")
    say(f"With a weaker sandbox ({there}), {there.loss}.", style="yellow")
    is_accepted = confirmed("Let agents work with it on this machine?")
    answer = there.value if is_accepted else Fallback.REFUSE.value
    _keep(answer)
    return settings.model_copy(update={_NAME: answer})


def _keep(answer: str) -> None:
    """Write the answer into config.toml, whose other lines and comments stay.

    Raises:
        EngineError: It cannot be written.
    """
    file = config_dir() / "config.toml"
    try:
        document = tomlkit.parse(file.read_text() if file.exists() else "")
        document[_NAME] = answer
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(file.resolve(), tomlkit.dumps(document))
    except (OSError, TOMLKitError) as error:
        raise EngineError(f'write {_NAME} = "{answer}" into {file} yourself: {error}') from None
    say(f'Kept as {_NAME} = "{answer}" in {file}.', style="dim")
