"""Which kinds of words stood side by side in the training sentences.

`python -m docs.neighbours` writes docs/measured/neighbours.json, from which the
playground knows a construction that training never showed. A kind is a word's place in the lexicon,
such as noun or past; a word that has none is its own kind. "" is the edge of a sentence.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path

from transformer import generate_pairs
from transformer.data.grammar import LONGEST
from transformer.data.grammar.lexicon import ADJECTIVES, NOUNS, VERBS

RESULT = Path(__file__).parent / "measured" / "neighbours.json"
SENTENCES = 300_000


def kinds() -> dict[str, str]:
    """Return the kinds of the words that have one, joined where there are several."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for word, kind in _named():
        found[word].add(kind)
    return {word: "/".join(sorted(found[word])) for word in sorted(found) if " " not in word}


def _named() -> Iterator[tuple[str, str]]:
    for noun in NOUNS:
        yield noun.one, "noun" if noun.one != noun.many else "noun, nouns"
        if noun.one != noun.many:
            yield noun.many, "nouns"
        if noun.container:
            yield from zip(noun.container, ("container", "containers"), strict=True)
    for adjective in ADJECTIVES:
        yield adjective.en, "adjective"
        yield adjective.comparative, "comparative"
    for verb in VERBS.values():
        object_ = " with object" if verb.objects else ""
        yield verb.base, f"verb{object_}"
        yield verb.third, f"third{object_}"
        yield verb.past, f"past{object_}"
        yield verb.ing, f"ing{object_}"


def main() -> None:
    """Read training sentences, and note what stands behind what."""
    known = kinds()
    after: defaultdict[str, set[str]] = defaultdict(set)
    for pair in islice(generate_pairs(seed=0), SENTENCES):
        words = ["", *pair.source.split(), ""]
        for first, second in pairwise(words):
            after[known.get(first, first)].add(known.get(second, second))
    record = {
        "longest": LONGEST,
        "kinds": known,
        "after": {kind: sorted(after[kind]) for kind in sorted(after)},
    }
    RESULT.write_text(json.dumps(record, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main()
