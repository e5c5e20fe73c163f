"""Decoding against plain searches without a cache, and what must hold for any translation."""

import itertools
import math
from collections import Counter
from dataclasses import replace
from functools import partial

import pytest
import torch
from torch import Tensor, nn

from tests.refused import refusals, refused
from transformer import Transformer, TransformerConfig
from transformer.inference.decoding import (
    Hypothesis,
    _DecodingState,
    beam_search,
    greedy_decode,
    sample,
)

TINY = TransformerConfig(
    9, 6, d_model=8, num_heads=2, num_encoder_layers=1, num_decoder_layers=2, d_ff=12,
    dropout=0.5, max_len=64,
)  # fmt: skip
VARIANTS = {
    "post_norm": TINY,
    "pre_norm": replace(TINY, norm_first=True),
    "other_ids": replace(TINY, pad_id=5, bos_id=0, eos_id=3),
}
EACH_VARIANT = pytest.mark.parametrize("config", VARIANTS.values(), ids=VARIANTS.keys())
EACH_SEED = pytest.mark.parametrize("seed", range(3))
LENGTHS = 4, 1, 6, 2, 5


def random_model(config: TransformerConfig = TINY, seed: int = 0) -> Transformer:
    """A model, in training mode, that says different things of different sources."""
    torch.manual_seed(seed)
    model = Transformer(config)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.normal_(parameter, std=0.5)
    return model


def random_src(config: TransformerConfig = TINY, lengths: tuple[int, ...] = LENGTHS) -> Tensor:
    special = config.pad_id, config.bos_id, config.eos_id
    ordinary = torch.tensor([i for i in range(config.src_vocab_size) if i not in special])
    ids = ordinary[torch.randint(len(ordinary), (len(lengths), max(lengths)))]
    return ids.masked_fill(
        torch.arange(max(lengths)) >= torch.tensor(lengths)[:, None], config.pad_id
    )


def alone(src: Tensor, config: TransformerConfig = TINY) -> list[Tensor]:
    """The sentences of a batch as batches of one, without padding."""
    return [row[row != config.pad_id][None] for row in src]


def constant_model(probabilities: list[float], **sizes: int) -> Transformer:
    """A model that gives ids 2, 3, … these probabilities, whatever it has read."""
    sizes |= {"d_model": 8, "num_heads": 2, "num_encoder_layers": 1, "num_decoder_layers": 1}
    model = Transformer(TransformerConfig(9, len(probabilities) + 2, d_ff=12, **sizes))
    nn.init.zeros_(model.output_layer.weight)
    with torch.no_grad():
        model.output_layer.bias[:2] = -math.inf
        model.output_layer.bias[2:] = torch.tensor(probabilities).log()
    return model


def test_these_models_end_early_late_and_never():
    models = [(random_model(c, seed), c) for c in VARIANTS.values() for seed in range(3)]
    outputs = [greedy_decode(model, random_src(c), max_new_tokens=12) for model, c in models]
    lengths = Counter(len(ids) for batch in outputs for ids in batch)
    assert lengths[0]
    assert lengths[12]
    assert lengths.total() > lengths[0] + lengths[12] + 5
    assert sum(len(set(map(tuple, batch))) for batch in outputs) > 2 * len(models)


# Plain searches: one sentence, no cache


@torch.no_grad()
def next_log_probs(model: Transformer, src: Tensor, ids: tuple[int, ...]) -> list[float]:
    """Log-probabilities of the token after bos and `ids`, by a whole forward pass."""
    c = model.config
    logits = model.eval()(src, torch.tensor([[c.bos_id, *ids]]))[0, -1]
    log_probs = logits.log_softmax(dim=-1).tolist()
    log_probs[c.pad_id] = log_probs[c.bos_id] = -math.inf
    return log_probs


def plain_greedy(model: Transformer, src: Tensor, limit: int) -> list[int]:
    ids: list[int] = []
    while len(ids) < limit:
        log_probs = next_log_probs(model, src, tuple(ids))
        best = log_probs.index(max(log_probs))
        if best == model.config.eos_id:
            break
        ids.append(best)
    return ids


