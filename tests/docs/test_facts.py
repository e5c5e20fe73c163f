"""What sentences tell of defaults and measurements is what the code does and docs/measured holds.

The sentences stand in facts.toml: there a snippet would say again what the next line says.
"""

import inspect
import json
import re
import tomllib
import tracemalloc
from collections import defaultdict
from functools import cache
from itertools import islice
from math import log, log10
from pathlib import Path

import pytest
import torch

from docs.checks.pages import page_files
from docs.figures import heads_number, race_length, race_moves, serving_together
from docs.figures._dots import right
from tests.inference.test_shipped import FLOORS
from transformer import (
    Recipe,
    Tokenizer,
    TrainingConfig,
    Transformer,
    TransformerConfig,
    beam_search,
    count_parameters,
    encode_pairs,
    greedy_decode,
    load_pretrained,
)
from transformer.cli.evaluating import evaluate
from transformer.data import generator as corpus
from transformer.data import training_pairs as sources
from transformer.data.batching import batches
from transformer.data.grammar import LONGEST
from transformer.data.report import Report
from transformer.inference.significance import compare
from transformer.inference.translation import translate
from transformer.training.log import PAUSE
from transformer.training.loop import _adam

DOCS = Path(__file__).parents[2] / "docs"


def measured(name):
    return json.loads((DOCS / f"measured/{name}.json").read_text("utf-8"))


SIZES, SCORES, POSITIONS = (
    measured("bench")["sizes"],
    measured("evaluation")["scores"],
    measured("positions"),
)
BENCH = measured("bench")["rows"]
SERVING = measured("serving")["rows"]
READING = measured("reading")["rows"]
LANGUAGES = ("en", "zh-TW")
WORDS = {
    "en": {5: "five", 9: "nine", 10: "ten", 20: "twenty", 500: "five hundred", 1000: "a thousand"},
    "zh-TW": {5: "五", 9: "九", 10: "十", 20: "二十", 400: "四百", 500: "五百", 1000: "一千"},
}
ANY = {
    "en": r"([\d.,]*\d|(?:a )?[A-Za-z]+(?: hundred)?)",
    "zh-TW": r"([\d.,]*\d|[一二三四五六七八九十百千]+)",
}
UNLESS = re.compile(r"by default\b|unless (?:told|you say) otherwise|\bthe default is")


def default(function, name):
    """What a function takes unless it is told otherwise."""
    return inspect.signature(function).parameters[name].default


def tiny_model():
    sizes = {"d_model": 8, "num_heads": 2, "num_encoder_layers": 1, "num_decoder_layers": 1}
    return Transformer(TransformerConfig(9, 9, d_ff=8, **sizes))


def adam():
    """Both betas, and the power of ten in epsilon."""
    (group,) = _adam(tiny_model(), TrainingConfig()).param_groups
    return *group["betas"], round(-log10(group["eps"]))


def longer_than_its_source():
    """By how much a translation is, when the end token never comes."""
    model = tiny_model()
    with torch.no_grad():
        model.output_layer.bias[model.config.eos_id] = -1e9
    (written,) = greedy_decode(model, torch.tensor([[3, 4, 5, 2]]))
    return len(written) - 4


def first_saved():
    return next(step for step in range(1, 10_000) if TrainingConfig().saves(step))


def times(due):
    """How often something is due in a whole run."""
    config = TrainingConfig()
    return sum(due(config, step) for step in range(1, config.steps + 1))


def times_ours(engine):
    """How many times our time it takes: at least, and at most."""
    ratios = [r["ratio"] for r in SERVING if r["unit"] == "s" and r["other"] == engine]
    return round(min(ratios), 2), round(max(ratios), 2)


def together():
    """One at once: sentences a second, and how long; many at once: how many, and the same."""
    (one, alone, _), *_, (many, wait, _) = serving_together.seconds()
    length = measured("serving")["sizes"]["base"]["length"]
    return one / alone, length, many, many / wait, wait, alone


def together_in_the_engine():
    *_, (many, _, wait) = serving_together.seconds()
    return many / wait, many


def kilobytes(part):
    """What matrices of the shipped model take: in float32; in int8, with a scale for each row."""
    found = {"embedding": [], "layers": []}
    for name, weight in load_pretrained()[0].named_parameters():
        if weight.dim() == 2:
            found["embedding" if "embedding" in name else "layers"].append(weight)
    numbers, rows = (sum(count(w) for w in found[part]) for count in (torch.numel, len))
    return 4 * numbers / 1000, (numbers + 4 * rows) / 1000


def more_time(engine):
    """How many per cent more than ours it takes: at least, and at most."""
    ratios = [r["ratio"] for r in SERVING if r["unit"] == "s" and r["other"] == engine]
    return round(100 * min(ratios) - 100), round(100 * max(ratios) - 100)


def reading():
    """Millions of ids a second, ours and a stream's, and megabytes after an epoch."""
    speed, memory, _ = READING
    assert memory["theirs"] == pytest.approx(memory["ours"], rel=0.1)  # flat
    return round(1 / speed["ours"], 1), round(1 / speed["theirs"], 1), round(memory["ours"])


