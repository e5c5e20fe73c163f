"""From batches to weights: loss, schedule, loop, checkpoints, and the recipe of them all."""
