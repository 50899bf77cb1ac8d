"""Where tokens come from, and whose they are."""

import os
from pathlib import Path

import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey

from adapters.forge.forges import Forges, tokens_of
from adapters.forge.sign_in import sign_in
from domain.forges.errors import ForgeAccessError, ForgeError
from domain.forges.projects import ForgeKind
from domain.forges.settings import ForgeOptions
from settings import load_settings
from tests.forge.adapters import VARIABLE, draft_of, options_of
from tests.forge.double import TOKEN, Double, forge_double
from tests.forge.routing import Answered, Asked
from treadle.forge_findings import forge_findings


async def test_a_forge_says_whose_the_token_is(double: Double):
    options = options_of(double)
    found = await sign_in(options, tokens_of(options, {VARIABLE: TOKEN}, lambda _: None))

    assert (found.login, found.missing) == ("treadle-bot", ())


async def test_a_forge_of_another_kind_is_named(double: Double):
    for kind in ForgeKind:
        options = options_of(double).model_copy(update={"kind": kind})
        tokens = tokens_of(options, {VARIABLE: TOKEN}, lambda _: None)
        if kind is double.kind:
            continue
        with pytest.raises(ForgeError, match=f"like {double.kind.value}, not like {kind.value}"):
            await sign_in(options, tokens)


def test_doctor_says_what_to_do_about_each_forge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, double: Double
):
    token = "wrong-token-of-a-person"
    (tmp_path / "treadle").mkdir()
    tables = [
        ("good", double.url, "GOOD"),
        ("old", double.url, "OLD"),
        ("unset", double.url, "NONE"),
    ]
    tables.append(("down", "http://127.0.0.1:9/api", "GOOD"))
    (tmp_path / "treadle" / "config.toml").write_text(
        "".join(
            f'[[forges]]\nhost = "{host}.example"\nkind = "{double.kind.value}"\n'
            f'api_url = "{url}"\ntoken_env = "{name}_TOKEN"\n'
            for host, url, name in tables
        )
    )
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("GOOD_TOKEN", TOKEN)
    monkeypatch.setenv("OLD_TOKEN", token)
    found = {each.name: each for each in forge_findings(load_settings(), is_online=True)}

    good = found.pop("forge good.example")
    assert (good.is_well, good.found.endswith("signed in as treadle-bot")) == (True, True)
    for host, words in {
        "old": "OLD_TOKEN is wrong or has expired: Bad credentials; make another one",
        "unset": "set NONE_TOKEN where the worker starts",
        "down": "does not answer (127.0.0.1: ConnectError); look whether it is up",
    }.items():
        each = found[f"forge {host}.example"]
        assert not each.is_well
        assert words in each.fix
    assert not any(token in repr(each) or TOKEN in repr(each) for each in (good, *found.values()))


@pytest.mark.parametrize("program", ["gh", "glab"])
async def test_the_token_of_the_forges_program_is_used_and_learned(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    script = tmp_path / program
    script.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\necho {TOKEN}\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    learned: dict[str, str] = {}
    options = ForgeOptions(host="git.corp.example", kind=ForgeKind.GITHUB, cli=program)
    tokens = tokens_of(options, {}, learned.update)

    assert await tokens.token() == await tokens.token() == TOKEN
    assert list(learned.values()) == [TOKEN]
    (line,) = (tmp_path / "asked").read_text().splitlines()
    assert line.endswith("git.corp.example")


async def test_a_program_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    options = ForgeOptions(host="git.corp.example", kind=ForgeKind.GITHUB, cli="gh")
    with pytest.raises(ForgeAccessError, match="`gh` gives no token"):
        await tokens_of(options, {}, lambda _: None).token()


def app_of(double: Double, key: Path) -> ForgeOptions:
    return ForgeOptions(
        host=double.host,
        kind=ForgeKind.GITHUB,
        api_url=double.url,
        app_id="42",
        installation_id=7,
        private_key_file=str(key),
    )


async def test_an_app_signs_in_and_keeps_its_token(tmp_path: Path):
    pair, file, learned = RSAKey.generate_key(2048), tmp_path / "app.pem", dict[str, str]()
    file.write_bytes(pair.as_pem(private=True))
    file.chmod(0o600)
    signed: list[str] = []

    def install(asked: Asked, installation: str) -> Answered:
        signed.append(asked.headers["authorization"].removeprefix("Bearer "))
        return Answered(201, {"token": TOKEN, "expires_at": "2099-01-01T00:00:00Z"})

    with forge_double(ForgeKind.GITHUB) as double:
        double.installs = install
        forges = Forges([app_of(double, file)], {}, learned.update)
        first = await forges.open_pull_request(draft_of(double))
        second = await forges.open_pull_request(draft_of(double))

    assert (first.is_new, second.is_new) == (True, False)
    (one,) = signed
    assert jwt.decode(one, pair, algorithms=["RS256"]).claims["iss"] == "42"
    assert list(learned.values()) == [TOKEN]


async def test_a_private_key_that_others_can_read_is_refused(tmp_path: Path):
    file = tmp_path / "app.pem"
    file.write_bytes(RSAKey.generate_key(2048).as_pem(private=True))
    file.chmod(0o644)
    with forge_double(ForgeKind.GITHUB) as double:
        forges = Forges([app_of(double, file)], {}, lambda _: None)
        with pytest.raises(ForgeAccessError, match="mode 0600"):
            await forges.open_pull_request(draft_of(double))

    assert double.requests == []


@pytest.mark.parametrize("kind", ForgeKind)
async def test_an_address_that_is_none_is_named(kind: ForgeKind):
    options = ForgeOptions(
        host="git.example.org",
        kind=kind,
        api_url="https://-\u0644.example/api",
        token_env=VARIABLE,
    )
    with pytest.raises(ForgeError, match="correct `api_url`"):
        await sign_in(options, tokens_of(options, {VARIABLE: TOKEN}, lambda _: None))
