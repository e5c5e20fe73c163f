"""All that MkDocs calls: it makes a plain project of the pages, and has the Chinese site built.

English is built here, from .cache/site/en; another process builds the Chinese site. Under `mkdocs
serve` only what changed is built again, and English does not wait for Chinese.
"""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.config_options import ExtraScriptValue
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import event_priority

from docs.builder.serving import Serving

ROOT = Path(__file__).parents[1]
SILENCE = 4  # seconds without a word, at most
CHANGING = ("docs.", "transformer")

log = logging.getLogger("mkdocs.hook")

serving: Serving | None = None
chinese: subprocess.Popen[bytes] | None = None  # builds the other site
finished = threading.Event()  # while it is not set, a build is at work


def on_startup(command: str, dirty: bool) -> None:
    """Remember whether this is `mkdocs serve`."""
    global serving
    serving = Serving() if command == "serve" else None
    if serving:
        serving.look(ROOT)
        # MkDocs does not know that the other pages of the plain project are the same.
        logging.getLogger("mkdocs.commands.build").addFilter(
            lambda record: "'dirty' build" not in str(record.msg)
        )


@event_priority(100)
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Write the plain project, before any plugin reads the configuration."""
    if not (serving and serving.pages_alone):
        _forget_code()
    finished.clear()
    threading.Thread(target=_say_that_it_goes_on, daemon=True).start()
    from docs.builder import prepare
    from docs.builder.book import Book

    changed = serving.languages if serving else {"en", "zh-TW"}
    language = "zh-TW" if changed == {"zh-TW"} else "en"
    if changed != {"en"}:
        _stop_chinese()
    book = Book.load(language, config.site_url)
    # Whoever serves reads English while Chinese is drawn; else both share what they compute.
    prepare.make_for({language} if serving else changed, log.info)
    _write_project(book, config)
    if changed == {"en", "zh-TW"}:
        _start_chinese(book.home, config)
    config.extra["book"], config.extra["changed"] = book, changed
    return config


def on_serve(server: LiveReloadServer, config: MkDocsConfig, builder: Any) -> None:
    """Watch what people write, not what is made from it, and build only what changed."""
    server.unwatch(config.docs_dir)
    server.builder = partial(_build_again, config)


def _build_again(first: MkDocsConfig) -> None:
    assert serving
    serving.look(ROOT)
    config = load_config(first.config_file_path, site_dir=first.site_dir, strict=first.strict)
    config.site_url = first.site_url
    build(config, serve_url=first.site_url, dirty=serving.pages_alone)


@event_priority(-100)
def on_post_build(config: MkDocsConfig) -> None:
    """Finish the site, and wait for the Chinese one where nobody reads yet."""
    from docs.builder.cache import forget_unused
    from docs.builder.finish import finish

    book = config.extra["book"]
    finish(Path(config.site_dir), Path(config.docs_dir).parent, book, served=bool(serving))
    forget_unused()
    finished.set()
    started = chinese if config.extra["changed"] != {"en"} else None
    if serving and started:
        threading.Thread(target=_report_chinese, args=[started], daemon=True).start()
    elif started and started.wait():
        raise PluginError("the Chinese site could not be built: its log says why")


def on_build_error(error: Exception) -> None:
    """Stop what this build has begun; Chinese goes on beside pages that are built alone."""
    if not (serving and serving.pages_alone):
        _stop_chinese()
    finished.set()
    if serving:
        serving.failed()


def on_shutdown() -> None:
    """Leave no process behind."""
    _stop_chinese()


def _say_that_it_goes_on() -> None:
    start = time.monotonic()
    while not finished.wait(SILENCE):
        log.info("still building, %d s by now", time.monotonic() - start)


def _write_project(book: Any, config: MkDocsConfig) -> None:
    from docs.builder import project
    from docs.builder.__main__ import project_of

    folder = project_of(book.language, "mkdocs")
    project.write(book, folder, log.warning)
    settings = project.settings(book)
    for name in ("site_name", "site_description", "site_url", "nav"):
        config[name] = settings[name]
    config.docs_dir = str(folder / "docs")
    if book.language != "en":
        config.site_dir = str(Path(config.site_dir) / book.language)
    config.theme["language"] = book.language
    config.theme["palette"] = settings["theme"]["palette"]
    config.extra |= settings["extra"]
    for script, given in zip(config.extra_javascript, settings["extra_javascript"], strict=True):
        assert isinstance(script, ExtraScriptValue)
        script.path = given["path"]
    options = config.plugins["mkdocstrings"].config["handlers"]["python"]["options"]
    options["extensions"] = project.extensions(book.language)


def _start_chinese(home: str, config: MkDocsConfig) -> None:
    global chinese
    site = str(Path(config.site_dir) / "zh-TW")
    command = [sys.executable, "-m", "docs.builder", "zh-TW", "--site-dir", site, "--home", home]
    command += ["--strict"] if config.strict else []
    command += ["--served"] if serving else []
    chinese = subprocess.Popen(command, cwd=ROOT, start_new_session=True)


def _stop_chinese() -> None:
    global chinese
    process, chinese = chinese, None
    if process and process.poll() is None:
        if hasattr(os, "killpg"):  # with the site builder that it has started
            os.killpg(process.pid, signal.SIGTERM)
        process.terminate()
        process.wait()


def _report_chinese(process: subprocess.Popen[bytes]) -> None:
    status = process.wait()
    if not status:
        log.info("The Chinese site answers too")
    elif process is chinese:
        log.error("The Chinese site could not be built: its log says why")


def _forget_code() -> None:
    """Let package, figures and builder be imported anew: they may have changed."""
    for name in list(sys.modules):
        if name.startswith(CHANGING):
            del sys.modules[name]
