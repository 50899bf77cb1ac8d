"""A browser is subscribed in Settings, gets what waits while the page is hidden, and a click opens the card.

Chromium subscribes at Google's push service, which tests do not reach: `PushManager.subscribe` and `getSubscription`
are of this file, with keys of ours at a service on loopback. Everything after it is real: the engine encrypts and
signs, a second implementation decrypts, and Chromium gives the service worker the message. Nobody can click on a
notification of a headless browser: the click, and a change of the subscription, are events made in the service worker.
"""

import asyncio
import json
from pathlib import Path

import pytest
from playwright.async_api import CDPSession, Page, Response, Worker, expect

from tests.adapters.news_lab import Sink, sink
from tests.adapters.push_lab import BrowserKeys
from tests.e2e.engine import Engine
from tests.page.conftest import Door
from tests.page.pictures import kept
from tests.page.stories.place import Place
from tests.page.test_deciding import begun
from tests.page.test_main_job import button

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]

SUBSCRIPTION = """([endpoint, p256dh, auth]) => {
  const made = {
    get endpoint() { return sessionStorage.getItem("endpoint") ?? endpoint; },
    toJSON: () => ({ endpoint: made.endpoint, keys: { p256dh, auth } }),
    unsubscribe: async () => { sessionStorage.removeItem("made"); return true; },
  };
  PushManager.prototype.subscribe = async (options) => {
    if (!options.userVisibleOnly || options.applicationServerKey.length !== 65) throw new Error("options");
    sessionStorage.setItem("made", "yes");
    return made;
  };
  PushManager.prototype.getSubscription = async () => sessionStorage.getItem("made") ? made : null;
}"""
SWITCH = "Notify this browser while the page is closed"
TAGS = "async () => (await self.registration.getNotifications()).map(({ tag }) => tag)"
HANDLED = """() => {
  const begun = [], waiting = [];
  const native = ExtendableEvent.prototype.waitUntil;
  ExtendableEvent.prototype.waitUntil = function (work) {
    begun.push(work);
    for (const go of waiting.splice(0)) go();
    if (this.isTrusted) native.call(this, work);  // it refuses events that scripts have made
  };
  self.handled = async (number) => {
    while (begun.length < number) await new Promise((go) => waiting.push(go));
    await Promise.allSettled([begun[number - 1]]);  // no window may be focused where nobody has clicked
  };
}"""
CLICK = """async (tag) => {
  const [notification] = await self.registration.getNotifications({ tag });
  self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
}"""
CHANGE = """([before, endpoint, keys]) => {
  const of = (endpoint) => ({ endpoint, toJSON: () => ({ endpoint, keys }) });
  const change = new ExtendableEvent("pushsubscriptionchange");
  const subscriptions = { oldSubscription: of(before), newSubscription: of(endpoint) };
  self.dispatchEvent(Object.assign(change, subscriptions));
}"""


@pytest.fixture
async def service():
    async with sink() as found:
        yield found


@pytest.fixture(scope="module")
async def engine(is_built, tmp_path_factory):
    engine = Engine(tmp_path_factory.mktemp("engine"), push_services=["127.0.0.1"])
    try:
        await engine.start("temporal", "api", "worker")
        yield engine
    finally:
        engine.stop()


async def registered(cdp: CDPSession) -> "asyncio.Future[str]":
    """Return the id of the service worker's registration, once Chromium has one."""
    found: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def note(said: dict[str, list[dict[str, str]]]) -> None:
        for each in said["registrations"]:
            if not found.done():
                found.set_result(each["registrationId"])

    cdp.on("ServiceWorker.workerRegistrationUpdated", note)
    await cdp.send("ServiceWorker.enable")
    return found


async def got(service: Sink, number: int) -> bytes:
    """Wait for a message at the push service, and return its body."""
    async with asyncio.timeout(60):
        while len(service.requests) < number:
            service.got.clear()
            await service.got.wait()
    return service.requests[number - 1][2]


class Shown:
    """What the service worker of a page shows; it waits for the end of each event."""

    def __init__(self, cdp: CDPSession, worker: Worker, origin: str, registration: str) -> None:
        self._cdp = cdp
        self._worker = worker
        self._where = {"origin": origin, "registrationId": registration}
        self._number = 0

    async def deliver(self, said: dict[str, str]) -> set[str]:
        """Give the worker a message as the browser does, and return the tags of what is shown then."""
        data = json.dumps(said)
        await self._cdp.send("ServiceWorker.deliverPushMessage", {**self._where, "data": data})
        return await self._after()

    async def click(self, tag: str) -> set[str]:
        await self._worker.evaluate(CLICK, tag)
        return await self._after()

    async def change(self, before: str, endpoint: str, keys: BrowserKeys) -> None:
        halves = {"p256dh": keys.p256dh, "auth": keys.auth}
        await self._worker.evaluate(CHANGE, [before, endpoint, halves])
        await self._after()

    async def _after(self) -> set[str]:
        self._number += 1
        await self._worker.evaluate("(number) => self.handled(number)", self._number)
        return set(await self._worker.evaluate(TAGS))


async def shown_of(page: Page, origin: str) -> Shown:
    cdp = await page.context.new_cdp_session(page)
    registration = await registered(cdp)
    worker = page.context.service_workers[0]
    await worker.evaluate(HANDLED)
    return Shown(cdp, worker, origin, await registration)


