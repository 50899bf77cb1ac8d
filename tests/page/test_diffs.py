"""What a diff shows beside its lines: colours, words, moves, more of the file, and what changed since."""

import re

import pytest
from playwright.async_api import Locator, Page, expect

from tests.page.conftest import Door
from tests.page.looks import broken_rules, overflowing
from tests.page.stories.place import Json, Place, planned, rule, task, work
from tests.page.test_main_job import button

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]

GOAL = "Tidy the report"
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
WORDS = "\n".join(f"Paragraph {number} of the manual, in plain words." for number in range(30))
REPORT = f'"""{WORDS}\n"""\n\n\n' + "\n".join(f"LIMIT_{n} = {n}" for n in range(60)) + "\n"
MOVED = (
    "def total(prices: list[int]) -> int:\n"
    '    """Return the sum of all prices."""\n'
    "    return sum(prices)\n"
)
FILES = {
    "shop/report.py": REPORT,
    "shop/sums.py": f'"""Sums."""\n\n\n{MOVED}',
    "shop/spaces.py": "if True:\n  left = 1\n  right = 2\n",
}
STEPS: list[Json] = [
    {"edit": "shop/report.py", "old": "Paragraph 20 of", "new": "Paragraph twenty of"},
    {"edit": "shop/report.py", "old": "LIMIT_40 = 40", "new": "LIMIT_40 = 400"},
    {"write": "shop/sums.py", "text": '"""Sums."""\n'},
    {"write": "shop/totals.py", "text": f'"""Totals."""\n\n\n{MOVED}'},
    {
        "write": "shop/spaces.py",
        "text": "if True:\n    left = 1\n    right = 2\n",
    },
]


async def reviewed(ground: Place, story: str) -> tuple[str, Json]:
    """Return a thread whose task waits at its gate, and that gate."""
    tidy = task("tidy", "Tidy the report", gate="ask")
    plan = {"goal": GOAL, "summary": "One change.", "key_risk": "none", "tasks": [tidy]}
    rules = [planned(plan), work("tidy", *STEPS), rule({}, {"say": "Here."})]
    thread = await ground.begin(story, ground.repository(story, rules, FILES), GOAL)
    return thread, await ground.seen(thread, "gate_opened", "tidy")


def file(page: Page, path: str) -> Locator:
    return page.get_by_role("region", name=path, exact=True)


def line(of: Locator, text: str) -> Locator:
    return of.locator("tr").filter(has_text=text).first


def review(thread: str) -> str:
    return f"/threads/{thread}/tasks/tidy/review"


async def test_lines_have_colours_and_words_that_changed(door: Door, ground: Place):
    thread, _ = await reviewed(ground, "colours")
    page = await door.page(review(thread))
    report = file(page, "shop/report.py")

    # within a string that begins far above the hunk
    await expect(line(report, "Paragraph 18 of").locator("[data-code=string]")).to_be_visible()
    await expect(line(report, "twenty").locator("[data-edit]")).to_have_text("twenty")
    await expect(line(report, "LIMIT_40 = 400").locator("[data-edit]")).to_have_text("400")
    await expect(line(report, "LIMIT_39").locator("[data-code=number]")).to_have_text("39")
    assert not await broken_rules(page)

    dark = await door.page(review(thread), color_scheme="dark")
    await expect(
        line(file(dark, "shop/report.py"), "LIMIT_39").locator("[data-code]")
    ).to_be_visible()
    assert not await broken_rules(dark)


async def test_more_lines_come_twenty_at_a_time_and_bear_comments(door: Door, ground: Place):
    thread, _ = await reviewed(ground, "more-lines")
    page = await door.page(review(thread))
    report = file(page, "shop/report.py")
    await expect(line(report, "LIMIT_39")).to_be_visible()
    await expect(report.get_by_text("LIMIT_50 = 50")).to_have_count(0)

    await report.get_by_role("button", name="Show 16 lines").click()
    await expect(line(report, "LIMIT_50 = 50")).to_be_visible()
    await report.get_by_role("button", name="↓ Show 20 more lines").click()
    await expect(line(report, "LIMIT_10 = 10")).to_be_visible()
    await expect(report.get_by_text("LIMIT_11 = 11")).to_have_count(0)
    await report.get_by_role("button", name=re.compile("^Show (all )?[0-9]+ line")).first.click()
    await expect(line(report, "Paragraph 1 of")).to_be_visible()

    await line(report, "LIMIT_50 = 50").locator("[data-gutter]").last.click()
    comment = page.get_by_role("textbox", name="Comment on line 84 of shop/report.py")
    await comment.fill("Why fifty?")
    await button(page, "Add comment").click()
    await button(page.get_by_role("region", name="Decide"), "Send 1 comment").click()
    sent = await ground.seen(thread, "gate_decided", "tidy")
    said = sent["outcome"]["comments"][0]
    assert (said["path"], said["line"], said["side"]) == ("shop/report.py", 84, "new")