def gigabytes_as_lists():
    """What ten million pairs of the grammar take as lists of ids, from 5,000 of them."""
    texts = [(pair.source, pair.target) for pair in islice(corpus.generate_pairs(0), 5000)]
    tokenizer = load_pretrained()[1]
    tracemalloc.start()
    pairs = list(encode_pairs(texts, tokenizer))
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return round(taken / len(pairs) / 100)  # times ten million, over a billion


def served_exactly():
    shares = {row["other"]: row["theirs"] for row in SERVING if row["unit"] == "%"}
    assert {row["ours"] for row in SERVING if row["unit"] == "%"} == {
        shares["CTranslate2, float32"]
    }
    (what,) = {row["what"] for row in SERVING if row["unit"] == "%"}
    return int(what.split()[3]), *(round(share, 1) for share in shares.values())


def resamples():
    (count,) = re.findall(r"bs:(\d+)", compare(["a"], ["a"], ["a"])["BLEU"].signature)
    return int(count)


def vocabulary():
    return load_pretrained()[1].vocab_size


@cache
def words_of_grammar():
    pairs = islice(corpus.generate_pairs(0), 5000)  # enough for each word to have occurred
    return len({word for pair in pairs for word in pair.source.split() if word.isalpha()})


def by_positions(split):
    """Sentences; fewest and most right with sinusoidal positions, then with learned ones."""
    ends, sizes = [], set()
    for kind in ("sinusoidal", "learned"):
        counts = [tuple(map(sum, zip(*run[split].values()))) for run in POSITIONS[kind]]
        sizes |= {sentences for sentences, _ in counts}
        right = [right for _, right in counts]
        ends += [min(right), max(right)]
    (sentences,) = sizes
    return sentences, *ends


def without(*parts):
    """Sentences of which models were trained; of each, the fewest and the most it got right."""
    return measured("without")["sentences"], *(
        end(right(part)) for part in parts for end in (min, max)
    )


def first_loss(part):
    """The least and the greatest loss of the first step without a part."""
    first = [run["loss"][0] for run in measured("without")[part]]
    return round(min(first)), round(max(first))


def muted():
    """Sentences; the least and the most that one head costs, then a whole attention."""
    told = measured("heads_muted")
    heads = [told["whole"] - right for of in told["heads"].values() for right in of]
    layers = [told["whole"] - right for right in told["layers"].values()]
    return told["sentences"], min(heads), max(heads), min(layers), max(layers)


def heads(*numbers):
    """Sentences; the fewest and the most right with each of these numbers of heads."""
    found = heads_number.right()
    return measured("heads_number")["sentences"], *(
        end(found[number]) for number in numbers for end in (min, max)
    )


def remembered(kind, width):
    """The fewest and the most facts that a network of this width keeps."""
    found = measured("feed_forward_facts")[kind][str(width)]
    return min(found), max(found)


def race():
    """Sentences; the fewest and the most right with attention, in the Transformer, with neither."""
    runs = measured("race")["runs"]
    kinds = [
        [run["right"] for run in runs[kind]] for kind in ("attention", "Transformer", "one vector")
    ]
    return len(runs["attention"][0]["sentences"]), *(end(of) for of in kinds for end in (min, max))


def race_by(groups, kind, group):
    """The least and the greatest share in a group, in whole per cent."""
    return round(min(groups(kind)[group])), round(max(groups(kind)[group]))


def step_times(kind, parts):
    """Of so many equal parts of the time that a step takes with attention."""
    times = measured("race")["milliseconds"]
    return round(parts * times[kind] / times["attention"])


def race_sizes():
    """The least and the greatest number of weights, in whole thousands."""
    sizes = measured("race")["sizes"].values()
    return round(min(sizes), -3), round(max(sizes), -3)


def without_cache(more):
    """How many times as long the usual batch takes, its sizes, and how many times one of more."""
    batch, length = SIZES["batch"], SIZES["length"]
    what = f"greedy decoding, {length} tokens"
    times = {
        row["what"]: round(row["ratio"], 1) for row in BENCH if row["other"] == "without cache"
    }
    return times[what], batch, length, times[f"{what}, {more} at once"], more


def last_and_mean():
    """Fewest and most right with the last checkpoint, of so many; with the mean of how many."""
    sentences, *means = by_positions("validation")
    last = [run["last"] for kind in ("sinusoidal", "learned") for run in POSITIONS[kind]]
    return min(last), max(last), sentences, Recipe.average, min(means), max(means)


def group(split, length):
    return SCORES[split]["by_length"][length] if length else SCORES[split]["overall"]


def of(split, length=""):
    """How many sentences of a split the shipped model was measured on."""
    return group(split, length)["sentences"]


def wrong(split, length=""):
    """How many of them it did not translate exactly."""
    return round(of(split, length) * (1 - group(split, length)["exact_match"] / 100))