def hypothesis(ids: tuple[int, ...], log_probability: float, alpha: float, finished: bool):
    length = len(ids) + finished
    return Hypothesis(ids, log_probability / ((5 + length) / 6) ** alpha, log_probability, finished)


def by_score(hypotheses: list[Hypothesis]) -> list[Hypothesis]:
    return sorted(hypotheses, key=lambda h: (h.finished, h.score), reverse=True)


def plain_beam_search(
    model: Transformer, src: Tensor, beam_size: int, alpha: float, limit: int
) -> list[Hypothesis]:
    """No early stop: until `beam_size` beams have finished, or the limit."""
    eos, beams, done = model.config.eos_id, [((), 0.0)], []
    for _ in range(limit):
        candidates = [
            ((*ids, token), total + log_prob)
            for ids, total in beams
            for token, log_prob in enumerate(next_log_probs(model, src, ids))
            if log_prob > -math.inf
        ]
        candidates.sort(key=lambda candidate: -candidate[1])
        ends = [c for c in candidates[:beam_size] if c[0][-1] == eos]
        done += [hypothesis(ids[:-1], total, alpha, True) for ids, total in ends]
        beams = [c for c in candidates if c[0][-1] != eos][:beam_size]
        if len(done) >= beam_size:
            return by_score(done)
    return by_score(done + [hypothesis(ids, total, alpha, False) for ids, total in beams])


def every_sentence(model: Transformer, src: Tensor, alpha: float, limit: int) -> list[Hypothesis]:
    """Every sentence that ends within `limit` tokens, best first."""
    c = model.config
    words = sorted(set(range(c.tgt_vocab_size)) - {c.pad_id, c.bos_id, c.eos_id})
    return by_score(
        hypothesis(ids, log_probability_of(model, src, ids, True), alpha, True)
        for length in range(limit)
        for ids in itertools.product(words, repeat=length)
    )


def log_probability_of(model: Transformer, src: Tensor, ids: tuple[int, ...], ends: bool) -> float:
    c, answer = model.config, [*ids, model.config.eos_id] if ends else [*ids]
    with torch.no_grad():
        logits = model.eval()(src, torch.tensor([[c.bos_id, *answer[:-1]]]))[0]
    return sum(row[token].item() for row, token in zip(logits.log_softmax(dim=-1), answer))


def assert_same(ours: list[Hypothesis], plain: list[Hypothesis]) -> None:
    assert [(h.ids, h.finished) for h in ours] == [(h.ids, h.finished) for h in plain]
    for mine, other in zip(ours, plain):
        assert mine.log_probability == pytest.approx(other.log_probability, rel=1e-5, abs=1e-5)
        assert mine.score == pytest.approx(other.score, rel=1e-5, abs=1e-5)


# Against the plain searches


@EACH_VARIANT
@EACH_SEED
def test_greedy_equals_greedy_without_cache(config, seed):
    model = random_model(config, seed)
    src = random_src(config)
    plain = [plain_greedy(model, row, 12) for row in alone(src, config)]
    assert greedy_decode(model, src, max_new_tokens=12) == plain


@EACH_VARIANT
@EACH_SEED
@pytest.mark.parametrize(("beam_size", "alpha"), [(1, 5.0), (2, 0.0), (3, 0.6), (4, 2.0)])
def test_beam_search_equals_beam_search_without_cache(config, seed, beam_size, alpha):
    model = random_model(config, seed)
    src = random_src(config, (3, 1, 4))
    options = {"beam_size": beam_size, "length_penalty": alpha, "num_best": beam_size}
    results = beam_search(model, src, max_new_tokens=6, **options)
    for row, result in zip(alone(src, config), results, strict=True):
        assert_same(result, plain_beam_search(model, row, beam_size, alpha, 6)[:beam_size])