async def test_spaces_can_be_left_out_and_moved_blocks_are_named(door: Door, ground: Place):
    thread, _ = await reviewed(ground, "spaces")
    page = await door.page(review(thread))
    spaces = file(page, "shop/spaces.py")

    await expect(spaces.locator("tr[data-type=insert]")).to_have_count(2)
    await page.keyboard.press("w")
    await expect(spaces.get_by_text("Only whitespace changed.")).to_be_visible()
    await expect(page.get_by_role("checkbox", name="Hide whitespace changes")).to_be_checked()

    await expect(
        file(page, "shop/totals.py").get_by_text("moved from shop/sums.py:4")
    ).to_be_visible()
    await expect(
        file(page, "shop/sums.py").get_by_text("moved to shop/totals.py:4")
    ).to_be_visible()


async def test_files_are_found_by_path_and_by_text(door: Door, ground: Place):
    thread, _ = await reviewed(ground, "finding")
    page = await door.page(review(thread))
    files = page.get_by_role("listbox", name="Changed files")
    await expect(files.get_by_role("option")).to_have_count(5)  # four files in one folder

    await page.keyboard.press("/")
    await page.keyboard.type("limit_40")
    await expect(file(page, "shop/totals.py")).to_have_count(0)
    await expect(file(page, "shop/report.py")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(file(page, "shop/totals.py")).to_be_visible()

    await files.get_by_role("option").filter(has_text="shop/").click()
    await expect(files.get_by_role("option")).to_have_count(1)


async def test_only_what_changed_since_one_looked_is_shown(door: Door, ground: Place):
    thread, gate = await reviewed(ground, "looked")
    context = await door.context()
    page = await door.page(review(thread), in_=context)
    await expect(line(file(page, "shop/report.py"), "LIMIT_40 = 400")).to_be_visible()
    await page.close()
    request = {key: gate["request"][key] for key in ("request_id", "content_hash")}
    new = {"path": "shop/report.py", "first": 75, "last": 75, "text": "LIMIT_41 = 410"}
    await ground.post(
        f"/threads/{thread}/tasks/tidy/suggestions", {**request, "suggestions": [new]}
    )
    await ground.seen(thread, "gate_opened", "tidy", number=2)

    page = await door.page(review(thread), in_=context)
    await page.get_by_text("Since you last looked", exact=True).click()

    report = file(page, "shop/report.py")
    await expect(report.locator("tr[data-type=insert]")).to_have_text("LIMIT_41 = 410")
    await expect(file(page, "shop/totals.py")).to_have_count(0)
    await page.get_by_text("All changes", exact=True).click()
    await expect(file(page, "shop/totals.py")).to_be_visible()


async def test_a_phone_shows_a_diff_without_scrolling_sideways(door: Door, ground: Place):
    thread, _ = await reviewed(ground, "diff-on-a-phone")
    page = await door.page(review(thread), is_phone=True)
    await expect(
        line(file(page, "shop/report.py"), "twenty").locator("[data-edit]")
    ).to_be_visible()

    assert not await overflowing(page)
    assert not await broken_rules(page)


async def test_suggested_lines_are_applied_by_a_click_and_verified_again(door: Door, ground: Place):
    thread, _ = await reviewed(ground, "suggested")
    page = await door.page(review(thread))
    report = file(page, "shop/report.py")
    numbers = line(report, "LIMIT_40 = 400").locator("[data-gutter]").last
    await numbers.drag_to(line(report, "LIMIT_42 = 42").locator("[data-gutter]").last)
    comment = page.get_by_role("textbox", name="Comment on lines 74-76 of shop/report.py")
    await button(page, "Suggest a change").click()
    await expect(comment).to_have_value(re.compile("LIMIT_41 = 41"))
    await comment.fill("One less:\n\n```suggestion\nLIMIT_40 = 4\n```")
    await button(page, "Add comment").click()
    preview = report.get_by_role("figure", name="Suggested change")
    await expect(preview.locator("tr[data-type=insert]")).to_have_text("LIMIT_40 = 4")
    assert not await broken_rules(page)

    await page.wait_for_timeout(1000)  # a fresh gate takes no click at first
    await button(page, "Apply 1 suggestion").click()

    applied = await ground.seen(thread, "suggestions_applied", "tidy")
    again = await ground.seen(thread, "gate_opened", "tidy", number=2)
    assert again["snapshot"]["commit"] == applied["snapshot"]["commit"]
    await expect(line(report, "LIMIT_40 = 4")).to_be_visible()
    await expect(report.locator("tr[data-type=delete]").filter(has_text="LIMIT_41")).to_be_visible()
    await expect(page.get_by_role("button", name="Edit", exact=True)).to_have_count(0)
    decide = page.get_by_role("region", name="Decide")
    await expect(button(decide, "Approve")).to_be_enabled()


async def test_a_suggestion_for_work_that_changed_is_refused(door: Door, ground: Place):
    thread, gate = await reviewed(ground, "stale-suggestion")
    request = {key: gate["request"][key] for key in ("request_id", "content_hash")}
    first = {"path": "shop/report.py", "first": 1, "last": 1, "text": '"""Words.'}
    path = f"/threads/{thread}/tasks/tidy/suggestions"
    await ground.post(path, {**request, "suggestions": [first]})
    await ground.seen(thread, "gate_opened", "tidy", number=2)

    answer = await ground.http.post(f"/v1{path}", json={**request, "suggestions": [first]})

    assert answer.status_code == 409
    assert "changed since it was shown" in answer.json()["detail"]


async def test_pictures_markdown_and_notebooks_are_seen_as_they_look(door: Door, ground: Place):
    notebook = (
        '{"nbformat": 4, "nbformat_minor": 5, "metadata": {"language_info": {"name": "python"}}, '
        '"cells": [{"cell_type": "code", "source": ["total = 7"], "outputs": '
        '[{"output_type": "display_data", "data": {"text/html": "<b id=owned>x</b>"}}]}]}'
    )
    look = task("look", "Add what can be looked at", gate="ask")
    plan = {"goal": GOAL, "summary": "One change.", "key_risk": "none", "tasks": [look]}
    vector = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>alert(1)</script></svg>'
    steps: list[Json] = [
        {"write": "README.md", "text": "# Shop\n\nA **large** shop.\n"},
        {"write": "logo.svg", "text": vector},
        {"write": "sums.ipynb", "text": notebook},
        {"run": f"printf '%s' {PNG} | base64 -d > dot.png"},
    ]
    rules = [planned(plan), work("look", *steps), rule({}, {"say": "Here."})]
    thread = await ground.begin("looks", ground.repository("looks", rules), GOAL)
    await ground.seen(thread, "gate_opened", "look")
    page = await door.page(f"/threads/{thread}/tasks/look/review")

    await expect(file(page, "dot.png").get_by_role("img", name="After")).to_be_visible()
    await file(page, "logo.svg").get_by_text("Picture", exact=True).click()
    await expect(file(page, "logo.svg").get_by_role("img", name="After")).to_be_visible()
    await file(page, "README.md").get_by_text("Rendered", exact=True).click()
    await expect(file(page, "README.md").locator("strong")).to_have_text("large")
    await expect(file(page, "README.md").get_by_label("Removed")).to_contain_text("make test")
    await file(page, "sums.ipynb").get_by_text("Notebook", exact=True).click()
    cell = file(page, "sums.ipynb").get_by_role("group", name="code cell, added")
    await expect(cell).to_contain_text("total = 7")
    await expect(cell).to_contain_text("Output not shown: text/html")
    assert await page.locator("#owned").count() == 0
    assert not await broken_rules(page)
