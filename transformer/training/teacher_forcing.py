"""Teacher forcing: at every position the model sees the right tokens so far, and predicts one.

The input is the target without its last id, the answer is the target without its first: a shift
by one. All positions are predicted at once; the causal mask hides what comes later.
"""

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer.evaluation_mode import evaluation_mode
from transformer.model.transformer import Transformer
from transformer.training.distributed import (
    keep_gradients_local,
    rank_rows,
    sum_over_processes,
    world_size,
)
from transformer.training.loss import label_smoothed_cross_entropy


@runtime_checkable
class TokenBatch(Protocol):
    """Sentences and their translations: ids, padded to one length on either side."""

    @property
    def src(self) -> Int[Tensor, "batch src_len"]:
        """Source ids, shape `(batch, src_len)`."""

    @property
    def tgt(self) -> Int[Tensor, "batch tgt_len"]:
        """Target ids from `bos_id` to `eos_id`, shape `(batch, tgt_len)`."""


@dataclass(frozen=True)
class Validation:
    """How well a model predicts the next token of translations it was not trained on.

    Attributes:
        loss: Cross-entropy in nats per token, not smoothed.
        accuracy: Share of tokens whose highest logit is the right one, 0 to 1.
    """

    loss: float
    accuracy: float


def count_tokens(batches: Sequence[TokenBatch], pad_id: int = 0) -> int:
    """Return how many target tokens are to be predicted: all but padding and the first.

    Raises:
        ValueError: If there is none.

    Example:
        >>> from types import SimpleNamespace
        >>> src = torch.tensor([[7, 2], [2, 0]])
        >>> tgt = torch.tensor([[1, 5, 2], [1, 2, 0]])
        >>> count_tokens([SimpleNamespace(src=src, tgt=tgt)])
        3
    """
    tokens = sum(int((batch.tgt[:, 1:] != pad_id).sum()) for batch in batches)
    if tokens == 0:
        raise ValueError(f"batches must hold a target token to predict: got none in {len(batches)}")
    return tokens


def accumulate_gradients(
    model: nn.Module,
    batches: Sequence[TokenBatch],
    smoothing: float = 0.1,
    pad_id: int = 0,
    dtype: str = "float32",
    tokens: int | None = None,
    scaler: torch.amp.GradScaler | None = None,
) -> Float[Tensor, ""]:
    """Add the gradient of the mean loss over all tokens of all batches, as of one large batch.

    Each batch adds the sum of its losses over the number of tokens in all of them: the mean of
    the batches' means would give the tokens of a small batch more weight.

    Args:
        model: The model, alone or wrapped by `distributed.parallel`.
        batches: Batches that fit in memory one by one, filled up with `pad_id`.
        smoothing: Label smoothing (ε_ls).
        pad_id: Id of the padding token.
        dtype: `"bfloat16"` or `"float16"` for mixed precision.
        tokens: Tokens to predict in the batches of all processes; those of `batches` when None.
        scaler: Multiplies the loss before `backward`, so that small gradients do not become 0 in
            float16; the gradients come out too large by its scale.

    Returns:
        The mean loss; in several processes, what the batches of this one add to it.

    Raises:
        ValueError: If no batch holds a token to predict, or one is filled up with another id.

    Example:
        >>> from types import SimpleNamespace
        >>> from transformer import TransformerConfig
        >>> model = Transformer(TransformerConfig(9, 9, d_model=16, num_heads=2, d_ff=32))
        >>> batch = SimpleNamespace(src=torch.tensor([[7, 2]]), tgt=torch.tensor([[1, 5, 2]]))
        >>> accumulate_gradients(model, [batch, batch]).shape
        torch.Size([])
        >>> model.output_layer.weight.grad.shape
        torch.Size([9, 16])
    """
    device = next(model.parameters()).device
    tokens = tokens or count_tokens(batches, pad_id)
    total = torch.zeros((), device=device)
    for number, batch in enumerate(batches, start=1):
        check_padding(batch, pad_id)
        last = number == len(batches)
        with nullcontext() if last else keep_gradients_local(model):
            with mixed_precision(device, dtype):  # the model moves ids, once it has looked at them
                logits = model(batch.src, batch.tgt[:, :-1])
            answer = batch.tgt[:, 1:].to(device)
            loss = label_smoothed_cross_entropy(logits, answer, smoothing, pad_id, "sum")
            total += loss.detach() / tokens
            mean = loss / tokens * world_size()  # processes average their gradients
            (mean if scaler is None else scaler.scale(mean)).backward()  # type: ignore[no-untyped-call]
    return total


@torch.no_grad()
def validate(
    model: Transformer, batches: Iterable[TokenBatch], dtype: str = "float32"
) -> Validation:
    """Measure a model with teacher forcing, without dropout and without label smoothing.

    This is not how well it translates: here every earlier token is right.

    Args:
        model: The model; the mode of each of its modules is left as it was.
        batches: The batches; in several processes, each one takes its part of the rows.
        dtype: `"bfloat16"` or `"float16"` for mixed precision, as in training.

    Raises:
        ValueError: If there is no token to predict, or a batch is not filled up with the model's
            `pad_id`.

    Example:
        >>> from types import SimpleNamespace
        >>> from transformer import TransformerConfig
        >>> _ = torch.manual_seed(0)
        >>> model = Transformer(TransformerConfig(9, 9, d_model=16, num_heads=2, d_ff=32))
        >>> batch = SimpleNamespace(src=torch.tensor([[7, 2]]), tgt=torch.tensor([[1, 5, 2]]))
        >>> 0 <= validate(model, [batch]).accuracy <= 1
        True
    """
    device, pad_id = next(model.parameters()).device, model.config.pad_id
    sums = [0.0, 0.0, 0.0]  # loss, right tokens, tokens
    with evaluation_mode(model):
        for batch in batches:
            check_padding(batch, pad_id)
            src, tgt = rank_rows(batch.src, batch.tgt, pad_id)
            with mixed_precision(device, dtype):
                logits, answer = model(src, tgt[:, :-1]), tgt[:, 1:].to(device)
            loss = label_smoothed_cross_entropy(logits, answer, 0.0, pad_id, "sum")
            real = answer != pad_id
            right = (logits.argmax(-1) == answer) & real
            sums = [a + float(b) for a, b in zip(sums, (loss, right.sum(), real.sum()))]
    loss_sum, right_tokens, tokens = sum_over_processes(sums, device)
    if tokens == 0:
        raise ValueError(
            "validation must hold a target token to predict: got none "
            "(an iterator is used up after one round: give a list)"
        )
    return Validation(loss_sum / tokens, right_tokens / tokens)


def mixed_precision(device: torch.device, dtype: str) -> torch.autocast:
    """Return what lets a model compute in 16 bits where that is exact enough, if it is asked for.

    Args:
        device: Where the model is.
        dtype: `"bfloat16"` or `"float16"` for mixed precision, `"float32"` for none.
    """
    half = torch.float16 if dtype == "float16" else torch.bfloat16
    return torch.autocast(device.type, half, enabled=dtype != "float32")


def check_padding(batch: object, pad_id: int) -> None:
    """Refuse what says that it is filled up with another id: padding would count as words.

    Args:
        batch: A batch, or what makes batches; what has no `pad_id` says nothing.
        pad_id: The model's.

    Raises:
        ValueError: If they differ.
    """
    filled = getattr(batch, "pad_id", pad_id)
    if filled != pad_id:
        raise ValueError(
            f"batches must be filled up with the model's pad_id={pad_id}: got one with {filled}"
        )
