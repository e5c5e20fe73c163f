"""Translating: batches, what cannot be translated, the best few with their scores."""

from functools import partial

import pytest
import torch
from torch import nn

from tests.refused import refusals
from transformer import Transformer, TransformerConfig
from transformer.data.report import Report
from transformer.data.tokenizer import Tokenizer
from transformer.inference.decoding import beam_search
from transformer.inference.translation import translate, translate_n_best

CONFIG = TransformerConfig(
    11, 11, d_model=16, num_heads=2, num_encoder_layers=1, num_decoder_layers=1, d_ff=12,
    dropout=0.5, max_len=6,
)  # fmt: skip


class Digits(Tokenizer):
    """A tokenizer of sentences such as "5 7 4"."""

    def __init__(self) -> None:
        pass

    @property
    def vocab_size(self) -> int:
        return 11

    def encode_source(self, text: str) -> list[int]:
        return [*map(int, text.split()), 2]

    def decode(self, ids) -> str:
        return " ".join(map(str, ids))


SAYINGS = ["5 7 4", "8", "3 3 9 10 6", "4 6", "10", "9 9 9", "7"]


def random_model():
    """A model that says different things of different sources, and does not end at once."""
    torch.manual_seed(0)
    model = Transformer(CONFIG)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            nn.init.normal_(parameter, std=0.7)
    nn.init.constant_(model.output_layer.bias[2], -3.0)  # the end token
    return model


@pytest.mark.parametrize("batch_size", [1, 2, 3, 7, 100])
def test_batches_equal_one_by_one(batch_size):
    model = random_model()
    alone = [translate(model, Digits(), [saying])[0] for saying in SAYINGS]
    assert len(set(alone)) > 3
    assert translate(model, Digits(), SAYINGS, batch_size=batch_size) == alone


def test_batches_hold_similar_lengths_padded_with_0():
    batches = []

    def echo(model, src):
        batches.append(src.tolist())
        return [[i for i in row if i > 2] for row in src.tolist()]

    assert translate(random_model(), Digits(), SAYINGS, batch_size=3, decode=echo) == SAYINGS
    assert batches == [
        [[8, 2], [10, 2], [7, 2]],
        [[4, 6, 2, 0], [5, 7, 4, 2], [9, 9, 9, 2]],
        [[3, 3, 9, 10, 6, 2]],
    ]


def test_no_sentences_give_no_translations():
    assert translate(random_model(), Digits(), []) == []


TOO_LONG = "too long (7 tokens with the end token, the model's max_len is 6)"


def test_with_a_report_the_others_are_translated():
    report = Report()
    sentences = ["4", "4 4 4 4 4 4", "", "not digits", "5", " \u3000"]
    outputs = translate(random_model(), Digits(), sentences, report=report)
    assert [bool(output) for output in outputs] == [True, False, False, False, True, False]
    assert outputs[4:5] == translate(random_model(), Digits(), ["5"])
    long, wrong = map(str, report.problems)
    assert long == f"sentence 2: {TOO_LONG}"
    assert wrong.startswith("sentence 4: no text (invalid literal")


def test_the_best_few_are_those_of_beam_search():
    model = random_model()
    found = translate_n_best(model, Digits(), SAYINGS, beam_size=4, num_best=3, batch_size=2)
    for saying, best in zip(SAYINGS, found):
        src = torch.tensor([Digits().encode_source(saying)])
        [alone] = beam_search(model, src, beam_size=4, num_best=3)
        assert [one.text for one in best] == [Digits().decode(h.ids) for h in alone]
        for one, hypothesis in zip(best, alone):
            assert one.score == pytest.approx(hypothesis.score, rel=1e-4)
            assert one.log_probability == pytest.approx(hypothesis.log_probability, rel=1e-4)


def test_the_best_of_one_beam_are_greedy():
    model = random_model()
    found = translate_n_best(model, Digits(), ["", *SAYINGS], beam_size=1)
    assert found[0] == []
    assert [best.text for [best] in found[1:]] == translate(model, Digits(), SAYINGS)


# Errors

MODEL, WORDS = random_model(), Tokenizer.train(["a"], vocab_size=260)
STRINGS = "sentences must be a list of strings: got"


def undecoded(model, src):
    raise AssertionError("nothing is to be decoded")


def what_does_not_belong_together():
    for call in (translate, translate_n_best):
        for arguments, error, text in (
            ((Digits(), MODEL, ["4"]), TypeError, "model must be a Transformer: got Digits"),
            ((MODEL, None, ["4"]), TypeError, "tokenizer must be a Tokenizer: got NoneType"),
            ((MODEL, WORDS, ["4"]), ValueError, "tokenizer must be the model's own: it has 260…"),
            (
                (MODEL, Digits(), iter(["4"])),
                TypeError,
                f"{STRINGS} list_iterator (make…",
            ),
            ((MODEL, Digits(), "4 5"), TypeError, f"{STRINGS} the string '4 5'"),
        ):
            yield partial(call, *arguments), error, text


test_refuses = refusals(
    *what_does_not_belong_together(),
    (lambda: translate(MODEL, Digits(), ["4", "4 4 4 4 4 4"], decode=undecoded), ValueError,
     f"sentence 2: {TOO_LONG}"),
    (lambda: translate(MODEL, Digits(), ["4", 5]), TypeError,
     "sentences must be strings: sentence 2 is 5"),
    (lambda: translate(MODEL, Digits(), ["4"], batch_size=0), ValueError,
     "batch_size must be at least 1: got 0"),
    (lambda: translate(MODEL, Digits(), ["4", "5"], decode=lambda model, src: [[4]]), ValueError,
     "zip() argument 2 is shorter…"),
)  # fmt: skip
