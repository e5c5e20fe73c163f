"""Knowledge flows one way through the package: no import leads upward, none in a circle."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "transformer"
FLOORS = [  # ground first; rooms of one floor do not know each other
    {"arguments", "tracing", "atomic_write", "deprecation"},
    {"text_files", "evaluation_mode", "device"},
    {"model", "data", "checksummed_file"},
    {"model_file", "variants"},
    {"inference"},
    {"training"},
    {"cli"},
    {"__main__"},
]
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
FILES = {path: path.relative_to(PACKAGE).with_suffix("") for path in PACKAGE.rglob("*.py")}


def imports(path: Path) -> Iterator[str]:
    """Modules of the package that a file imports, as paths from `transformer`."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == "transformer":
                module = [*parts[1:]]
                while module and not PACKAGE.joinpath(*module).with_suffix(".py").exists():
                    if PACKAGE.joinpath(*module).is_dir():
                        module.append("__init__")
                        break
                    module.pop()
                yield "/".join(module) or "__init__"


def test_every_room_has_a_floor():
    assert {name.parts[0] for name in FILES.values()} == {*FLOOR, "__init__"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: FILES[path].as_posix())
def test_no_import_leads_upward(path):
    room = FILES[path].parts[0]
    if room == "__init__":
        return  # the package's door opens on all floors
    for module in imports(path):
        other = module.split("/")[0]
        assert other != "__init__", f"{path}: import from the module itself, not from transformer"
        down = FLOOR[other] < FLOOR[room]
        assert down or other == room, f"{path} imports {module}: that is not below {room}"


def test_no_import_goes_in_a_circle():
    TopologicalSorter({str(FILES[p]): set(imports(p)) for p in FILES}).prepare()
