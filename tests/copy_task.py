"""A task that a tiny model learns in seconds, copying, and processes that train on it."""

import multiprocessing
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import torch
from torch import Tensor, distributed
from torch.nn.utils.rnn import pad_sequence

from transformer import Transformer, TransformerConfig
from transformer.data.encoded_batches import EncodedBatches
from transformer.data.encoded_pairs import EncodedPairs
from transformer.training.config import TrainingConfig
from transformer.training.loop import train

TINY = TransformerConfig(
    12, 12, d_model=16, num_heads=2, num_encoder_layers=1, num_decoder_layers=1, d_ff=32,
    dropout=0.2, max_len=12, share_embeddings=True, tie_output=True,
)  # fmt: skip

# A fork server imports PyTorch once; each process that it forks begins at once, and fresh.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["torch", "transformer", "transformer.training.loop"])


@dataclass(frozen=True)
class Batch:
    src: Tensor
    tgt: Tensor


def copy_batch(rows: int, longest: int, generator: torch.Generator) -> Batch:
    """Random words to copy, rows of different lengths."""
    lengths = torch.randint(1, longest + 1, (rows,), generator=generator)
    words = [torch.randint(3, 12, (int(n),), generator=generator) for n in lengths]
    bos, eos = torch.tensor([1]), torch.tensor([2])
    return Batch(
        pad_sequence([torch.cat([w, eos]) for w in words], batch_first=True),
        pad_sequence([torch.cat([bos, w, eos]) for w in words], batch_first=True),
    )


def copy_batches(epoch: int, size: int = 7, rows: int = 8) -> Iterator[Batch]:
    """The batches of an epoch; some have one row only."""
    generator = torch.Generator().manual_seed(epoch)
    for number in range(size):
        yield copy_batch(1 if number % 4 == 2 else rows, 5, generator)


def validation_batches() -> list[Batch]:
    return list(copy_batches(epoch=1_000_000, size=3))


def encoded_copies(folder: Path) -> EncodedPairs:
    """The pairs of one epoch, in a folder."""
    pairs = [
        tuple([i for i in side.tolist() if i] for side in pair)
        for batch in copy_batches(epoch=0)
        for pair in zip(batch.src, batch.tgt)
    ]
    return EncodedPairs.write(folder, pairs, vocab_size=12)


def tiny_model(config: TransformerConfig = TINY) -> Transformer:
    torch.manual_seed(0)
    return Transformer(config)


def spoil(model: Transformer, *backward: int) -> None:
    """Make the gradient nan in these backward passes, counted from 1."""
    passes = count(1)

    def hook(gradient: Tensor) -> Tensor:
        return gradient * float("nan") if next(passes) in backward else gradient

    model.decoder.layers[0].feed_forward.contract.bias.register_hook(hook)


def start(target: Callable[..., None], *args: object) -> multiprocessing.process.BaseProcess:
    process = PROCESSES.Process(target=target, args=args, daemon=True)
    process.start()
    return process


def train_as_one_of_several(
    rank: int,
    world_size: int,
    folder: Path,
    runs: list[tuple[str, TransformerConfig, TrainingConfig]],
    encoded: EncodedPairs | None = None,
) -> None:
    """Train one model after the other, each in the folder of its name."""
    batches = EncodedBatches(encoded, 40) if encoded else copy_batches
    torch.set_num_threads(1)
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    meeting = f"file://{folder / 'meeting'}"
    distributed.init_process_group("gloo", meeting, rank=rank, world_size=world_size)
    for name, model, config in runs:
        network = tiny_model(model)
        if name == "spoilt" and rank == 1:
            spoil(network, 3)
        train(network, batches, config, folder / name, validation_batches())
    distributed.destroy_process_group()
