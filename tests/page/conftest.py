"""One browser a session, one context a test, and an engine with something on every screen."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.async_api import Browser, BrowserContext, Page, async_playwright, expect

from domain.tasks.state import AT_GATE
from domain.threads.running.events import TaskProgressed
from settings import Settings
from tests.e2e.engine import DEADLINE_SECONDS, Engine, http_of
from tests.e2e.job import Job
from tests.page.browser import FLAGS, PHONE, WIDE, Complaints
from tests.page.chromium import MISSING, found
from tests.page.stories.filling import fill
from tests.page.stories.place import Place

BUILT = Path(__file__).parents[2] / "api" / "page" / "index.html"
PATIENCE_MILLISECONDS = 40_000

OpenPage = Callable[..., Awaitable[Page]]

UNWATCHED = {"TREADLE_CIRCLING_CALLS_STOP": "0", "TREADLE_CIRCLING_REPEATS_STOP": "0"}
"""For turns of ten thousand calls: no bound ends them."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--stories", help="the data folder of stories that run, to look at those")
    parser.addoption("--stories-port", type=int, help="their API's port")
    parser.addoption("--pictures", help="a folder to keep a picture of each screen in")


expect.set_options(timeout=PATIENCE_MILLISECONDS)


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        path = found(playwright.chromium.executable_path)
        assert path, MISSING
        yield await playwright.chromium.launch(executable_path=path, args=list(FLAGS))


@pytest.fixture(scope="session")
def is_built() -> None:
    assert BUILT.exists(), "the page is not built: make setup"


@pytest.fixture(scope="session")
async def place(
    request: pytest.FixtureRequest, is_built: None, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Place]:
    """An engine filled with stories; tests change nothing on it."""
    data = request.config.getoption("--stories", default=None)
    if data is not None:
        port = request.config.getoption("--stories-port")
        settings = Settings(data_dir=Path(data), api_port=port)
        async with http_of(settings) as http:
            yield Place(http, Path(data).parent / "repositories", Path(data).parent / "config")
        return
    folder = tmp_path_factory.mktemp("stories")
    engine = Engine(folder, max_turns=40)
    engine.environment |= UNWATCHED
    await engine.start("temporal", "api", "worker")
    (folder / "repositories").mkdir()
    try:
        async with engine.http() as http:
            place = Place(http, folder / "repositories", engine.config)
            failed = await fill(place)
            assert not failed, failed
            yield place
    finally:
        engine.stop()


@pytest.fixture(scope="session")
async def engine(is_built: None, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Engine]:
    """An engine for tests that do things; each fixes what the one before has killed."""
    engine = Engine(tmp_path_factory.mktemp("engine"))
    engine.environment |= UNWATCHED
    await engine.start("temporal", "api", "worker")
    yield engine
    engine.stop()


@pytest.fixture
async def ground(engine: Engine, tmp_path: Path) -> AsyncIterator[Place]:
    """Where a test puts repositories and opens threads, on the engine for tests that do things."""
    await engine.repair()
    async with engine.http() as http:
        yield Place(http, tmp_path, engine.config)


class Door:
    """Opens signed-in pages of an engine; what they complain of fails the test at its end."""

    def __init__(self, browser: Browser, http: httpx.AsyncClient) -> None:
        self._browser = browser
        self._http = http
        self._contexts: list[BrowserContext] = []
        self._complaints: list[Complaints] = []
        self.origin = ""

    async def context(self, *, is_phone: bool = False, **options: Any) -> BrowserContext:
        """Sign a fresh browser in by a one-time link."""
        size = {"viewport": PHONE, "has_touch": True} if is_phone else {"viewport": WIDE}
        context = await self._browser.new_context(**{**size, **options})
        context.set_default_timeout(PATIENCE_MILLISECONDS)
        self._contexts.append(context)
        link = (await self._http.post("/v1/browser-links", json={})).json()["url"]
        self.origin, _, code = link.partition("/open/")
        host = {"host": self.origin.partition("//")[2]}
        signed_in = await self._http.get(f"/open/{code}", headers=host)
        name, _, value = signed_in.headers["set-cookie"].partition(";")[0].partition("=")
        await context.add_cookies([{"name": name, "value": value, "url": self.origin}])
        return context

    async def page(
        self, path: str = "/", *, in_: BrowserContext | None = None, **more: Any
    ) -> Page:
        """Open a page, in a browser of its own unless one is given."""
        context = in_ or await self.context(**more)
        page = await context.new_page()
        host = self.origin.partition("//")[2]
        self._complaints.append(Complaints(page, host))
        await page.goto(f"{self.origin}{path}")
        return page

    def expect(self, *patterns: str) -> None:
        """Say what the newest page may complain of."""
        self._complaints[-1].expected.extend(patterns)

    async def close(self) -> list[str]:
        """Close all, and return what was complained of."""
        for context in self._contexts:
            await context.close()
        return [line for each in self._complaints for line in each.left()]


@pytest.fixture
async def gallery(browser: Browser, place: Place) -> AsyncIterator[Door]:
    """Pages of the engine with stories."""
    door = Door(browser, place.http)
    yield door
    complaints = await door.close()
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def pictures(request: pytest.FixtureRequest) -> Path | None:
    """Where pictures of the screens are kept, if somebody wants them."""
    folder = request.config.getoption("--pictures", default=None)
    if folder is None:
        return None
    Path(folder).mkdir(parents=True, exist_ok=True)
    return Path(folder)


@pytest.fixture
async def door(browser: Browser, ground: Place) -> AsyncIterator[Door]:
    """Pages of the engine for tests that do things."""
    door = Door(browser, ground.http)
    yield door
    complaints = await door.close()
    assert not complaints, "\n".join(complaints)


@pytest.fixture(scope="session")
async def web_engine(
    is_built: None, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Engine]:
    """An engine with Temporal's Web UI."""
    engine = Engine(tmp_path_factory.mktemp("web-ui"), is_temporal_ui_on=True)
    await engine.start("temporal", "api", "worker")
    yield engine
    engine.stop()


@pytest.fixture
async def http(web_engine: Engine) -> AsyncIterator[httpx.AsyncClient]:
    async with web_engine.http() as client:
        yield client


@pytest.fixture
async def job(web_engine: Engine, http: httpx.AsyncClient, tmp_path: Path) -> Job:
    """A thread whose task `left` waits at its gate, as the thread knows."""
    return await _waiting(Job(web_engine, http, tmp_path))


@pytest.fixture(scope="session")
async def watched(
    web_engine: Engine, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Job]:
    """The same, for tests that only look at it."""
    async with web_engine.http() as client:
        yield await _waiting(Job(web_engine, client, tmp_path_factory.mktemp("watched")))


async def _waiting(job: Job) -> Job:
    await job.begin()
    await job.to_the_gate()
    async with asyncio.timeout(DEADLINE_SECONDS), aclosing(job.follow()) as events:
        async for journaled in events:
            body = journaled.event.body
            if isinstance(body, TaskProgressed) and body.progress.asks == AT_GATE:
                return job
    raise AssertionError("a stream of events has no end")


@pytest.fixture
async def web_ui(browser: Browser, http: httpx.AsyncClient) -> AsyncIterator[Door]:
    door = Door(browser, http)
    yield door
    assert await door.close() == []
