"""Build the site of one language: its plain project, then a site builder, then the last pass.

python -m docs.builder zh-TW --site-dir site/zh-TW --strict
python -m docs.builder en --site-dir site --with zensical
"""

import argparse
import logging
import os
import shutil
import subprocess
import sys
from pathlib import Path

from docs.builder import prepare
from docs.builder.book import Book
from docs.builder.finish import finish
from docs.builder.languages import NAMES
from docs.builder.project import write
from docs.builder.translations import ROOT

CACHE = ROOT / ".cache" / "site"


def main() -> int:
    """Build, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m docs.builder", description=__doc__)
    parser.add_argument("language", choices=NAMES)
    parser.add_argument("--site-dir", type=Path, required=True)
    parser.add_argument("--home", help="address under which both languages lie")
    parser.add_argument("--with", dest="builder", choices=["mkdocs", "zensical"], default="mkdocs")
    parser.add_argument("--strict", action="store_true", help="fail on a warning")
    parser.add_argument("--served", action="store_true", help="MkDocs will serve the pages")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)-8s-  %(message)s")
    site = options.site_dir.resolve()
    problems: list[str] = []

    def complain(problem: str) -> None:
        problems.append(problem)
        logging.warning(problem)

    book = Book.load(options.language, options.home)
    folder = project_of(options.language, options.builder)
    prepare.make_for({options.language}, logging.info)
    write(book, folder, complain, notebook_pages=options.builder == "mkdocs")
    if problems and options.strict:
        return 1
    command = [sys.executable, "-m", options.builder, "build", "-f", str(folder / "mkdocs.yml")]
    command += ["--strict"] if options.strict else []
    command += ["--site-dir", str(site)] if options.builder == "mkdocs" else ["--clean"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)})
    if done.returncode:
        return done.returncode
    if options.builder == "zensical":  # it has no option for the folder
        shutil.copytree(folder / "site", site, dirs_exist_ok=True)
    finish(site, folder, book, options.served)
    return 0


def project_of(language: str, builder: str) -> Path:
    """Return where the plain project of a language lies."""
    return (CACHE if builder == "mkdocs" else CACHE.with_name(builder)) / language


if __name__ == "__main__":
    sys.exit(main())
