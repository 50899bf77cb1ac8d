"""What a planner is told of a repository comes from its head and is found without running anything."""

import pytest

from domain.core.project_map import PlanFolders, plan_folders

FILES = {
    "FLOWGENTIC.md": "# Map\n\n- Active plans: docs/plans/active/\n",
    "Makefile": "build:\n\ttrue\ntest: build\n\ttrue\n",
    "package.json": '{"scripts": {"test": "jest"}}',
    "pnpm-lock.yaml": "",
    "pyproject.toml": "[tool.pytest.ini_options]\n",
    "Cargo.toml": "",
    "src/a.ts": "",
    "src/b.ts": "",
    "src/d.ts": "",
    "src/c.py": "",
}


@pytest.fixture
def filled(repository, git):
    for name, text in FILES.items():
        path = repository / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message=Add a project")
    return repository


async def test_facts_of_a_repository_are_found(workspaces, filled):
    (filled / "late.go").write_text("")
    facts = await workspaces.inspect(str(filled))

    survey = facts.survey
    assert facts.project_map == FILES["FLOWGENTIC.md"]
    assert survey.map_file == "FLOWGENTIC.md"
    assert survey.languages[0] == "TypeScript (3)"
    assert not any("Go" in language for language in survey.languages)
    assert "src/ (4)" in survey.top_level
    assert survey.test_commands == ("make test", "pnpm test", "python -m pytest", "cargo test")
    assert survey.recent_commits[0].endswith(" Add a project")
    assert "`make test`" in survey.text


async def test_broken_build_files_tell_nothing(workspaces, filled, git):
    for name in ("package.json", "pyproject.toml"):
        (filled / name).write_text("{[")
    git(filled, "commit", "--quiet", "--all", "--message=Break\x1b[31m it")
    survey = (await workspaces.inspect(str(filled))).survey
    assert survey.test_commands == ("make test", "cargo test")


MAP = "## Plans\n- Active plans: {}\n- Completed plans: docs/plans/completed/\n"


def test_the_folders_for_plans_are_those_that_the_map_names():
    folders = plan_folders("TREADLE.md", MAP.format("`docs/plans/active/`"))
    assert folders == PlanFolders(active="docs/plans/active", completed="docs/plans/completed")


@pytest.mark.parametrize(
    "path", ["/etc", "../out", "a/../../b", ".git/hooks", "~/x", "docs/plans/completed", "", "-x"]
)
def test_a_path_that_leads_elsewhere_names_no_folder(path):
    assert plan_folders("TREADLE.md", MAP.format(path)) is None


def test_prose_for_agents_names_no_folders():
    assert plan_folders("AGENTS.md", MAP.format("docs/plans/active")) is None
    assert plan_folders("TREADLE.md", "- Active plans: docs/a\n") is None


@pytest.mark.parametrize(
    ("leads_to", "file"),
    [
        ("CLAUDE.md", "CLAUDE.md"),
        ("./docs/../docs/AGENTS.md", "docs/AGENTS.md"),
        ("../x", ""),
        ("/x", ""),
    ],
)
async def test_the_file_that_agents_md_links_to_is_known(
    repository, workspaces, git, leads_to, file
):
    assert (await workspaces.inspect(str(repository))).survey.agents_link == ""
    (repository / "AGENTS.md").symlink_to(leads_to)
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message=Link it")
    assert (await workspaces.inspect(str(repository))).survey.agents_link == file
