"""A training step and a forward pass, beside PyTorch's and Hugging Face's."""

from collections.abc import Callable, Iterator
from functools import partial

import torch
from torch import Tensor, nn

from benchmarks.contestants import Logits, build, names, training_step
from benchmarks.report import Row
from benchmarks.sizes import Sizes
from benchmarks.timing import fastest

AT_LEAST = 0.95  # of nn.Transformer's speed: a step may take 1.05 times as long


def steps(sizes: Sizes) -> Iterator[Row]:
    """Yield a row for each comparison; ratio: their time over ours."""
    src, tgt = sizes.ids(0), sizes.ids(1)
    rounds = 2 * sizes.rounds  # these runs are short
    for dropout in (0.0, 0.1):
        models = {name: build(name, sizes, dropout) for name in names()}
        runs: dict[str, Callable[[], object]] = {
            name: training_step(*model, src, tgt) for name, model in models.items()
        }
        yield from _rows("training step", dropout, fastest(runs, rounds))
    runs = {name: partial(_forward, *model, src, tgt) for name, model in models.items()}
    yield from _rows("forward pass", None, fastest(runs, rounds))


@torch.inference_mode()
def _forward(module: nn.Module, logits: Logits, src: Tensor, tgt: Tensor) -> None:
    module.eval()
    logits(src, tgt)


def _rows(what: str, dropout: float | None, times: dict[str, float]) -> Iterator[Row]:
    for other in [name for name in times if name != "ours"]:
        least = AT_LEAST if what == "training step" and other == "nn.Transformer" else None
        yield Row(what, dropout, "s", times["ours"], other, times[other], at_least=least)
