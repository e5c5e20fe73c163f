"""Measure again what was measured with other code than today's.

Each file of docs/measured names its `command` and, by hashes, the `code` that ran: what a file
does, without its comments, docstrings and error messages. `python -m docs.checks.measured` runs the
commands of those files whose code has changed since, `python -m docs.checks.measured bench` that
of bench.json in any case.
"""

import ast
import hashlib
import json
import shlex
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[2]
MEASURED = ROOT / "docs" / "measured"

# Runs a module, and notes what it imported.
WATCHED = """\
import atexit, json, pathlib, runpy, sys
noted, module = sys.argv[1:3]
sys.argv[1:] = sys.argv[3:]
def note():
    files = {getattr(module, "__file__", None) for module in sys.modules.values()}
    pathlib.Path(noted).write_text(json.dumps(sorted(filter(None, files))))
atexit.register(note)
runpy.run_module(module, run_name="__main__", alter_sys=True)
"""


class _Acts(ast.NodeTransformer):
    """Leaves what code does: no docstrings, no errors."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [part for part in body if not _is_text(part)]  # type: ignore[attr-defined]
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        return ast.Pass()


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def digest(path: Path) -> str:
    """A hash of what a file does, or of its bytes if it is no Python."""
    content = path.read_bytes()
    if path.suffix == ".py":
        content = ast.dump(_Acts().visit(ast.parse(content))).encode()
    return hashlib.sha256(content).hexdigest()[:12]


def changed(record: dict[str, Any], root: Path = ROOT) -> list[str]:
    """The files of `code` that do something else than when it was measured."""
    return [
        name
        for name, known in record.get("code", {"": ""}).items()
        if not (root / name).is_file() or digest(root / name) != known
    ]


def measure(path: Path, command: str) -> None:
    """Run the command, which writes the file, and note in it command and code."""
    with TemporaryDirectory() as folder:
        noted = Path(folder) / "noted"
        module = shlex.split(command.removeprefix("python -m "))
        subprocess.run([sys.executable, "-c", WATCHED, str(noted), *module], cwd=ROOT, check=True)
        files = ours(map(Path, json.loads(noted.read_text("utf-8"))))
    code = {file.relative_to(ROOT).as_posix(): digest(file) for file in sorted(files)}
    record = {"command": command, "code": code, **json.loads(path.read_text("utf-8"))}
    lines = [f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in record.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def ours(files: Iterable[Path]) -> set[Path]:
    """Those of this project, and the shipped model where code was imported that reads it."""
    found = {file for file in files if file.is_relative_to(ROOT) and ".venv" not in file.parts}
    shipped = ROOT / "transformer/inference/shipped.py"
    return found | (set(shipped.parent.glob("*.safetensors")) if shipped in found else set())


def main(names: list[str]) -> None:
    """Measure again these, or whatever other code measured: first the model, which others use."""
    for path in sorted(MEASURED.glob("*.json"), key=lambda path: path.stem != "training"):
        record = json.loads(path.read_text("utf-8"))
        files = changed(record)
        if path.stem in names or (files and not names):
            print(f"{path.name}: {', '.join(files)} changed; {record['command']}", flush=True)
            measure(path, record["command"])


if __name__ == "__main__":
    main(sys.argv[1:])
