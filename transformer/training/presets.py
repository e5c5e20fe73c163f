"""Sizes and numbers that belong together, for few, more and many pairs.

Few pairs ask for a smaller vocabulary, fewer layers and more dropout (Sennrich & Zhang 2019;
Araabi & Monz 2020). `tiny` was chosen on 28,000 pairs, where it learned faster than post-norm with
larger batches and twice the ids. The learning rate needs no row: the paper's follows from width and
warm-up.
"""

from dataclasses import dataclass
from typing import Literal

from transformer.training.config import TrainingConfig
from transformer.training.recipe import Recipe

PresetName = Literal["tiny", "small", "base"]


@dataclass(frozen=True)
class Preset:
    """A recipe and the numbers of training that go with it.

    Attributes:
        pairs: About how many pairs it is for.
        recipe: Sizes of model and batches.
        training: Steps and warm-up.
    """

    pairs: int
    recipe: Recipe
    training: TrainingConfig


PRESETS: dict[PresetName, Preset] = {
    "tiny": Preset(
        30_000,
        Recipe(
            vocab_size=4000,
            d_model=256,
            num_layers=3,
            d_ff=1024,
            dropout=0.3,
            norm_first=True,
            batch_tokens=1024,
            average=5,
        ),
        TrainingConfig(steps=12_000, warmup=2000),
    ),
    "small": Preset(
        500_000,
        Recipe(
            vocab_size=16_000,
            d_model=512,
            num_heads=8,
            num_layers=5,
            d_ff=2048,
            dropout=0.2,
            batch_tokens=8192,
        ),
        TrainingConfig(steps=30_000, warmup=2000),
    ),
    "base": Preset(  # the paper's (§5, Table 3), but for fewer ids
        5_000_000,
        Recipe(
            vocab_size=32_000,
            d_model=512,
            num_heads=8,
            num_layers=6,
            d_ff=2048,
            dropout=0.1,
            batch_tokens=25_000,
            average=5,
        ),
        TrainingConfig(steps=100_000, warmup=4000, keep=5),
    ),
}