def cell(argument):
    """A number in the notebook's own code."""
    code = (DOCS / "en/practice/translate.py").read_text("utf-8")
    (number,) = set(re.findall(rf"\b{argument}=(\d+)", code))
    return int(number)


@cache
def millions(**changes):
    sizes = {"src_vocab_size": 37_000, "tgt_vocab_size": 37_000, "share_embeddings": True}
    with torch.device("meta"):
        model = Transformer(TransformerConfig(**sizes | {"tie_output": True} | changes))
    return count_parameters(model)["total"] / 1e6


def more(**changes):
    return millions(**changes) - millions()


# What facts.toml names, besides what is above.
USED = Recipe, Report, Tokenizer, batches, beam_search, evaluate, log, sources, translate
USED_TOO = FLOORS, LONGEST, PAUSE, race_length, race_moves
PAGES = tomllib.loads((Path(__file__).parent / "facts.toml").read_text("utf-8"))
FACTS = {
    f"{page}, {name}, {language}": (language, Path(page), fact[number], fact[-1])
    for page, facts in PAGES.items()
    for name, fact in facts.items()
    for number, language in enumerate(LANGUAGES)
    if fact[number]
}

# Thousands of sentences are generated: no need to check each of their words.
pytestmark = pytest.mark.usefixtures("no_shape_checks")


def as_pattern(language, sentence):
    return re.sub(r"\\#\d", lambda _: ANY[language], re.escape(sentence))


def problem(text, language, sentence, values):
    """What a page says otherwise, with its line; None if it says just this."""
    asked = [values[int(number) - 1] for number in re.findall(r"#(\d)", sentence)]
    found = re.search(as_pattern(language, sentence), text, re.IGNORECASE)
    if not found:
        return f"1: no longer says “{sentence}”; bring tests/docs/facts.toml in step"
    for at, value in enumerate(asked, 1):
        said = found[at].lower()
        decimals = len(said.partition(".")[2])
        if said not in {f"{value:,.{decimals}f}", WORDS[language].get(value)}:
            line = text.count("\n", 0, found.start(at)) + 1
            return f"{line}: says {said} in “{found[0]}”, and it is {value:,g}; mend the sentence"
    return None


@pytest.mark.parametrize(("language", "page", "sentence", "expression"), FACTS.values(), ids=FACTS)
def test_a_sentence_tells_what_is_so(language, page, sentence, expression):
    values = eval(expression)
    path = (DOCS / language / page).resolve()
    values = values if isinstance(values, tuple) else (values,)
    found = problem(path.read_text("utf-8"), language, sentence, values)
    assert not found, f"{path}:{found}"


@pytest.mark.parametrize("path", page_files(DOCS / "en"), ids=lambda path: path.stem)
def test_a_default_in_a_sentence_is_a_fact(path):
    known = PAGES.get(path.relative_to(DOCS / "en").as_posix(), {}).values()
    patterns = [as_pattern("en", english) for english, *_ in known]
    for line in path.read_text("utf-8").splitlines():
        for told in UNLESS.finditer(line):
            beside = line[max(told.start() - 80, 0) : told.end() + 80]
            covered = any(re.search(pattern, line, re.IGNORECASE) for pattern in patterns)
            assert covered or not re.search(r"\d", beside), (
                f"{path}: “{beside}”: add this default to tests/docs/facts.toml"
            )


@pytest.mark.parametrize(
    ("language", "text", "message"),
    [
        ("en", "It is 64 at a time.", None),
        ("en", "so\nIt is 32 at a time.", "2: says 32 in “It is 32 at a time”, and it is 64; "),
        ("en", "It is 64 at once.", "1: no longer says “It is #1 at a time”"),
    ],
)
def test_another_number_is_named_with_its_line(language, text, message):
    found = problem(text, language, "It is #1 at a time", [64])
    assert found == message or (message and found.startswith(message))


@pytest.mark.parametrize(
    ("language", "said"), [("en", "Twenty"), ("en", "20"), ("zh-TW", "二十"), ("zh-TW", "20")]
)
def test_a_number_may_be_a_word(language, said):
    assert problem(f"前{said}個", language, "前#1個", [20]) is None
    assert problem(f"前{said}個", language, "前#1個", [30]).startswith(f"1: says {said.lower()} in")


def test_what_is_said_of_engines_holds_in_every_row():
    ratios = defaultdict(dict)
    for row in SERVING:
        if row["unit"] == "s":
            ratios[row["other"]][row["what"]] = row["ratio"]
    exact, rounded = ratios["CTranslate2, float32"], ratios["CTranslate2, int8"]
    assert min(ratios["Marian"].values()) > 1
    for beams in (1, 4):
        few, many = (exact[f"shipped, {beams} beams, {batch} at once"] for batch in (1, 32))
        assert few < 1 < many
    base = [what for what in exact if what.startswith("base")]
    assert min(exact[what] for what in base) > 0.95  # level at least
    assert all(rounded[what] < min(1, exact[what]) for what in base)
    assert any(rounded[what] > exact[what] for what in exact if what.startswith("shipped"))
