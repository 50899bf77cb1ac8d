"""A worktree and its files open in the person's editor: by links, whose paths the host has found."""

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.page.conftest import Door
from tests.page.looks import broken_rules, moving, overflowing
from tests.page.stories.place import Place, fills, planned, task, work

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

HOSTILE = """src/a b#%?"'.py"""
ENCODED = "src/a%20b%23%25%3F%22%27.py"
CATCH = """
document.addEventListener('click', (event) => {
  const link = event.target.closest('a');
  if (link !== null && !/^https?:/.test(link.href)) {
    event.preventDefault();
    globalThis.opened = [...(globalThis.opened ?? []), link.href];
  }
}, true);
"""
"""Notes which links of other programs the page follows; the browser has none of these programs."""


async def waiting(ground: Place) -> str:
    """Return a thread whose task waits at its gate, with a file whose name is a trap."""
    tasks = [task("store", "Keep baskets", gate="ask", verification=fills("src"))]
    rules = [
        planned({"goal": "Keep baskets", "summary": "One step.", "tasks": tasks}),
        work("store", {"write": HOSTILE, "text": "KEPT = 7\nLEFT = 8\n"}),
    ]
    thread = await ground.begin("open-in", ground.repository("baskets", rules), "Keep baskets")
    await ground.seen(thread, "gate_opened", "store")
    return thread


def text_of(folder: str, name: str) -> str:
    return Path(folder, name).read_text()


def meddle(folder: str) -> None:
    """Plant a link that leads out, and move the file away."""
    Path(folder, "way-out").symlink_to("/etc/passwd")
    Path(folder, HOSTILE).rename(Path(folder, "elsewhere.py"))


async def looks(page: Page, name: str, pictures: Path | None) -> list[str]:
    """Return what is wrong with how a page looks; keeps pictures of both themes."""
    await moving(page)
    wrong = [*await broken_rules(page), *await overflowing(page)]
    await pictured(page, name, pictures)
    return wrong


async def pictured(page: Page, name: str, pictures: Path | None) -> None:
    for theme in ("dark", "light") if pictures else ():
        await page.emulate_media(color_scheme=theme)
        await moving(page)
        await page.screenshot(path=pictures / f"{name}-{theme}.png")


async def worktree_of(ground: Place, thread: str) -> dict[str, Any]:
    """Return where the worktree of the task is."""
    answer = await ground.http.get(f"/v1/threads/{thread}/tasks/store/worktree")
    assert answer.is_success, answer.text
    return answer.json()


async def followed(page: Page, number: int) -> str:
    """Return the n-th link that the page has followed."""
    handle = await page.wait_for_function(f"() => (globalThis.opened ?? [])[{number - 1}]")
    return str(await handle.json_value())


async def test_a_worktree_a_file_and_a_line_open_in_the_chosen_editor(
    door: Door, ground: Place, pictures: Path | None
):
    thread = await waiting(ground)
    place = await worktree_of(ground, thread)
    folder = place["path"]
    assert text_of(folder, HOSTILE) == "KEPT = 7\nLEFT = 8\n"

    context = await door.context()
    await context.add_init_script(CATCH)
    page = await door.page(f"/threads/{thread}/tasks/store?tab=files", in_=context)
    await page.get_by_role("button", name="Open in…").click()
    await pictured(page, "open-in-menu", pictures)
    await page.get_by_role("menuitem", name="VS Code", exact=True).click()
    assert await followed(page, 1) == f"vscode://file{folder}/"
    await page.get_by_role("button", name=f"Open {HOSTILE} in VS Code").click()
    assert await followed(page, 2) == f"vscode://file{folder}/{ENCODED}:1:1"
    complaints = await looks(page, "open-in-task", pictures)

    await page.goto(f"{door.origin}/threads/{thread}/tasks/store/review")
    file = page.get_by_role("region", name=HOSTILE)
    await expect(file).to_contain_text("LEFT = 8")
    await file.get_by_role("button", name=f"Open {HOSTILE} in VS Code").click()
    assert await followed(page, 1) == f"vscode://file{folder}/{ENCODED}:1:1"
    await file.locator('[data-gutter][data-number="2"]').first.click(modifiers=["Control"])
    assert await followed(page, 2) == f"vscode://file{folder}/{ENCODED}:2:1"
    complaints += await looks(page, "open-in-review", pictures)
    assert not complaints, "\n".join(complaints)


async def test_on_a_machine_that_is_reached_by_ssh_the_editor_connects_to_it(
    door: Door, ground: Place, pictures: Path | None
):
    thread = await waiting(ground)
    place = await worktree_of(ground, thread)
    context = await door.context()
    await context.add_init_script(CATCH)
    page = await door.page("/settings", in_=context)
    await page.get_by_role("combobox", name="Open files and worktrees in").select_option("Zed")
    reached = page.get_by_role("textbox", name=f"SSH host of {place['host']}")
    await reached.fill("-oProxyCommand=x")
    await expect(page.get_by_text("Not a valid host.")).to_be_visible()
    await reached.fill("me@build")
    complaints = await looks(page, "open-in-settings", pictures)

    await page.goto(f"{door.origin}/threads/{thread}/tasks/store?tab=files")
    await page.get_by_role("button", name=f"Open {HOSTILE} in Zed").click()
    assert await followed(page, 1) == f"zed://ssh/me@build{place['path']}/{ENCODED}:1:1"

    await page.get_by_role("button", name="Open in another editor").click()
    await page.get_by_role("menuitem", name="Terminal").click()
    dialog = page.get_by_role("dialog", name="Open in an editor")
    await expect(dialog).to_contain_text(f"ssh -t me@build 'cd {place['path']}")
    complaints += await looks(page, "open-in-terminal", pictures)
    assert not complaints, "\n".join(complaints)


async def test_a_file_that_is_gone_or_leads_out_opens_nothing(door: Door, ground: Place):
    thread = await waiting(ground)
    route = f"/v1/threads/{thread}/tasks/store/worktree"
    folder = (await worktree_of(ground, thread))["path"]
    meddle(folder)
    for name in ("way-out", "../../host-id", ".git", "gone.py"):
        answer = await ground.http.get(route, params={"file": name})
        assert answer.status_code == 404, name
    page = await door.page(f"/threads/{thread}/tasks/store?tab=files")
    door.expect("404")
    await page.get_by_role("button", name=f"Open {HOSTILE} in an editor").click()
    await page.get_by_role("menuitem", name="Cursor").click()
    await expect(page.get_by_role("dialog")).to_contain_text("no such file in the worktree now")
