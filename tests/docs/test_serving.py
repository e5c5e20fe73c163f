"""Under `mkdocs serve`: what is built again, a site that stays whole, and an edit that is seen."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from docs.builder.serving import Serving
from tests.built_site import ROOT

BOTH = {"en", "zh-TW"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("docs/en/a.md", "docs/zh-TW/a.md", "docs/locales/zh-TW.po", "transformer/m.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("text", "utf-8")
    (tmp_path / "mkdocs.yml").write_text("", "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("file", "languages", "pages_alone"),
    [
        ("docs/en/a.md", {"en"}, True),
        ("docs/en/new.md", BOTH, False),
        ("docs/zh-TW/a.md", {"zh-TW"}, True),
        ("docs/locales/zh-TW.po", {"zh-TW"}, False),
        ("transformer/m.py", BOTH, False),
        ("mkdocs.yml", BOTH, False),
    ],
)
def test_only_what_changed_is_built(
    root: Path, file: str, languages: set[str], pages_alone: bool
) -> None:
    serving = Serving()
    serving.look(root)
    assert (serving.languages, serving.pages_alone) == (BOTH, False)  # the first time
    (root / file).write_text("other text", "utf-8")
    serving.look(root)
    assert (serving.languages, serving.pages_alone) == (languages, pages_alone)
    serving.look(root)
    assert (serving.languages, serving.pages_alone) == (BOTH, False)  # asked for by hand


def test_after_a_failure_all_is_built(root: Path) -> None:
    serving = Serving()
    serving.look(root)
    (root / "mkdocs.yml").write_text("nonsense", "utf-8")
    serving.look(root)
    serving.failed()
    (root / "docs/en/a.md").write_text("other text", "utf-8")
    serving.look(root)
    assert (serving.languages, serving.pages_alone) == (BOTH, False)


class Server:
    """`mkdocs serve --strict` of a small copy of the book."""

    def __init__(self, root: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.home = f"http://127.0.0.1:{free.getsockname()[1]}/"
        self.root, self.log = root, root / "serve.log"
        command = [sys.executable, "-m", "mkdocs", "serve", "--strict"]
        command += ["--dev-addr", self.home[7:-1]]
        environment = os.environ | {"PYTHONPATH": str(root), "SITE_URL": self.home}
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                command, cwd=root, env=environment, stdout=log, stderr=subprocess.STDOUT
            )

    def says(self, url: str, words: str) -> bool:
        try:
            with urlopen(self.home + url, timeout=5) as answer:
                return words in answer.read().decode()
        except (URLError, ConnectionError, TimeoutError):
            return False

    def wait_until(self, url: str, words: str, seconds: float) -> float:
        """Wait until a page has these words, and return how long it took."""
        start = time.monotonic()
        while not self.says(url, words):
            assert self.process.poll() is None, f"the server ended:\n{self.log.read_text()}"
            waited = time.monotonic() - start
            assert waited < seconds, f"{url}: no {words!r} in {seconds} s:\n{self.log.read_text()}"
            time.sleep(0.1)
        return time.monotonic() - start

    def wait_for_log(self, words: str) -> None:
        start = time.monotonic()
        while words not in self.log.read_text():
            assert time.monotonic() - start < 60, self.log.read_text()
            time.sleep(0.1)

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.root / "docs" / name
        path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")


NAV = "nav:\n  - Home: index.md\n  - Start:\n      - Setup: start/setup.md\n"
READ_BY_NAME = ("__init__.py", "__init__.pyi", "inference/pretrained.safetensors",
                "inference/hand_made.txt")  # fmt: skip


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Serve two pages that take no time to make, and no API reference."""
    written = shutil.ignore_patterns("en", "zh-TW", "__pycache__")
    shutil.copytree(ROOT / "docs", tmp_path / "docs", ignore=written)
    for name in READ_BY_NAME:
        path = tmp_path / "transformer" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "transformer" / name, path)
    for language, heading in (("en", "A small book"), ("zh-TW", "一本小書")):
        for page in ("index.md", "start/setup.md"):
            path = tmp_path / "docs" / language / page
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"# {heading} {{ #top }}\n\nFirst.\n", "utf-8")
    settings = (ROOT / "mkdocs.yml").read_text("utf-8")
    settings = re.sub(r"(?m)^nav:.*\n(?:[ #\n].*\n?)*", NAV, settings)
    (tmp_path / "mkdocs.yml").write_text(settings, "utf-8")
    chinese = tmp_path / "docs/builder/__main__.py"  # takes as long as it does with a whole book
    chinese.write_text("import time; time.sleep(5)\n" + chinese.read_text("utf-8"), "utf-8")
    one = Server(tmp_path)
    yield one
    one.process.terminate()
    one.process.wait()


@pytest.mark.process
def test_an_edit_is_seen_and_an_error_takes_no_page_away(server: Server) -> None:
    """The bounds are for a machine at other work; what it took is printed."""
    print(f"English answered after {server.wait_until('', 'A small book', 120):.1f} s")
    assert not server.says("zh-TW/", "一本小書")
    server.edit("en/index.md", "First.", "$x_{$")
    server.wait_for_log("Aborted")
    server.edit("en/index.md", "$x_{$", "Second.")
    server.wait_until("", "Second.", 60)
    print(f"Chinese after {server.wait_until('zh-TW/', '一本小書', 120):.1f} s more")
    for page, url in (
        ("zh-TW/start/setup.md", "zh-TW/start/setup/"),
        ("en/start/setup.md", "start/setup/"),
    ):
        server.edit(page, "First.", "Third.")
        print(f"an edit of {page} after {server.wait_until(url, 'Third.', 60):.1f} s")
    assert server.says("zh-TW/start/setup/", "Third.")  # no build of English takes it away
