"""A thread whose base has moved: the page says how far, takes it in, and has a person resolve its conflict."""

import subprocess
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.page.conftest import Door
from tests.page.looks import broken_rules, overflowing
from tests.page.stories.place import AUTHOR, Place, fills, planned, task, work
from tests.page.test_main_job import ARMED_MILLISECONDS, button

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]

NOTES = "docs/notes.md"
PLAN = {
    "goal": "Take notes",
    "summary": "One file.",
    "git": {"base": {"update": "off"}},
    "tasks": [task("notes", "Take notes", mode="docs", verification=fills("docs"))],
}
RULES = [planned(PLAN), work("notes", {"write": NOTES, "text": "ours\n"})]


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *AUTHOR, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


class Others:
    """People who push to the base of a repository."""

    def __init__(self, repository: Path, folder: Path) -> None:
        bare, self._clone = folder / "remote.git", folder / "others"
        git(folder, "clone", "--quiet", "--bare", str(repository), str(bare))
        git(repository, "remote", "add", "origin", str(bare))
        git(folder, "clone", "--quiet", str(bare), str(self._clone))

    def push(self, file: str, text: str) -> str:
        """Push a file to the base; returns the commit."""
        path = self._clone / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        git(self._clone, "add", "--all")
        git(self._clone, "commit", "--quiet", "--message", f"Change {file}")
        git(self._clone, "push", "--quiet", "origin", "HEAD:main")
        return git(self._clone, "rev-parse", "HEAD")


async def shown(page: Page, pictures: Path | None, name: str) -> list[str]:
    """Keep a picture of the page as it is; returns what is wrong with it."""
    if pictures:
        await page.screenshot(path=pictures / f"{name}.png", full_page=True)
    return [*await broken_rules(page), *await overflowing(page)]


async def test_a_person_takes_the_base_in_and_resolves_its_conflict(
    door: Door, ground: Place, pictures: Path | None
):
    repository = Path(ground.repository("noted", RULES))
    others = Others(repository, repository.parent)
    thread = await ground.open("behind", str(repository), "Take notes")
    proposed = await ground.seen(thread, "plan_proposed")
    theirs = others.push("docs/theirs.md", "theirs\n")
    await ground.answer(thread, proposed)
    await ground.seen(thread, "plan_completed")
    branch = (await ground.get(f"/threads/{thread}"))["branch"]
    page = await door.page(f"/threads/{thread}?panel=table")

    await expect(page.get_by_text("1 commit behind main")).to_be_visible()
    wrong = await shown(page, pictures, "base-behind")
    assert not wrong, "\n".join(wrong)
    await button(page, "Update from base").click()

    await expect(page.get_by_text("Has all of main")).to_be_visible()
    git(repository, "merge-base", "--is-ancestor", theirs, branch)
    wrong = await shown(page, pictures, "base-taken-in")
    assert not wrong, "\n".join(wrong)

    conflicting = others.push(NOTES, "theirs\n")
    await button(page, "Update from base").click()
    card = page.get_by_role("region", name="Conflict of base")
    await expect(card).to_contain_text("B is the base")
    await expect(button(card, "Leave unmerged")).to_be_visible()
    await expect(card.get_by_role("button", name="agent")).to_have_count(0)
    await expect(page.get_by_text("1 commit behind main")).to_be_visible()
    await expect(page.get_by_text(f"It conflicts with the branch in {NOTES}")).to_be_visible()
    wrong = await shown(page, pictures, "base-conflict")
    assert not wrong, "\n".join(wrong)

    await page.wait_for_timeout(ARMED_MILLISECONDS)
    await button(card, "Keep A").click()
    await expect(card).to_have_count(0)

    await expect(page.get_by_text("Has all of main")).to_be_visible()
    git(repository, "merge-base", "--is-ancestor", conflicting, branch)
    assert git(repository, "show", f"{branch}:{NOTES}") == "ours"
    await shown(page, pictures, "base-resolved")
