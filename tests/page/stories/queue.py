"""The queue with entries that wait, are held and are blocked; schedules; a workflow template."""

from tests.page.stories.place import Place, planned, task, work

WORKFLOW = """\
description: Find out how something is best done here, then do it, then look at it
parameters:
  feature:
    description: What shall be built
  style:
    default: as the code around it does
goals:
  - id: research
    goal: "Find out how this is best done here: ${feature}"
  - id: build
    base: research
    goal: "${feature}, ${style}. Begin with docs/research.md."
    priority: 2
  - id: review
    after: [build]
    goal: Look at it as a stranger would
"""


async def waiting_line(place: Place) -> None:
    """Entries in each state, two schedules and a workflow template of the repository."""
    plan = {"goal": "Do it", "summary": "One task.", "tasks": [task("work", "Do it")]}
    rules = [planned(plan), work("work", {"write": "done.txt", "text": "done\n"})]
    files = {".treadle/workflow-templates/with-research.yaml": WORKFLOW}
    repository = place.repository("backlog", rules, files)
    await place.post("/queue/limits", {"max_running": 1, "max_reviews": 1})

    def goal(name: str, text: str, **more: object) -> dict[str, object]:
        return {"goal": text, "name": name, "repository": repository, "agent": "scripted", **more}

    items = [
        goal("parser", "Write the parser of coupons", priority=2),
        goal("tests", "Test the parser of coupons", after=["parser"]),
        goal("docs", "Describe coupons", priority=4),
        goal("later", "Sell coupons", priority=5),
        goal("never", "Drop the old coupons"),
        goal("after-never", "Tell customers that old coupons are gone", after=["never"]),
    ]
    entries = (await place.post("/queue", {"items": items}))["entries"]
    await place.post(f"/queue/{entries[3]}/hold", {"reason": "not before the release"})
    await place.post(f"/queue/{entries[4]}/remove")
    about = {"repository": repository, "agent": "scripted"}
    weekly = {"goal": "Bring all dependencies up to date", **about}
    await place.post("/schedules", {"name": "dependencies", "cron": "0 6 * * 1", "item": weekly})
    links = {"goal": "Check all links and fix dead ones", **about}
    body = {"name": "links", "cron": "@daily", "timezone": "Europe/Berlin", "item": links}
    await place.post("/schedules", body)
    await place.post("/schedules/links/pause")
    place.remember("waiting_line", repository)
