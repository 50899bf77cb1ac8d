"""A machine that cannot make the whole sandbox: asked once, said at every start, never in silence."""

import pytest

import treadle.sandbox_choice as choice
from adapters.processes.confinement import Confinement
from adapters.processes.isolation import Isolation
from domain.agents.sandbox import Level
from domain.core.network import Network
from settings import load_settings
from treadle.sandbox_choice import sandbox_findings, settled

WHOLE = Isolation("namespace", ("bwrap",), is_namespace=True, no_sandbox="")


def without_landlock() -> Confinement:
    return Confinement(WHOLE, has_ports=lambda: False)


def without_namespaces() -> Confinement:
    return Confinement(
        Isolation("group", no_sandbox="bwrap: no permissions"), has_ports=lambda: True
    )


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setenv("TREADLE_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("TREADLE_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "config" / "config.toml"


@pytest.fixture
def person(monkeypatch):
    """Somebody at the terminal, with an answer and what they were asked."""

    def at(answer: bool) -> list[str]:
        asked: list[str] = []
        monkeypatch.setattr(choice, "is_watched", lambda: True)
        monkeypatch.setattr(choice, "is_container", lambda: False)
        monkeypatch.setattr(choice, "confirmed", lambda text: asked.append(text) or answer)
        return asked

    return at


LOSSES = [
    (without_landlock, "files", "the network is not"),
    (without_namespaces, "off", "nothing is confined"),
]


@pytest.mark.parametrize("case", LOSSES)
def test_a_person_is_asked_once_and_told_at_every_start_what_is_not_confined(
    file, person, capsys, case
):
    machine, strength, loss = case
    file.parent.mkdir()
    file.write_text('# mine\nsandbox_ports = "81"\n\n[host]\nname = "x"\n')
    asked = person(answer=True)

    first = settled(load_settings(), machine())
    told = " ".join(capsys.readouterr().err.split())
    again = settled(load_settings(), machine())

    sandbox = again.rules_on(machine().strength).of(None, None)
    assert (sandbox.level is Level.OFF) == (strength == "off")
    assert sandbox.network is Network.HOST
    assert first.sandbox_fallback == again.sandbox_fallback == strength
    assert len(asked) == 1
    assert loss in told
    assert loss in " ".join(capsys.readouterr().err.split())
    assert "# mine" in file.read_text()
    (finding,) = sandbox_findings(again, machine())
    assert not finding.is_well
    assert loss in finding.found


def test_who_says_no_is_not_asked_again_and_no_agent_starts(file, person, capsys):
    asked = person(answer=False)

    settled(load_settings(), without_landlock())
    settings = settled(load_settings(), without_landlock())

    assert len(asked) == 1
    assert settings.sandbox_fallback == "refuse"
    rules = settings.rules_on(without_landlock().strength)
    assert "no Landlock rules" in without_landlock().lack_of(rules.of(None, None))
    assert "no agent starts" in capsys.readouterr().err


def test_nobody_at_the_terminal_accepts_nothing(file, capsys):
    settings = settled(load_settings(), without_namespaces())

    assert settings.sandbox_fallback == "ask"
    assert not file.exists()
    assert "no agent starts" in capsys.readouterr().err
    (finding,) = sandbox_findings(settings, without_namespaces())
    assert finding.is_required


def test_an_answer_for_less_is_no_answer_for_nothing(file, monkeypatch):
    monkeypatch.setenv("TREADLE_SANDBOX_FALLBACK", "files")

    settings = load_settings()

    assert settings.rules_on(without_namespaces().strength) == settings.sandbox_rules
    assert "bwrap: no permissions" in without_namespaces().lack_of(
        settings.sandbox_rules.of(None, None)
    )


def test_a_network_that_was_closed_is_not_opened(file, monkeypatch):
    monkeypatch.setenv("TREADLE_SANDBOX_NETWORK", "none")
    monkeypatch.setenv("TREADLE_SANDBOX_FALLBACK", "files")

    settings = load_settings()

    assert settings.rules_on(without_landlock().strength) == settings.sandbox_rules


def test_a_whole_machine_is_not_asked(file, person, capsys):
    asked = person(answer=True)

    settled(load_settings(), Confinement(WHOLE, has_ports=lambda: True))

    assert (asked, capsys.readouterr().err) == ([], "")