@EACH_SEED
@pytest.mark.parametrize("alpha", [0.0, 0.6, 3.0])
def test_beams_enough_for_every_sentence_find_the_best(seed, alpha):
    model = random_model(seed=seed)
    src = random_src(lengths=(3,))
    size = TINY.tgt_vocab_size**3
    [result] = beam_search(
        model, src, beam_size=size, length_penalty=alpha, max_new_tokens=3, num_best=13
    )
    assert_same(result, every_sentence(model, src, alpha, 3))  # 1 + 3 + 9 of them
    [[best]] = beam_search(model, src, beam_size=size, length_penalty=alpha, max_new_tokens=3)
    assert best == result[0]


@EACH_SEED
def test_fewer_best_are_the_beginning_of_more(seed):
    """Stopping early saves work and changes nothing."""
    model = random_model(seed=seed)
    src = random_src()
    most = beam_search(model, src, max_new_tokens=30, num_best=4)
    for count in (1, 2, 3):
        fewer = beam_search(model, src, max_new_tokens=30, num_best=count)
        for some, all_four in zip(fewer, most, strict=True):
            assert_same(some, all_four[:count])


def test_the_search_stops_when_nothing_open_can_win():
    model = constant_model([0.9, 0.06, 0.04])
    src = torch.tensor([[5, 2]])
    steps = count_steps(model)
    beam_search(model, src, length_penalty=0.0)
    assert len(steps) == 1
    steps.clear()
    beam_search(model, src, length_penalty=0.6)  # 0.06 and nothing more: -2.81 / 4.23 < -0.105
    assert len(steps) == 1
    steps.clear()
    beam_search(model, src, length_penalty=0.0, num_best=2)
    assert len(steps) == 2


# Batches


@EACH_VARIANT
@EACH_SEED
def test_a_batch_equals_its_sentences_one_by_one(config, seed):
    model = random_model(config, seed)
    src = random_src(config)
    rows = alone(src, config)
    for decode in (
        partial(greedy_decode, max_new_tokens=12),
        partial(sample, max_new_tokens=12, temperature=1e-6),
    ):
        assert decode(model, src) == [decode(model, row)[0] for row in rows]
    batch = beam_search(model, src, max_new_tokens=12, num_best=4)
    for result, row in zip(batch, rows, strict=True):
        assert_same(result, beam_search(model, row, max_new_tokens=12, num_best=4)[0])


def count_steps(model: Transformer) -> list[int]:
    """The number of rows of every step to come."""
    steps: list[int] = []
    model.decoder.register_forward_hook(lambda _, args, __: steps.append(len(args[0])))
    return steps


def test_finished_sentences_cost_nothing():
    model = random_model(VARIANTS["pre_norm"])
    src = random_src()
    lengths = [len(ids) for ids in greedy_decode(model, src, max_new_tokens=15)]
    assert len(set(lengths)) > 3  # they end one after the other
    steps = count_steps(model)
    greedy_decode(model, src, max_new_tokens=15)
    assert steps == [sum(length >= i for length in lengths) for i in range(15)]


def test_beams_can_take_the_rows_of_another_sentence():
    """Two sentences have a row each; one ends at once, and the other's two beams go on.

    A sentence costs as many rows as alone: what has ended costs nothing.
    """
    crossed = 0
    for seed in range(24):
        model = random_model(seed=seed)
        src = random_src(lengths=(3, 1))
        steps = count_steps(model)
        both = beam_search(model, src, beam_size=2, max_new_tokens=8)
        crossed += steps[:2] == [2, 2]
        together = sum(steps)
        for result, row in zip(both, alone(src), strict=True):
            assert_same(result, beam_search(model, row, beam_size=2, max_new_tokens=8)[0])
        assert sum(steps) == 2 * together
    assert crossed


def test_beams_of_one_sentence_share_its_memory():
    """They are many from the second step on, and while no sentence ends nothing is copied."""
    model = constant_model([1e-30, 0.5, 0.3, 0.2])
    memories: list[Tensor] = []
    model.decoder.register_forward_hook(lambda _, args, __: memories.append(args[1]))
    beam_search(model, random_src(lengths=(3, 1)), beam_size=3, max_new_tokens=9)
    assert [len(memory) for memory in memories] == [2] + [6] * 8
    assert all(memory is memories[1] for memory in memories[1:])


