"""How a model translates in the middle of its training: BLEU, chrF and a few samples."""

from collections.abc import Callable, Sequence
from typing import Any

from transformer.data.batching import IdPair
from transformer.data.tokenizer import Tokenizer
from transformer.inference.decoding import greedy_decode
from transformer.inference.evaluation import bleu_tokenizer, normalize, score
from transformer.inference.translation import decode_by_length
from transformer.model.transformer import Transformer

AT_ONCE = 64  # sentences
SAMPLES = 3
SCORED = 200  # pairs


def score_translations(
    pairs: Sequence[IdPair], tokenizer: Tokenizer, most: int = SCORED
) -> Callable[[Transformer], dict[str, Any]]:
    """Return what `train` takes as `measure`: greedy translations of pairs, and their scores.

    At most `most` pairs are translated, taken from everywhere among them, so an evaluation costs
    no more with a large validation set.

    Args:
        pairs: The pairs, as ids.
        tokenizer: Turns the ids back into text.
        most: How many pairs to translate.

    Returns:
        A function of the model that returns `bleu` and `chrf` (0 to 100), and `samples`: of three
            sentences, the `source`, `reference` and `translation`.

    Raises:
        ValueError: If no pair has a reference to compare with.

    Example:
        >>> from transformer import encode_pairs, load_pretrained
        >>> model, tokenizer = load_pretrained()
        >>> ids = list(encode_pairs([("birds like tea .", "鳥都喜歡茶。")], tokenizer))
        >>> found = score_translations(ids, tokenizer)(model)
        >>> found["chrf"], found["samples"][0]["translation"]
        (100.0, '鳥都喜歡茶。')
    """
    chosen = pairs[:: max(1, len(pairs) // most)][:most]
    references = [normalize(tokenizer.decode(target)) for _, target in chosen]
    rows = [row for row, reference in enumerate(references) if reference]
    if not rows:
        raise ValueError(f"pairs must hold a reference to compare with: got none in {len(pairs)}")
    references = [references[row] for row in rows]
    sources = {number: list(chosen[row][0]) for number, row in enumerate(rows)}
    tokenize = bleu_tokenizer(references)

    def measure(model: Transformer) -> dict[str, Any]:
        written = decode_by_length(model, sources, AT_ONCE, greedy_decode)
        outputs = [tokenizer.decode(written[row]) for row in sources]
        found = score(outputs, references, tokenize=tokenize).overall
        samples = [
            {
                "source": tokenizer.source.decode(sources[row]),
                "reference": references[row],
                "translation": outputs[row],
            }
            for row in range(min(SAMPLES, len(rows)))
        ]
        return {"bleu": found.bleu, "chrf": found.chrf, "samples": samples}

    return measure
