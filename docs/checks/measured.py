"""Measure again: each file of docs/measured names the `command` that writes it.

`python -m docs.checks.measured bench masks` runs the commands of bench.json and masks.json; without
a name, those of all files whose script has other numbers now (steps, sizes, seeds) than when it
measured: each file keeps a hash of them.
"""

import ast
import hashlib
import json
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
MEASURED = ROOT / "docs" / "measured"


def script(command: str) -> list[Path]:
    """Return the files of a script: its module, all benchmarks, nothing of the package itself."""
    package, *module = shlex.split(command)[2].split(".")
    if package == "docs":
        return [ROOT.joinpath(package, *module).with_suffix(".py")]
    return sorted((ROOT / package).glob("*.py")) if package == "benchmarks" else []


def numbers_in(files: list[Path]) -> str:
    """Return a hash of the numbers in code, whatever the names and comments around them."""
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_bytes())))
    values = (node.value for node in nodes if isinstance(node, ast.Constant))
    numbers = (value for value in values if isinstance(value, int | float))
    found = sorted(float(number) for number in numbers if not isinstance(number, bool))
    return hashlib.sha256(repr(found).encode()).hexdigest()[:12]


def is_stale(path: Path) -> bool:
    """Whether the script has other numbers than when it wrote a file."""
    record = json.loads(path.read_text("utf-8"))
    return bool(record["numbers"] != numbers_in(script(record["command"])))


def measure(path: Path) -> None:
    """Run the command that writes a file, and note in it command and numbers."""
    command = json.loads(path.read_text("utf-8"))["command"]
    print(f"{path.name}: {command}", flush=True)
    subprocess.run([sys.executable, *shlex.split(command)[1:]], cwd=ROOT, check=True)
    write(path, command)


def write(path: Path, command: str) -> None:
    """Write a file anew with its command and numbers first, an entry a line."""
    first = {"command": command, "numbers": numbers_in(script(command))}
    record = first | json.loads(path.read_text("utf-8")) | first
    lines = [f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in record.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def main(names: list[str]) -> None:
    """Measure again these, or whatever is stale: first the model, which others use."""
    for path in sorted(MEASURED.glob("*.json"), key=lambda path: path.stem != "training"):
        if path.stem in names or (not names and is_stale(path)):
            measure(path)


if __name__ == "__main__":
    main(sys.argv[1:])