# Every output


@EACH_VARIANT
@EACH_SEED
def test_outputs_hold_no_special_ids_and_respect_the_limit(config, seed):
    model = random_model(config, seed)
    with torch.no_grad():  # tempt it
        model.output_layer.bias[[config.pad_id, config.bos_id]] = 9.0
    src = random_src(config)
    beams = beam_search(model, src, num_best=4, max_new_tokens=8)
    outputs = [
        *greedy_decode(model, src, max_new_tokens=8),
        *sample(model, src, max_new_tokens=8),
        *(h.ids for result in beams for h in result),
    ]
    assert not {config.pad_id, config.bos_id, config.eos_id} & set(itertools.chain(*outputs))
    assert max(map(len, outputs)) <= 8
    for h in itertools.chain(*beams):
        assert len(h.ids) <= 7 if h.finished else len(h.ids) == 8


def test_length_penalty_by_hand():
    """Ids 3 with 1/2 and eos with 1/4: (3,) and eos have log-probability -log 8."""
    model = constant_model([0.25, 0.5, 0.25])
    options = {"beam_size": 20, "length_penalty": 1.0, "max_new_tokens": 2, "num_best": 9}
    [result] = beam_search(model, torch.tensor([[5, 2]]), **options)
    by_ids = {(h.ids, h.finished): h for h in result}
    assert by_ids[(3,), True].log_probability == pytest.approx(-math.log(8))
    assert by_ids[(3,), True].score == pytest.approx(-math.log(8) / (7 / 6))
    assert by_ids[(), True].score == pytest.approx(-math.log(4))  # one token: (5 + 1) / 6 = 1
    assert by_ids[(3, 3), False].score == pytest.approx(-math.log(4) / (7 / 6))
    assert [h.ids for h in result[:3]] == [(), (3,), (4,)]  # those that ended
    assert [h.finished for h in result] == [True] * 3 + [False] * 4


def test_a_vocabulary_of_specials_alone_says_nothing():
    model = constant_model([1.0])
    src = torch.tensor([[5, 2]])
    assert greedy_decode(model, src) == sample(model, src) == [[]]
    assert beam_search(model, src, num_best=4) == [[Hypothesis((), 0.0, 0.0, True)]]


def test_limits():
    """Source length without padding + 50, at most max_len - 1."""
    src = torch.tensor([[5, 6, 2, 0, 0], [5, 6, 7, 8, 2], [2, 0, 0, 0, 0]])
    for sizes, lengths in (({}, [53, 55, 51]), ({"max_len": 54}, [53, 53, 51])):
        model = constant_model([1e-30, 1.0], **sizes)
        for outputs in (
            greedy_decode(model, src),
            sample(model, src),
            [result[0].ids for result in beam_search(model, src, beam_size=1)],
        ):
            assert [len(ids) for ids in outputs] == lengths
    model = constant_model([1e-30, 1.0], max_len=70)
    assert [len(ids) for ids in greedy_decode(model, src, max_new_tokens=69)] == [69] * 3
    assert model.config.max_len == 70


# Sampling


