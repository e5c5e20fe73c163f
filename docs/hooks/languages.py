"""Two languages from one mkdocs.yml: the build of the English site lets another process build the
Chinese one, once figures and all else that both ask for is made.

The language of a build follows from its docs_dir. Under `mkdocs serve` only the language that
changed is built again.
"""

import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.config_options import ExtraScriptValue
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from docs.builder.serving import Serving
from docs.builder.translations import translator
from docs.builder.versions import FOLDERS, versions

ROOT = Path(__file__).parents[2]
INFERENCE = ROOT / "transformer" / "inference"
MODELS = [  # what the playground reads
    INFERENCE / "pretrained.safetensors",
    INFERENCE / "hand_made.txt",
    ROOT / "docs" / "measured" / "neighbours.json",
]

SWITCH = {"en": "Read this page in English", "zh-TW": "閱讀本頁的繁體中文版"}
FORGOTTEN = ("docs.builder", "docs.figures")
OPTIONS = {logging.DEBUG: ["--verbose"], logging.ERROR: ["--quiet"]}  # that set these levels
# For both languages at one address.
ONCE = ("assets/cards/", "assets/models/", "assets/not-found.css", "assets/scripts/")

serving: Serving | None = None
chinese: subprocess.Popen[bytes] | None = None  # builds the other site


def on_startup(command: str, dirty: bool) -> None:
    """Remember whether this is `mkdocs serve`."""
    global serving
    serving = Serving() if command == "serve" else None


@event_priority(100)
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Set up the language of this build, before any plugin reads the configuration."""
    global chinese
    chinese = None
    _forget_code()
    english = Path(config.docs_dir).name == "en"
    config.extra["built"] = {"en", "zh-TW"}
    if english and serving:
        config.extra["built"] = serving.changed_languages(ROOT)
        if config.extra["built"] == {"en"}:
            serving.set_chinese_aside(Path(config.site_dir))
        if config.extra["built"] == {"zh-TW"}:
            for key, value in _chinese_paths(config).items():
                config[key] = value
            english = False
    language = "en" if english else "zh-TW"
    config.theme["language"] = language
    # mkdocstrings freezes its options in its own on_config, which runs after this one.
    options = config.plugins["mkdocstrings"].config["handlers"]["python"]["options"]
    options["extensions"] = [
        {"docs.builder.griffe_translate": {"lang": language, "catalog": "docs/locales/zh-TW.po"}},
        {"docs.builder.griffe_sources": {"lang": language}},
    ]
    if language == "zh-TW":
        _translate(config)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what both languages share: scripts and models once, all else in each of them."""
    assets = ROOT / "docs" / "assets"
    shared = {f"assets/{path.relative_to(assets).as_posix()}": path for path in assets.rglob("*.*")}
    shared |= {f"assets/models/{path.name}": path for path in MODELS}
    for name, path in sorted(shared.items()):
        if config.theme["language"] == "en" or not name.startswith(ONCE):
            files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> None:
    """Begin the Chinese site, now that docs/hooks/ahead.py has made what it will ask for."""
    global chinese
    if config.theme["language"] == "en" and "zh-TW" in config.extra["built"]:
        assert config.config_file_path
        paths = _chinese_paths(config)
        command = [sys.executable, "-m", "mkdocs", "build", "-f", config.config_file_path]
        command += ["--site-dir", paths["site_dir"]]
        command += ["--strict"] if config.strict else []
        command += OPTIONS.get(logging.getLogger("mkdocs").level, [])
        places = {"SITE_DOCS": paths["docs_dir"], "SITE_URL": paths["site_url"]}
        served = {"SITE_SERVED": "1"} if serving else {}
        chinese = subprocess.Popen(command, env=os.environ | places | served)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Begin each page with a link to the same page in the other language."""
    language = config.theme["language"]
    both = versions(page.url, language, config.site_url or "/")
    (other,) = (version for version in both if version.language != language)
    told = f'hreflang="{other.language}" lang="{other.language}"'
    link = f'<a href="{other.link}" {told}>{SWITCH[other.language]}</a>'
    return f'<p class="language-switch" data-search-exclude>{link}</p>\n{html}'


@event_priority(-100)
def on_post_build(config: MkDocsConfig) -> None:
    """Wait for the Chinese site, or put the one that did not change in its place again."""
    if chinese and chinese.wait():
        raise PluginError("the Chinese site could not be built: its log says why")
    if serving and config.extra["built"] == {"en"}:
        serving.bring_chinese_back()


def on_build_error(error: Exception) -> None:
    """Leave both languages where a reader finds them."""
    if chinese:
        chinese.terminate()
        chinese.wait()
    if serving:
        serving.failed()


def _forget_code() -> None:
    """Under `mkdocs serve` package, figures and directives may have changed since the last build.

    The hooks themselves stay: MkDocs loads them once.
    """
    for name in list(sys.modules):
        if name.split(".")[0] == "transformer" or name.startswith(FORGOTTEN):
            del sys.modules[name]


def _chinese_paths(config: MkDocsConfig) -> dict[str, Any]:
    return {
        "docs_dir": str(ROOT / "docs" / "zh-TW"),
        "site_dir": str(Path(config.site_dir) / FOLDERS["zh-TW"]),
        "site_url": f"{(config.site_url or '').rstrip('/')}/{FOLDERS['zh-TW']}",
    }


def _translate(config: MkDocsConfig) -> None:
    t = translator("zh-TW", "nav")
    config.site_name = t(config.site_name)
    config.site_description = t(config.site_description or "")
    config.nav = _translate_titles(config.nav, t)
    for script in config.extra_javascript:
        assert isinstance(script, ExtraScriptValue)
        script.path = f"../{script.path}"  # both languages have one copy
    for palette in config.theme["palette"]:
        palette["toggle"] = {**palette["toggle"], "name": t(palette["toggle"]["name"])}


def _translate_titles(items: Any, t: Any) -> Any:
    if isinstance(items, list):
        return [_translate_titles(item, t) for item in items]
    if isinstance(items, dict):
        return {t(title): _translate_titles(value, t) for title, value in items.items()}
    return items
