"""Record a real run as a calling-sequence tree."""

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType

import torch
from torch import Tensor, nn

PACKAGE = __name__.partition(".")[0]
CHECKS = f"{PACKAGE}.arguments"  # no part of a run
TORCH_MODULES = str(Path(nn.__file__).parent / "modules")
CONTAINERS = (nn.ModuleList, nn.ModuleDict, nn.Sequential)
NUMBER = re.compile(r"(\d+)(?:–\d+)?\)")  # of a layer, at the end of its role


@dataclass
class CallTree:
    """One call, and the calls made inside it.

    Attributes:
        name: Qualified name of what was called, such as
            `transformer.model.attention.MultiHeadAttention.forward` or `torch.nn.Linear`.
        label: Short name with the role in brackets: `MultiHeadAttention(self_attention).forward`.
        arguments: Argument names with tensor shapes or plain values.
        result: Shape of the result; empty when it is no tensor.
        children: The calls made inside, in order.
        count: How many identical siblings this node stands for.

    Example:
        >>> from transformer import PositionwiseFeedForward, trace
        >>> tree = trace(PositionwiseFeedForward, d_model=4, d_ff=8)
        >>> [child.label for child in tree.children]
        ['Linear(expand)', 'Linear(contract)']
    """

    name: str
    label: str
    arguments: dict[str, str]
    result: str = ""
    children: list["CallTree"] = field(default_factory=list)
    count: int = 1

    def __str__(self) -> str:
        return "\n".join(self._lines("", ""))

    @property
    def line(self) -> str:
        """This call on one line: label, arguments, result and count."""
        arguments = ", ".join(f"{name}{value}" for name, value in self.arguments.items())
        times = f" ×{self.count}" if self.count > 1 else ""
        result = f" → {self.result}" if self.result else ""
        return f"{self.label}{times}" + (f"  {arguments}" if arguments else "") + result

    def _lines(self, first: str, rest: str) -> Iterator[str]:
        yield first + self.line
        for child in self.children[:-1]:
            yield from child._lines(rest + "├── ", rest + "│   ")
        for child in self.children[-1:]:
            yield from child._lines(rest + "└── ", rest + "    ")


def trace(fn: Callable[..., object], *args: object, **kwargs: object) -> CallTree:
    """Run `fn(*args, **kwargs)` and return the tree of the calls it really made.

    Recorded are the public functions, methods and constructors of this package and, below
    them, the torch modules they call. Identical siblings fold into one node with a count.

    Args:
        fn: A function, a module, or a class (construction is recorded too).
        *args: Its arguments.
        **kwargs: Its keyword arguments.

    Returns:
        The tree; its root is the call of `fn`.

    Raises:
        TypeError: If `fn` cannot be called.

    Example:
        >>> import torch
        >>> from transformer import PositionwiseFeedForward
        >>> print(trace(PositionwiseFeedForward(d_model=4, d_ff=8), torch.zeros(2, 3, 4)))
        PositionwiseFeedForward.forward  x (2, 3, 4) → (2, 3, 4)
        ├── Linear(expand)  input (2, 3, 4) → (2, 3, 8)
        └── Linear(contract)  input (2, 3, 8) → (2, 3, 4)
    """
    if not callable(fn):
        raise TypeError(f"fn must be callable: got {fn!r}")
    recorder = _Recorder()
    outer = sys.getprofile()
    sys.setprofile(recorder)
    try:
        result = fn(*args, **kwargs)
    finally:
        sys.setprofile(outer)
    calls = _fold([call.tree() for call in recorder.root.children])
    if len(calls) == 1 and calls[0].count == 1:
        return calls[0]
    name = getattr(fn, "__name__", type(fn).__name__)
    return CallTree(name, name, {}, _shape(result), calls)