@EACH_SEED
@pytest.mark.parametrize(
    "narrow",
    [
        {"top_k": 1},
        {"top_p": 1e-6},
        {"top_p": 1e-46},  # nothing in float32
        {"temperature": 1e-6},
        {"temperature": 1e-40},
        {"temperature": 1e-300},
    ],
)
def test_the_narrowest_choice_is_greedy(seed, narrow):
    model = random_model(seed=seed)
    src = random_src()
    greedy = greedy_decode(model, src, max_new_tokens=20)
    assert sample(model, src, max_new_tokens=20, **narrow) == greedy


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, [0.1, 0.4, 0.3, 0.2]),
        ({"top_k": 99, "top_p": 1.0, "temperature": 1.0}, [0.1, 0.4, 0.3, 0.2]),
        ({"temperature": 1e9}, [0.25] * 4),
        ({"temperature": 1e300}, [0.25] * 4),
        ({"temperature": 0.5}, [1 / 30, 16 / 30, 9 / 30, 4 / 30]),
        ({"top_k": 2}, [0, 4 / 7, 3 / 7, 0]),
        ({"top_p": 0.75}, [0, 4 / 9, 3 / 9, 2 / 9]),
        ({"top_p": 0.65}, [0, 4 / 7, 3 / 7, 0]),
        ({"top_p": 0.5, "top_k": 2}, [0, 1, 0, 0]),  # 4/7 are enough
        ({"top_k": 3, "top_p": 0.75}, [0, 4 / 7, 3 / 7, 0]),  # of the three, 7/9 are two
        ({"temperature": 0.5, "top_p": 0.8}, [0, 16 / 25, 9 / 25, 0]),  # heated first
    ],
)
def test_frequencies_are_the_probabilities(arguments, expected):
    model = constant_model([0.1, 0.4, 0.3, 0.2])
    src = torch.tensor([[5, 2]]).expand(20_000, -1)
    generator = torch.Generator().manual_seed(0)
    outputs = sample(model, src, max_new_tokens=1, generator=generator, **arguments)
    counts = Counter(ids[0] if ids else 2 for ids in outputs)
    assert {token for token, count in counts.items() if count} == {
        token for token, probability in enumerate(expected, start=2) if probability
    }
    frequencies = [counts[token] / 20_000 for token in range(2, 6)]
    assert frequencies == pytest.approx(expected, abs=0.015)  # four standard deviations


def test_tokens_that_just_reach_top_p_are_enough():
    """Of four equal ones two hold a half, exactly."""
    src = torch.tensor([[5, 2]]).expand(500, -1)
    outputs = sample(constant_model([0.25] * 4), src, max_new_tokens=1, top_p=0.5)
    assert len({tuple(ids) for ids in outputs}) == 2


def test_a_generator_repeats_and_leaves_the_global_one_alone():
    model = random_model()
    src = random_src()
    before = torch.get_rng_state()
    first, second, third = (
        sample(model, src, generator=torch.Generator().manual_seed(seed)) for seed in (7, 7, 8)
    )
    assert torch.equal(torch.get_rng_state(), before)
    assert first == second != third
    torch.manual_seed(7)
    assert sample(model, src) == first  # the global one, when none is given


# The model is left as it was

DECODERS = greedy_decode, beam_search, sample
EACH_WAY = pytest.mark.parametrize("decode", DECODERS)


@EACH_WAY
def test_dropout_is_off_and_the_mode_restored(decode):
    model = random_model()  # dropout 0.5, in training mode
    src = random_src()
    model.encoder.eval()  # frozen, say
    modes = [module.training for module in model.modules()]
    arguments = {"generator": torch.Generator().manual_seed(0)} if decode is sample else {}
    training = decode(model, src, **arguments)
    assert [module.training for module in model.modules()] == modes
    assert {True, False} <= set(modes)
    model.eval()
    arguments = {"generator": torch.Generator().manual_seed(0)} if decode is sample else {}
    assert decode(model, src, **arguments) == training
    assert not any(module.training for module in model.modules())


@EACH_WAY
def test_nothing_is_kept_for_a_backward_pass(decode):
    model, seen = random_model(), []
    model.decoder.register_forward_hook(lambda *call: seen.append(call[2].is_inference()))
    decode(model, random_src())
    assert seen
    assert all(seen)


@EACH_WAY
def test_a_compiled_model_decodes_too(decode, no_shape_checks):
    model, src = random_model().eval(), random_src()
    arguments = [{"generator": torch.Generator().manual_seed(0)} if decode is sample else {}
                 for _ in range(2)]  # fmt: skip
    compiled = torch.compile(model, backend="eager")
    assert decode(compiled, src, **arguments[0]) == decode(model, src, **arguments[1])


