"""Is one system better than another, or was it luck? Paired bootstrap through sacreBLEU."""

from collections.abc import Sequence
from dataclasses import dataclass

from sacrebleu.significance import PairedTest, Result

from transformer.arguments import check_strings
from transformer.inference.evaluation import bleu_tokenizer, metrics, normalize


@dataclass(frozen=True)
class Comparison:
    """Two systems by one score, on the same sentences.

    Attributes:
        baseline: The score of the baseline.
        system: The score of the system.
        p_value: How often chance alone makes so large a difference, from 0 to 1. Below 0.05 the
            difference is commonly called significant.
        signature: How it was computed, to be quoted with it.
    """

    baseline: float
    system: float
    p_value: float
    signature: str


def compare(
    hypotheses: Sequence[str],
    baseline: Sequence[str],
    references: Sequence[str],
    *,
    tokenize: str | None = None,
) -> dict[str, Comparison]:
    """Test whether two systems differ in BLEU and chrF: paired bootstrap resampling (Koehn 2004).

    Sentences are drawn with replacement, 1,000 times, the same ones for both systems. The draws
    are the same in each run: sacreBLEU seeds them. A handful of sentences decides nothing, whatever
    the p-value; take some hundreds.

    Args:
        hypotheses: What the system said, one string a sentence.
        baseline: What the other one said.
        references: What both should have said.
        tokenize: See `score`.

    Returns:
        A comparison by `"BLEU"` and one by `"chrF2"`.

    Raises:
        TypeError: If one string stands where a list of strings belongs.
        ValueError: If there is nothing to compare, the numbers of sentences differ, or `tokenize`
            is unknown.

    Example:
        >>> right = ["貓在睡覺。", "她買了三本書。", "他沒有看到那隻狗。"] * 100
        >>> found = compare(right, ["貓睡覺。", *right[1:]], right)["BLEU"]
        >>> found.system > found.baseline, found.p_value > 0.05  # one sentence of 300 is luck
        (True, True)
    """
    columns = {"hypotheses": hypotheses, "baseline": baseline, "references": references}
    for name, column in columns.items():
        check_strings(name, column)
    counts = {name: len(column) for name, column in columns.items()}
    if len(set(counts.values())) > 1:
        raise ValueError(f"there must be as many of each, one a sentence: got {counts}")
    if not references:
        raise ValueError("there must be at least one sentence to compare: got none")
    candidate, other, right = ([normalize(text) for text in column] for column in columns.values())
    bleu, chrf = metrics(tokenize or bleu_tokenizer(references))
    systems: list[tuple[str, Sequence[str]]] = [("baseline", other), ("system", candidate)]
    # Not "ar": sacreBLEU's randomization does not count ties, and finds three sentences enough.
    test = PairedTest(systems, {"BLEU": bleu, "chrF2": chrf}, [right], test_type="bs")
    signatures, results = test()
    return {name: _comparison(results[name], str(signatures[name])) for name in signatures}


def _comparison(results: Sequence[str | Result], signature: str) -> Comparison:
    """Read sacreBLEU's results of the baseline and of the system."""
    (first, _), (second, p_value) = (
        (r.score, r.p_value) for r in results if not isinstance(r, str)
    )
    # sacreBLEU calls even a difference of nothing significant
    return Comparison(first, second, 1.0 if first == second else p_value or 0.0, signature)
