"""The repositories of the matrix, and programs that its user has."""

from pathlib import Path

from tests.agents.contenders import Files, write_files
from tests.e2e.job import git

AUTHOR = ("-c", "user.name=Tester", "-c", "user.email=tester@treadle.invalid")
TOOLS = "tools"
"""The folder that the recipe puts into the PATH."""
RECIPE = f"""\
path = ["{TOOLS}"]
environment = {{PROOF = "of the recipe"}}
"""
SCENARIO = """\
name: another agent
rules:
  - when: {prompt: message, text: "Matrix: for another"}
    steps:
      - {write: other.txt, text: "other\\n"}
      - usage: {input: 30, output: 7}
      - say: Another was here.
"""
REPOSITORIES: dict[str, Files] = {
    "proof": {},
    "asking": {},
    "counted": {},
    "stopped": {},
    "recipe": {
        ".treadle/workspace.toml": RECIPE,
        ".treadle/scenario.yaml": SCENARIO,
        f"{TOOLS}/pytest": "#!/bin/sh\necho pytest of the recipe\n",
    },
}
USERS_PROGRAMS = ("pip", "npm", "cargo", "pytest")


def make_repositories(folder: Path) -> None:
    """Make each repository in a folder of its name; all have a file that says no."""
    for name, files in REPOSITORIES.items():
        path = folder / name
        write_files(path, {"answer.txt": "no\n", **files})
        for program in (path / TOOLS).glob("*"):
            program.chmod(0o755)
        git(path, "init", "--quiet", "--initial-branch", "main")
        git(path, "add", "--all")
        git(path, *AUTHOR, "commit", "--quiet", "--message", "Begin")


def make_programs(folder: Path) -> Path:
    """Make programs that say whose they are; returns the folder of them, for the user's PATH."""
    for name in USERS_PROGRAMS:
        write_files(folder, {f"bin/{name}": f"#!/bin/sh\necho {name} of the user\n"})
        (folder / "bin" / name).chmod(0o755)
    return folder / "bin"
