"""Files that verify or instruct: a change to one shows at the gate and stops it for a person.

By name: what test runners, build tools, hooks and CI read, and what agents are told. By use: files
that were there before and that a step's command names. What cannot be seen: a script that such a
file calls in turn (ADR 0032).
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from domain.core.text import on_one_line
from domain.core.workspaces import Snapshot
from domain.verification.steps import StepType, VerificationStep

MAX_JUDGES = 50
_NAMED = 10
_VERIFIES = frozenset(
    {
        *(
            "makefile",
            "gnumakefile",
            "bsdmakefile",
            "justfile",
            ".justfile",
            "rakefile",
            "gruntfile.js",
        ),
        *(
            "taskfile.yml",
            "taskfile.yaml",
            "taskfile.dist.yml",
            "taskfile.dist.yaml",
            "magefile.go",
        ),
        *("noxfile.py", "tox.ini", "dodo.py", "fabfile.py", "setup.py", "setup.cfg"),
        *("conftest.py", "sitecustomize.py", "usercustomize.py", "pytest.ini", ".pytest.ini"),
        *("pytest.toml", ".pytest.toml", "pyproject.toml", ".coveragerc", "mypy.ini", ".mypy.ini"),
        *(".flake8", ".pylintrc", "pylintrc", "ruff.toml", ".ruff.toml", "pyrightconfig.json"),
        *(
            "package.json",
            ".npmrc",
            ".yarnrc",
            ".yarnrc.yml",
            ".pnpmfile.cjs",
            "pnpm-workspace.yaml",
        ),
        *(
            "deno.json",
            "deno.jsonc",
            "bunfig.toml",
            "turbo.json",
            "nx.json",
            "lerna.json",
            "biome.json",
        ),
        *("biome.jsonc", ".swcrc", ".nycrc", ".nycrc.json", ".c8rc.json", ".eslintignore"),
        *("build.rs", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"),
        *("pom.xml", "build.xml", "build.sbt", "gradlew", "gradlew.bat", "mvnw", "mvnw.cmd"),
        *("gradle-wrapper.properties", "gradle-wrapper.jar", "directory.build.props"),
        *(
            "directory.build.targets",
            "cmakelists.txt",
            "cmakepresets.json",
            "meson.build",
            "build.ninja",
        ),
        *("build.bazel", "module.bazel", ".bazelrc", "workspace.bazel", "sconstruct", "wscript"),
        *("configure", "configure.ac", "makefile.am", "makefile.in", "rebar.config", "mix.exs"),
        *("phpunit.xml", "phpunit.xml.dist", "phpstan.neon", "phpstan.neon.dist", "composer.json"),
        *(
            ".rspec",
            ".rubocop.yml",
            "spec_helper.rb",
            "rails_helper.rb",
            "test_helper.rb",
            "gemfile",
        ),
        *(".golangci.yml", ".golangci.yaml", ".golangci.toml", "clippy.toml", ".clippy.toml"),
        *("earthfile", "dagger.json", "skaffold.yaml", ".pre-commit-config.yaml"),
        *(".pre-commit-hooks.yaml", "lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".huskyrc"),
        *(".gitlab-ci.yml", ".travis.yml", "jenkinsfile", "azure-pipelines.yml", "appveyor.yml"),
        *(
            ".appveyor.yml",
            "bitbucket-pipelines.yml",
            ".drone.yml",
            ".cirrus.yml",
            "cloudbuild.yaml",
        ),
        *("buildspec.yml", "codecov.yml", ".codecov.yml", "sonar-project.properties", ".envrc"),
        *(
            "devcontainer.json",
            ".tool-versions",
            "nextest.toml",
            ".mise.toml",
            "mise.toml",
            ".editorconfig-checker.json",
        ),
    }
)
_INSTRUCTS = frozenset(
    {
        *(
            "agents.md",
            "agents.override.md",
            "agent.md",
            "claude.md",
            "claude.local.md",
            "gemini.md",
        ),
        *(
            "qwen.md",
            "treadle.md",
            "codex.md",
            "copilot-instructions.md",
            "skill.md",
        ),
        *(
            ".cursorrules",
            ".cursorignore",
            ".windsurfrules",
            ".clinerules",
            ".roorules",
            ".goosehints",
        ),
        *(".aider.conf.yml", ".mcp.json", "mcp.json", "opencode.json", "opencode.jsonc", ".rules"),
        *(".continuerules", ".replit.md", "llms.txt"),
    }
)
_FOLDERS = frozenset(
    {
        *(
            ".claude",
            ".cursor",
            ".codex",
            ".gemini",
            ".qwen",
            ".opencode",
            ".vibe",
            ".goose",
            ".amp",
        ),
        *(
            ".windsurf",
            ".clinerules",
            ".roo",
            ".kilocode",
            ".augment",
            ".continue",
            ".aider",
            ".agents",
        ),
        *(".agent", ".treadle", ".flowgentic", ".github", ".gitlab", ".circleci", ".buildkite"),
        *(
            ".teamcity",
            ".woodpecker",
            ".forgejo",
            ".gitea",
            ".drone",
            ".azure-pipelines",
            ".tekton",
        ),
        *(".husky", ".githooks", ".hooks", ".git-hooks", ".lefthook", ".vscode", ".idea", ".cargo"),
        *(".devcontainer", ".mvn"),
    }
)
_PREFIXES = (
    *("jest.config.", "jest.setup.", "vitest.config.", "vitest.setup.", "vitest.workspace."),
    *(
        "vite.config.",
        "karma.conf.",
        "eslint.config.",
        ".eslintrc",
        ".prettierrc",
        "prettier.config.",
    ),
    *("stylelint.config.", ".stylelintrc", "babel.config.", ".babelrc", "webpack.config."),
    *("rollup.config.", "playwright.config.", "cypress.config.", "cypress.env.", "wdio.conf."),
    *("ava.config.", ".mocharc", ".lintstagedrc", "lint-staged.config.", "commitlint.config."),
    *(
        ".commitlintrc",
        "gulpfile.",
        "gruntfile.",
        "tsconfig",
        "nodemon.",
        ".taprc",
        "metro.config.",
    ),
    *(".lefthook-local.", "lefthook-local.", "codeception.", "behat.", "phpcs."),
)
_RUN_SUFFIXES = frozenset(
    {
        *(
            ".sh",
            ".bash",
            ".py",
            ".js",
            ".mjs",
            ".cjs",
            ".ts",
            ".rb",
            ".pl",
            ".php",
            ".lua",
            ".ps1",
        ),
        *(".mk", ".toml", ".ini", ".cfg", ".yml", ".yaml", ".json"),
    }
)
"""Of a file that a command names: what it runs or is set up by, and not the text that it looks at."""

_WORD = re.compile(r"[^\s\"'`;|&()<>=]+")


def judges_among(names: Iterable[str]) -> tuple[str, ...]:
    """Return which changed files verify or instruct by their names, at any depth; the first 50."""
    found = (name for name in names if _is_judge(name))
    return tuple(name for name, _ in zip(found, range(MAX_JUDGES), strict=False))


def with_judges(snapshot: Snapshot | None, steps: Sequence[VerificationStep]) -> Snapshot | None:
    """Return a snapshot whose judges are also the files, there before, that steps run by name."""
    if snapshot is None or not snapshot.altered:
        return snapshot
    run = {word for step in steps for word in words_of(step)}
    named = (name for name in snapshot.altered if name in run and is_run(name))
    judges = tuple(dict.fromkeys((*snapshot.judges, *named)))[:MAX_JUDGES]
    return snapshot.model_copy(update={"judges": judges})


def judges_words(judges: Sequence[str]) -> str:
    """Say which such files were changed; nothing where none was."""
    if not judges:
        return ""
    more = f" and {len(judges) - _NAMED} more" if len(judges) > _NAMED else ""
    names = ", ".join(on_one_line(name) for name in judges[:_NAMED])
    return f"changes what verifies or instructs, look at them: {names}{more}"


def words_of(step: VerificationStep) -> list[str]:
    """Return the words of what a step runs: some are names of files."""
    if step.type not in {StepType.COMMAND, StepType.SCRIPT}:
        return []
    return [str(PurePosixPath(word)) for word in _WORD.findall(step.subject)]


def is_run(name: str) -> bool:
    """Tell whether a file that a command names runs or sets it up, and is not the text it looks at."""
    path = PurePosixPath(name)
    return path.suffix.lower() in _RUN_SUFFIXES or (not path.suffix and len(path.parts) > 1)


def _is_judge(name: str) -> bool:
    *folders, file = PurePosixPath(name.lower()).parts or ("",)
    return (
        file in _VERIFIES
        or file in _INSTRUCTS
        or file.endswith((".pth", ".mk", "-ci.yml", "-ci.yaml"))
        or file.startswith(_PREFIXES)
        or not _FOLDERS.isdisjoint((*folders, file))
    )
