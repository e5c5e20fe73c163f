"""From pairs to a translator, whole: tokenizer, batches, training, average (§5, §6.1)."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path

import torch

from transformer.arguments import check_integer
from transformer.data.batching import Batch, batches
from transformer.data.files import TextPair, encode_pairs
from transformer.data.left_out import Report
from transformer.data.sources import FilePairs, TrainingPairs
from transformer.data.tokenizer import Tokenizer
from transformer.model.config import TransformerConfig
from transformer.model.transformer import Transformer
from transformer.model_file import average_models, load_tokenizer, save_model
from transformer.training import distributed
from transformer.training.checkpoint import checkpoints
from transformer.training.config import TrainingConfig
from transformer.training.loop import train

MODEL = "model.safetensors"
RECIPE = "recipe.json"


@dataclass(frozen=True)
class Recipe:
    """What a translator is made of, besides its pairs and the numbers of training.

    The defaults are those of the shipped model.

    Attributes:
        vocab_size: Most ids of the joint vocabulary.
        d_model: Width of a state.
        num_heads: Heads of each attention.
        num_layers: Layers of the encoder, and of the decoder.
        d_ff: Inner width of the feed-forward networks.
        dropout: Probability of dropping a number in training.
        max_len: Most tokens of a sentence, special ones counted; longer pairs are left out.
        batch_tokens: Most tokens of a batch on each side, padding counted.
    """

    vocab_size: int = 4000
    d_model: int = 128
    num_heads: int = 4
    num_layers: int = 2
    d_ff: int = 512
    dropout: float = 0.1
    max_len: int = 256
    batch_tokens: int = 2048

    def __post_init__(self) -> None:
        self.config(self.vocab_size)  # refuses sizes that do not fit

    def config(self, vocab_size: int) -> TransformerConfig:
        """Return the model's config: one matrix for both embeddings and the output (§3.4).

        Args:
            vocab_size: How many ids the tokenizer really has.

        Example:
            >>> Recipe(num_layers=3).config(vocab_size=1500).num_decoder_layers
            3
        """
        return TransformerConfig(
            vocab_size,
            vocab_size,
            d_model=self.d_model,
            num_heads=self.num_heads,
            num_encoder_layers=self.num_layers,
            num_decoder_layers=self.num_layers,
            d_ff=self.d_ff,
            dropout=self.dropout,
            max_len=self.max_len,
            share_embeddings=True,
            tie_output=True,
        )


def train_translator(
    folder: Path,
    pairs: TrainingPairs,
    recipe: Recipe,
    training: TrainingConfig,
    *,
    average: int = 10,
    device: torch.device | str = "cpu",
    tell: Callable[[str], None] = print,
) -> Path:
    """Train a translator, or go on where it was stopped, and write the finished model.

    The tokenizer is learned from the first epoch. The finished model is the mean of the last
    checkpoints, in half precision, with its tokenizer in the same file. What besides `training`
    shapes the weights is kept in `recipe.json`.

    Args:
        folder: Where to keep all of it; made if it is not there.
        pairs: The pairs.
        recipe: Sizes of model and batches.
        training: The numbers of training.
        average: Number of checkpoints to average.
        device: Where to train.
        tell: Is called with what a person should know, such as the pairs that were left out.

    Returns:
        The file of the finished model.

    Raises:
        ValueError: If the folder holds a run with other pairs or another recipe, `average` is
            below 1, or for what `train` refuses.
    """
    check_integer("average", average, 1)
    described = {"pairs": str(pairs), **asdict(recipe)}
    _check_continues(folder, described)
    saved = checkpoints(folder)
    if saved:
        tokenizer = load_tokenizer(saved[-1])
    else:
        sentences = chain.from_iterable(pairs.epoch(0))
        tokenizer = Tokenizer.train(sentences, recipe.vocab_size)
        if isinstance(pairs, FilePairs) and pairs.report.left_out:
            tell(str(pairs.report))

    def batched(texts: Iterable[TextPair], report: Report, epoch: int = 0) -> Iterator[Batch]:
        return batches(
            encode_pairs(texts, tokenizer),
            recipe.batch_tokens,
            max_len=min(recipe.max_len, recipe.batch_tokens),
            seed=training.seed,
            epoch=epoch,
            report=report,
        )

    def epoch(number: int) -> Iterator[Batch]:
        report = Report()
        yield from batched(pairs.epoch(number), report, number)
        if report.left_out and number == 0:
            tell(str(report))

    validation = pairs.validation()
    unseen = list(batched(validation, Report())) if validation else None
    torch.manual_seed(training.seed)
    model = Transformer(recipe.config(tokenizer.vocab_size)).to(device)
    size = sum(parameter.numel() for parameter in model.parameters())
    tell(f"{size:,} parameters, {tokenizer.vocab_size:,} ids, {len(validation)} pairs to validate")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RECIPE).write_text(
        json.dumps(described, indent=2, ensure_ascii=False) + "\n", "utf-8"
    )
    train(model, epoch, training, folder, unseen, tokenizer=tokenizer)
    path = folder / MODEL
    if distributed.rank() == 0:
        finished = average_models(checkpoints(folder)[-average:])
        save_model(path, finished, torch.float16, tokenizer)
    distributed.wait_for_all()
    return path


def _check_continues(folder: Path, recipe: dict[str, object]) -> None:
    """Refuse to go on in a folder that has another recipe."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"folder must be a folder: got the file {folder}")
    path = folder / RECIPE
    earlier = json.loads(path.read_text("utf-8")) if path.exists() else recipe
    for name, value in recipe.items():
        if value != earlier.get(name):
            raise ValueError(
                f"{folder} holds a run with {name} {earlier.get(name)!r}: got {value!r} "
                "(go on with the same, or train in another folder)"
            )
