"""The site built once for the session, served under a prefix as a host would, and a browser."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import IO, NamedTuple
from urllib.parse import unquote

import pytest
from filelock import FileLock
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Page,
    Request,
    ViewportSize,
    expect,
    sync_playwright,
)

from docs.checks.pages import page_files
from tests.built_pages import BuiltPage

ROOT = Path(__file__).parents[1]
PREFIX = "/book/"
SITE_URL = f"https://example.org{PREFIX}"  # a folder of a host: nothing may count on the root
REPOSITORY = "https://example.com/OWNER/NAME"
SETTINGS = {
    "NO_MKDOCS_2_WARNING": "1",  # the theme's notice is for people
    "SITE_REPOSITORY": REPOSITORY,
    "SITE_URL": SITE_URL,
    "SOURCE_DATE_EPOCH": "1700000000",
}
FAILURES = ROOT / ".cache" / "failures"
NOT_IN_A_NAME = re.compile(r"[^\w.-]+")
WINDOW = ViewportSize(width=1280, height=720)
CHROMIUM = ["chromium", "chromium-browser", "google-chrome"]
NO_BROWSER = "needs Chromium: apt-get install chromium"
PATIENCE = 15_000  # milliseconds: a machine with other work may be this late
expect.set_options(timeout=PATIENCE)

FOLDERS = {"en": "", "zh-TW": "zh-TW/"}  # of the languages
LANGUAGES = pytest.mark.parametrize("language", FOLDERS.values(), ids=FOLDERS)
ENGLISH = ROOT / "docs" / "en"
# Every page's address within its language, as in start/setup/.
NAMES = [
    f"{path.relative_to(ENGLISH).with_suffix('').as_posix()}/".removesuffix("index/")
    for path in page_files(ENGLISH)
]
NOT_FOUND = "404.html"  # one page for both languages, at the root


class Built(NamedTuple):
    site: Path
    log: str


class SiteDoesNotBuildError(Exception):
    """Holds what was logged; `reported` is a file that exists once a test has repeated it."""

    def __init__(self, log: str, reported: Path | None = None) -> None:
        super().__init__(log)
        self.reported = reported


def build(builder: str, site: Path) -> Built:
    """Build the whole site strictly, with MkDocs or Zensical, or fail with what was logged."""
    commands = [["mkdocs", "build", "--site-dir", str(site)]]
    if builder != "mkdocs":
        commands = [
            ["docs.builder", language, "--with", builder, "--site-dir", str(site / folder)]
            for language, folder in FOLDERS.items()
        ]
    log = ""
    for command in commands:
        done = subprocess.run(
            [sys.executable, "-m", *command, "--strict"],
            cwd=ROOT,
            env=os.environ | SETTINGS,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        log += done.stdout
        if done.returncode:
            raise SiteDoesNotBuildError(log)
    return Built(site, log)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers have in common."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


@pytest.fixture(scope="session")
def built(shared: Path) -> Built:
    """The site, built by whichever worker needs it first."""
    return built_once(shared, "mkdocs")


def built_once(folder: Path, builder: str) -> Built:
    """Build into a folder, or return what another worker has built there, or why it could not."""
    site, log, failure = (folder / f"{builder}{end}" for end in ("", ".log", ".failure"))
    with FileLock(folder / f"{builder}.lock"):
        if not (log.exists() or failure.exists()):
            try:
                log.write_text(build(builder, site).log, "utf-8")
            except SiteDoesNotBuildError as error:
                failure.write_text(str(error), "utf-8")
    if failure.exists():
        raise SiteDoesNotBuildError(failure.read_text("utf-8"), folder / f"{builder}.reported")
    return Built(site, log.read_text("utf-8"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """One test says why the site does not build; those that need it too are skipped."""
    try:
        return (yield)
    except SiteDoesNotBuildError as error:
        if error.reported and error.reported.exists():
            pytest.skip("the site does not build: one failure says why")
        if error.reported:
            error.reported.touch()
        pytest.fail(f"the site does not build:\n{summary(str(error))}", pytrace=False)


def summary(log: str) -> str:
    """What went wrong in a build, without what went right."""
    wrong = [line for line in log.splitlines() if line.strip() and not line.startswith("INFO ")]
    return "\n".join(wrong)


def settings_as_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the builder see the settings that the site was built with."""
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)