def test_every_step_is_made_where_the_model_is():
    with torch.device("meta"):
        model = Transformer(TINY)
    state = _DecodingState(model, random_src().to("meta"))
    assert state.step([1] * len(LENGTHS)).is_meta
    state.select([3, 1])
    assert state.step([4, 4]).shape == (2, TINY.tgt_vocab_size)


@EACH_WAY
@pytest.mark.parametrize("where", ["encoder", "decoder"])
@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_broken_weights_are_told(decode, where, number):
    model = random_model()
    for parameter in getattr(model, where).parameters():  # one query alone, the kernel may hide
        parameter.data.fill_(number)
    with refused(FloatingPointError, "logits must be numbers: got nan (are all weights finite?)"):
        decode(model, random_src())


def test_half_precision_weights_give_full_log_probabilities():
    model = constant_model([0.7, 0.3]).bfloat16()
    [[best]] = beam_search(model, torch.tensor([[5, 2]]))
    expected = model.output_layer.bias.float().log_softmax(dim=-1)[2].item()
    assert best.log_probability == pytest.approx(expected, rel=1e-6)


# Errors

MODEL, SRC = constant_model([1.0], max_len=64), torch.tensor([[5, 6, 2]])


def numbers_out_of_range():
    """Calls with an argument that is out of range, or no number; and what they say."""
    penalty = "must be at least 0 and at most 10.0: got"
    heat, above = "must be above 0 and finite: got", "must be above 0 and at most 1: got"
    new = "must be from 1 to 63 (max_len=64): got 64"
    for decode, name, value, text in (
        (beam_search, "beam_size", 0, "must be at least 1: got 0"),
        (beam_search, "num_best", 5, "must be from 1 to beam_size=4: got 5"),
        (beam_search, "num_best", 0, "must be at least 1: got 0"),
        *((beam_search, "length_penalty", x, f"{penalty} {x}") for x in (-0.1, 10.5, math.nan)),
        *((sample, "temperature", x, f"{heat} {x}") for x in (0.0, -1.0, math.inf, math.nan)),
        (sample, "top_k", 0, "must be at least 1: got 0"),
        *((sample, "top_p", x, f"{above} {x}") for x in (0.0, 1.1)),
        *((each, "max_new_tokens", 0, "must be at least 1: got 0") for each in DECODERS),
        *((each, "max_new_tokens", 64, new) for each in DECODERS),
    ):
        yield partial(decode, MODEL, SRC, **{name: value}), ValueError, f"{name} {text}"
    for decode, name, value, text in (
        (beam_search, "beam_size", 2.0, "an integer: got 2.0"),
        (beam_search, "num_best", "1", "an integer: got '1'"),
        (beam_search, "length_penalty", "1", "a number: got '1'"),
        (sample, "temperature", "hot", "a number: got 'hot'"),
        (sample, "top_k", 1.5, "an integer: got 1.5"),
        (sample, "generator", 7, "a torch.Generator: got 7"),
        *((each, "max_new_tokens", True, "an integer: got True") for each in DECODERS),
    ):
        yield partial(decode, MODEL, SRC, **{name: value}), TypeError, f"{name} must be {text}"


def no_models_and_no_sources():
    for decode in DECODERS:
        yield partial(decode, "m", SRC), TypeError, "model must be a Transformer: got str"
        for src, error, text in (
            ([[5, 2]], TypeError, "a tensor of ids: got list (make it with torch.tensor)"),
            (None, TypeError, "a tensor of ids: got NoneType"),
            (torch.ones(2, 3), TypeError, "int64 or int32: got torch.float32"),
        ):
            yield partial(decode, MODEL, src), error, f"src must be {text}"
        yield partial(decode, MODEL, SRC[0]), ValueError, "src must have shape (batch, seq_len): …"
        yield partial(decode, MODEL, SRC[:0]), ValueError, "src must hold at least one token: got…"
        long, text = torch.ones(1, 65).long(), "the sequence must end by max_len=64: got position…"
        yield partial(decode, MODEL, long), ValueError, text


test_refuses = refusals(*numbers_out_of_range(), *no_models_and_no_sources())
