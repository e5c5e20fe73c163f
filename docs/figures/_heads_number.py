"""Train the small model of `_variants_run` with other numbers of heads, all of them of one size.

`python -m docs.figures._heads_number` writes docs/measured/heads_number.json, which the figure
`heads_number` draws: three seeds for each number, one run on each core: 15 minutes on two.
"""

from docs.figures._variants_run import Variant, measure

NUMBERS = (1, 2, 4, 8, 16)


if __name__ == "__main__":
    measure("heads_number", {str(n): Variant(sizes={"num_heads": n}) for n in NUMBERS})