@dataclass
class _Call:
    """A call while it runs: the module it belongs to gets its role when all is over."""

    module: str
    qualified: str
    owner: nn.Module | None
    parent: "_Call | None"
    arguments: dict[str, str]
    construction: bool = False
    result: str = ""
    children: list["_Call"] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"{self.module}.{self.qualified}"

    def tree(self) -> CallTree:
        children = _fold([child.tree() for child in self.children])
        return CallTree(self.name, self._label(), self.arguments, self.result, children)

    def _label(self) -> str:
        if self.owner is None:
            return self.qualified
        role = self._role()
        label = type(self.owner).__name__ + (f"({role})" if role else "")
        plain = self.construction or self.module == "torch.nn"
        return label if plain else f"{label}.{self.qualified.rpartition('.')[2]}"

    def _role(self) -> str:
        """Return the attribute name of the owner in the module whose call encloses this one."""
        outer = None if self.parent is None else self.parent.owner
        modules = () if outer is None else outer.named_modules()
        return next((name for name, module in modules if module is self.owner), "")


class _Recorder:
    """A profile function that keeps the calls worth showing."""

    def __init__(self) -> None:
        self.root = _Call("", "", None, None, {})
        self.open: list[tuple[FrameType | None, _Call]] = [(None, self.root)]

    def __call__(self, frame: FrameType, event: str, result: object) -> None:
        running, call = self.open[-1]
        if event == "call":
            started = _start(frame, call)
            if started is not None:
                self.open.append((frame, started))
        elif event == "return" and running is frame:
            self.open.pop()
            call.result = _shape(result)
            outermost = len(self.open) == 1
            if outermost or result is not None or call.construction or call.children:
                self.open[-1][1].children.append(call)  # all but mere checks


def _start(frame: FrameType, parent: _Call) -> _Call | None:
    """Return a call for this frame, or None when it is not worth showing."""
    code = frame.f_code
    owner = frame.f_locals.get("self")
    module = owner if isinstance(owner, nn.Module) else None
    construction = code.co_name == "__init__"
    if construction and (module is None or module is parent.owner):  # super().__init__() too
        return None
    module_name = str(frame.f_globals.get("__name__", ""))
    if module_name.partition(".")[0] == PACKAGE:
        if module_name == CHECKS:
            return None
        if code.co_name.startswith(("_", "<")) and not construction:
            return None
        if isinstance(getattr(type(owner), code.co_name, None), property):
            return None
        place, qualified = module_name, code.co_qualname.removesuffix(".__init__")
    elif code.co_filename.startswith(TORCH_MODULES):
        known = type(module).__module__.startswith("torch.") and type(module) not in CONTAINERS
        if not known or parent.module == "torch.nn" or module is parent.owner:
            return None
        if code.co_name not in ("forward", "__init__"):
            return None
        place, qualified = "torch.nn", type(module).__name__
    else:
        return None
    return _Call(place, qualified, module, parent, _arguments(frame, construction), construction)


def _arguments(frame: FrameType, construction: bool) -> dict[str, str]:
    """Describe what was given; of a call, switches that are off are left out as None is."""
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    values = {name: frame.f_locals[name] for name in names if name not in ("self", "cls")}
    off = (None,) if construction else (None, False)
    given = {name: value for name, value in values.items() if not any(value is x for x in off)}
    return {name: _describe(value) for name, value in given.items()}


def _describe(value: object) -> str:
    if shape := _shape(value):
        return f" {shape}"
    if isinstance(value, (bool, int, float, str)):
        return f"={value!r}"
    if isinstance(value, torch.device):
        return f"={value}"
    return f"={type(value).__name__}"


def _shape(value: object) -> str:
    if isinstance(value, Tensor):
        return str(tuple(value.shape))
    if isinstance(value, tuple) and value and all(isinstance(v, (Tensor, int)) for v in value):
        return "(" + ", ".join(_shape(v) or str(v) for v in value) + ")"
    return ""


def _fold(calls: list[CallTree]) -> list[CallTree]:
    """Join neighbours that differ in nothing but a layer's number."""
    folded: list[CallTree] = []
    for call in calls:
        last = folded[-1] if folded else None
        if last is not None and _unnumbered(last) == _unnumbered(call):
            last.count += 1
            if number := NUMBER.search(call.label):
                last.label = NUMBER.sub(rf"\1–{number[1]})", last.label)
        else:
            folded.append(call)
    return folded


def _unnumbered(call: CallTree) -> CallTree:
    return replace(call, label=NUMBER.sub(")", call.label), count=1)