@pytest.fixture
async def keys() -> BrowserKeys:
    return BrowserKeys()


@pytest.fixture
async def subscribed(door: Door, ground: Place, service: Sink, keys: BrowserKeys) -> Page:
    """Settings, in a browser that was subscribed there, and is the only one."""
    for other in (await ground.get("/push"))["browsers"]:
        await ground.post(f"/push/{other['subscription_id']}/remove")
    context = await door.context(permissions=["notifications"])
    made = json.dumps([service.url, keys.p256dh, keys.auth])
    await context.add_init_script(f"({SUBSCRIPTION})({made})")
    page = await door.page("/settings", in_=context)
    switch = page.get_by_role("switch", name=SWITCH)
    await expect(switch).to_be_enabled()
    await switch.click()
    await expect(page.get_by_text("· this browser")).to_be_visible()
    return page


async def test_a_browser_is_told_once_and_a_click_opens_the_card(
    door: Door, ground: Place, service: Sink, keys: BrowserKeys, subscribed: Page
):
    page = subscribed
    shown = await shown_of(page, door.origin)
    await button(page, "Send a test").click()
    test = keys.opened(await got(service, 1))
    await expect(page.get_by_role("status").filter(has_text="Sent")).to_be_visible()
    assert await shown.deliver(test) == {"treadle-test"}

    thread, _ = await begun(ground, "pushed")
    news = keys.opened(await got(service, 2))
    if news["title"] == "A plan waits for your approval":  # it was told before it was approved
        news = keys.opened(await got(service, 3))
    assert news["title"] == "A task waits at its gate"
    assert thread in news["href"]
    assert "Demat" not in json.dumps(news)
    seen = await shown.deliver(news)
    assert seen == {"treadle-test"}, "who looks at the page needs no notification"

    await page.goto("about:blank")
    assert await shown.deliver(news) == {"treadle-test", news["tag"]}
    again = await shown.deliver(news)
    assert again == {"treadle-test", news["tag"]}, "what is sent again takes the place of the first"

    before = (await ground.get(f"/threads/{thread}"))["position"]
    await page.goto(f"{door.origin}/settings")
    assert await shown.click(news["tag"]) == {"treadle-test"}
    await expect(page.locator("[data-inbox-card]")).to_contain_text("It is done.")
    assert (await ground.get(f"/threads/{thread}"))["position"] == before, (
        "nothing is decided by it"
    )


def _is_renewal(response: Response) -> bool:
    return response.request.method == "POST" and response.url.endswith("/v1/push")


async def test_its_rules_are_kept_when_the_push_service_gives_it_another_address(
    door: Door,
    ground: Place,
    service: Sink,
    keys: BrowserKeys,
    subscribed: Page,
    pictures: Path | None,
):
    page = subscribed
    await page.get_by_text("Rules of this browser").click()
    await kept(page, pictures, "notifications")
    await page.get_by_label("Quiet hours").fill("00:00-23:59")
    await page.get_by_label("What a notification says").select_option("kind")
    await button(page, "Save the rules").click()
    await expect(button(page, "Save the rules")).to_be_disabled()
    [first] = (await ground.get("/push"))["browsers"]
    assert (first["rules"]["quiet"], first["rules"]["content"]) == ("00:00-23:59", "kind")

    shown = await shown_of(page, door.origin)
    await shown.change(service.url, f"{service.url}/2", keys)
    [second] = (await ground.get("/push"))["browsers"]
    assert second["subscription_id"] != first["subscription_id"]
    assert (second["rules"], second["browser"]) == (first["rules"], first["browser"])

    # another one, of which the service worker was told nothing, as in Firefox
    await page.evaluate("(url) => sessionStorage.setItem('endpoint', url)", f"{service.url}/2")
    await page.reload()
    await expect(page.get_by_text("· this browser")).to_be_visible()
    await page.evaluate("(url) => sessionStorage.setItem('endpoint', url)", f"{service.url}/3")
    async with page.expect_response(_is_renewal):
        await page.reload()
    [third] = (await ground.get("/push"))["browsers"]
    row = page.locator(f"[data-subscription='{third['subscription_id']}']")
    await expect(row).to_contain_text("· this browser")
    assert third["subscription_id"] != second["subscription_id"]
    assert third["rules"] == first["rules"]
    number = len(service.requests)  # what waited was told before there were rules
    await button(page, "Send a test").click()
    await got(service, number + 1)
    assert service.requests[-1][0].startswith("POST /hook/secret-path/3 ")


async def test_one_that_is_removed_is_told_nothing_more(
    door: Door, ground: Place, service: Sink, subscribed: Page
):
    await button(subscribed, "Remove").click()
    switch = subscribed.get_by_role("switch", name=SWITCH)
    await expect(switch).not_to_be_checked()
    assert (await ground.get("/push"))["browsers"] == []


async def test_the_page_can_be_installed_and_its_worker_keeps_nothing(door: Door, subscribed: Page):
    cdp = await subscribed.context.new_cdp_session(subscribed)
    found = (await cdp.send("Page.getInstallabilityErrors"))["installabilityErrors"]
    assert {each["errorId"] for each in found} <= {"in-incognito"}, "as each context of a test is"
    manifest = await cdp.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["name"] == "Treadle"
    assert await subscribed.evaluate("async () => (await caches.keys()).length") == 0