@pytest.fixture(scope="session")
def site(built: Built) -> Path:
    return built.site


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[str, BuiltPage]:
    """Every page by its address, seen from the site's root; not those that lead on to another."""
    found = (BuiltPage.read(site, path) for path in sorted(site.rglob("*.html")))
    return {page.url: page for page in found if not page.leads_on}


class Handler(SimpleHTTPRequestHandler):
    """Serve the site under the prefix, and nothing outside it."""

    def send_head(self) -> IO[bytes] | None:  # type: ignore[override]
        if not self.path.startswith(PREFIX):
            self.send_error(404)
            return None
        self.path = self.path.removeprefix(PREFIX[:-1])
        return super().send_head()

    def log_message(self, *args: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    """A server that a browser with many connections does not overrun on a busy machine."""

    request_queue_size = 128


@pytest.fixture(scope="session")
def base_url(site: Path) -> Iterator[str]:
    with Server(("127.0.0.1", 0), partial(Handler, directory=site)) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}{PREFIX}"
        server.shutdown()
        thread.join()


def chromium() -> str | None:
    """Path of the installed browser."""
    return next(filter(None, map(shutil.which, CHROMIUM)), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs a browser before the site is built for it; in CI it fails."""
    if chromium() is None and "CI" not in os.environ:
        for item in items:
            if item.get_closest_marker("browser"):
                item.add_marker(pytest.mark.skip(reason=NO_BROWSER))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = chromium()
    if executable is None:
        pytest.fail(NO_BROWSER)
    flags = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=flags)
        yield browser
        browser.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep pictures of the pages that a test had open when it failed."""
    report = yield
    values = item.funcargs.values() if isinstance(item, pytest.Function) else ()
    for page in values if report.failed else ():
        if isinstance(page, Page) and not page.is_closed():
            path = FAILURES / f"{NOT_IN_A_NAME.sub('-', item.nodeid)}.png"
            page.screenshot(path=path)
            report.sections.append(("what the page looked like", str(path)))
    return report


@contextmanager
def watched(browser: Browser, base_url: str) -> Iterator[tuple[Page, list[str]]]:
    """A reader's first visit, and whatever the page complains of or asks others for."""
    complaints: list[str] = []

    def failed(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # a test may leave while the page still loads
            complaints.append(f"{request.url}: {request.failure}")

    def requested(request: Request) -> None:
        if not request.url.startswith((base_url, "data:", "blob:")):
            complaints.append(f"{request.url} is not of this site")

    def said(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(f"{message.location.get('url')}: {message.text}")

    context = browser.new_context(base_url=base_url)
    context.set_default_timeout(PATIENCE)
    context.on("request", requested)
    context.on("requestfailed", failed)
    context.on("console", said)
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    yield context.new_page(), complaints
    context.close()


def check_quiet(complaints: list[str]) -> None:
    """Fail with what a page complained of; the next test does not hear of it again."""
    found = complaints.copy()
    complaints.clear()
    assert not found, "\n".join(found)


@pytest.fixture
def first_visit(browser: Browser, base_url: str) -> Iterator[Page]:
    """A reader who has never been here; a complaint is a failure."""
    with watched(browser, base_url) as (page, complaints):
        yield page
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def plain(browser: Browser, base_url: str) -> Iterator[Page]:
    """A reader without scripts."""
    context = browser.new_context(base_url=base_url, java_script_enabled=False)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def kept(browser: Browser, base_url: str) -> Iterator[tuple[Page, list[str]]]:
    with watched(browser, base_url) as opened:
        yield opened


@pytest.fixture
def page(kept: tuple[Page, list[str]]) -> Iterator[Page]:
    """A reader of whom the site knows nothing; a complaint is a failure.

    It is one page from test to test: a first visit takes the processor four times as long.
    """
    page, complaints = kept
    page.set_viewport_size(WINDOW)
    page.emulate_media(media="null", color_scheme="null", reduced_motion="null")
    page.mouse.move(0, 0)
    yield page
    page.evaluate("localStorage.clear(), sessionStorage.clear()")
    page.context.clear_permissions()
    page.unroute_all()
    page.goto("about:blank")
    check_quiet(complaints)


def check(problems: Iterable[str]) -> None:
    found = list(problems)
    assert not found, "\n" + "\n".join(found)


def file_at(site: Path, address: str) -> Path | None:
    """The file that a host would send for an address, or None."""
    if not address.startswith(SITE_URL):
        return None
    path = site / unquote(address.removeprefix(SITE_URL))
    path = path / "index.html" if address.endswith("/") else path
    return path if path.is_file() else None
