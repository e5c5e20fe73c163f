"""Scores of translations, by hand and against sacreBLEU; translating in batches."""

import json
import logging
import random
import re
import unicodedata
from dataclasses import FrozenInstanceError

import pytest
import sacrebleu
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from transformer import Transformer, TransformerConfig
from transformer.data.tokenizer import Tokenizer
from transformer.inference.evaluation import score
from transformer.inference.translation import translate

REFERENCES = ["她買了三本書。", "貓正在睡覺。", "他沒有看到那隻狗。", "她跑。"]
HYPOTHESES = ["她買了三本書。", "貓在睡覺。", "他沒有看到那隻貓。", "她跑。"]
SOURCES = [
    "she bought three books .",
    "the cat is sleeping .",
    "he did not see that dog .",
    "she runs .",
]
CONSTRUCTIONS = [{"measure word", "aspect"}, ["aspect"], ("negation", "measure word"), set()]
CHARACTERS = "昨天那位老農夫沒有買貓看到的三條魚她在圖書館讀比"

SENTENCES = st.text(CHARACTERS, min_size=1, max_size=12)


def score_all():
    return score(HYPOTHESES, REFERENCES, sources=SOURCES, constructions=CONSTRUCTIONS)


@given(st.lists(st.tuples(SENTENCES | st.just(""), SENTENCES), min_size=1, max_size=8))
def test_equals_sacrebleu(pairs):
    hypotheses, references = (list(side) for side in zip(*pairs))
    overall = score(hypotheses, references).overall
    bleu = sacrebleu.BLEU(tokenize="zh", effective_order=True)
    assert overall.bleu == pytest.approx(bleu.corpus_score(hypotheses, [references]).score)
    chrf = sacrebleu.corpus_chrf(hypotheses, [references]).score
    assert overall.chrf == pytest.approx(chrf)
    if max(map(len, hypotheses)) >= 4:  # sacreBLEU as it comes differs only without a run of four
        default = sacrebleu.corpus_bleu(hypotheses, [references], tokenize="zh").score
        assert overall.bleu == pytest.approx(default)


def test_groups_equal_sacrebleu_on_their_sentences():
    scores = score_all()
    group = scores.by_construction["measure word"]
    said, right = [HYPOTHESES[0], HYPOTHESES[2]], [REFERENCES[0], REFERENCES[2]]
    assert group.bleu == sacrebleu.corpus_bleu(said, [right], tokenize="zh").score
    assert group.chrf == sacrebleu.corpus_chrf(said, [right]).score


def test_bleu_by_hand():
    scores = score(["一二三四五"], ["一二三四六"])
    precisions = 4 / 5 * 3 / 4 * 2 / 3 * 1 / 2  # of runs of one, two, three, four
    assert scores.overall.bleu == pytest.approx(100 * precisions ** (1 / 4))


def test_exact_match_by_hand():
    assert score_all().overall.sentences == 4
    assert score_all().overall.exact_match == 50.0
    assert score(["貓", "狗", "魚"], ["貓", "鳥", "牛"]).overall.exact_match == 100 / 3


def test_a_space_inside_is_no_exact_match():
    assert score(["貓 睡"], ["貓睡"]).overall.exact_match == 0.0


def test_by_construction_by_hand():
    groups = score_all().by_construction
    assert list(groups) == ["aspect", "measure word", "negation"]
    assert [group.sentences for group in groups.values()] == [2, 2, 1]
    assert [group.exact_match for group in groups.values()] == [50.0, 50.0, 0.0]


def test_a_name_given_twice_counts_once():
    groups = score(["貓"], ["貓"], constructions=[["noun", "noun"]]).by_construction
    assert groups["noun"].sentences == 1


def test_by_length_by_hand():
    groups = score_all().by_length
    assert list(groups) == ["1-5", "6-10"]  # "." is not a word: three sources have 4, 4 and 2
    assert [group.sentences for group in groups.values()] == [3, 1]
    assert [group.exact_match for group in groups.values()] == [pytest.approx(200 / 3), 0.0]


@pytest.mark.parametrize(
    ("source", "bucket"),
    [
        ("", "1-5"),
        (". ?", "1-5"),
        ("a b c d e .", "1-5"),
        ("a b c d e f .", "6-10"),
        (" ".join("abcdefghij"), "6-10"),
        (" ".join("abcdefghijk"), "11-15"),
        ("貓正在睡覺。", "1-5"),
    ],
)
def test_bucket_of_a_source(source, bucket):
    assert list(score(["貓"], ["貓"], sources=[source]).by_length) == [bucket]


def test_buckets_stand_in_order_of_length():
    sources = ["a " * words for words in (12, 2, 101, 7)]
    groups = score(REFERENCES, REFERENCES, sources=sources).by_length
    assert list(groups) == ["1-5", "6-10", "11-15", "101-105"]


def test_without_sources_and_constructions_there_are_no_groups():
    scores = score(HYPOTHESES, REFERENCES)
    assert scores.by_construction == scores.by_length == {}


def test_a_perfect_system_scores_100_everywhere():
    scores = score(REFERENCES, REFERENCES, sources=SOURCES, constructions=CONSTRUCTIONS)
    short = score(["跑"], ["跑"])
    groups = [
        scores.overall,
        short.overall,
        *scores.by_construction.values(),
        *scores.by_length.values(),
    ]
    assert {(group.exact_match, group.bleu, group.chrf) for group in groups} == {(100, 100, 100)}


def test_silence_scores_0():
    overall = score([""], ["貓"]).overall
    assert (overall.exact_match, overall.bleu, overall.chrf) == (0, 0, 0)


@given(st.randoms(use_true_random=False))
def test_order_of_sentences_does_not_matter(shuffler: random.Random):
    rows = list(zip(HYPOTHESES, REFERENCES, SOURCES, CONSTRUCTIONS))
    shuffler.shuffle(rows)
    hypotheses, references, sources, constructions = (list(column) for column in zip(*rows))
    shuffled = score(hypotheses, references, sources=sources, constructions=constructions)
    assert shuffled == score_all()


def test_encodings_of_one_character_are_equal():
    composed = "她在咖啡館 Café 讀書。"
    decomposed = unicodedata.normalize("NFD", composed)
    assert decomposed != composed
    for said, right in [(composed, decomposed), (decomposed, composed)]:
        overall = score([f" {said}\n"], [right]).overall
        assert (overall.exact_match, overall.bleu, overall.chrf) == (100, 100, 100)


def test_full_width_and_half_width_differ():
    assert score(["好,走。"], ["好，走。"]).overall.exact_match == 0


def test_signatures():
    scores = score_all()
    version = f"version:{sacrebleu.__version__}"
    assert scores.bleu_signature == f"nrefs:1|case:mixed|eff:yes|tok:zh|smooth:exp|{version}"
    assert scores.chrf_signature == f"nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|{version}"


def test_json_round_trip():
    values = score_all().to_dict()
    assert json.loads(json.dumps(values)) == values
    assert list(values["by_length"]) == ["1-5", "6-10"]
    assert values["overall"]["exact_match"] == 50.0


def test_scores_are_frozen():
    with pytest.raises(FrozenInstanceError):
        score_all().overall.bleu = 100.0


def test_table():
    lines = str(score_all()).splitlines()
    assert lines[0].split() == ["sentences", "exact", "BLEU", "chrF"]
    assert lines[1].split()[:3] == ["all", "4", "50.00"]
    assert [line for line in lines if not re.search(r"\d", line)][1:] == [
        "by construction",
        "by words in the source",
    ]
    cells = [line for line in lines[1:-2] if re.search(r"\d", line)]
    assert len(cells) == 6
    assert {len(line) for line in cells} == {len(lines[0])}  # aligned
    assert len(str(score(["貓"], ["貓"])).splitlines()) == 4


def test_nothing_is_logged(caplog):
    with caplog.at_level(logging.WARNING):
        score_all()
    assert not caplog.records


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"hypotheses": ["貓"], "references": ["貓", "狗"]}, "'hypotheses': 1, 'references': 2"),
        ({"sources": ["a", "b"]}, "'hypotheses': 1, 'references': 1, 'sources': 2"),
        ({"constructions": []}, "'references': 1, 'constructions': 0"),
        ({"hypotheses": [], "references": []}, "at least one sentence to score: got none"),
        (
            {"hypotheses": ["貓"] * 2, "references": ["貓", " "]},
            "must not be empty: reference 2 is",
        ),
    ],
)
def test_refuses_what_cannot_be_scored(arguments, text):
    with pytest.raises(ValueError, match=re.escape(text)):
        score(**{"hypotheses": ["貓"], "references": ["貓"], **arguments})


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"hypotheses": "貓"}, "hypotheses must be a list of strings: got the string '貓'"),
        ({"references": "貓"}, "references must be"),
        ({"sources": "a"}, "sources must be"),
        ({"constructions": "a"}, "constructions must be"),
        ({"constructions": ["aspect"]}, "constructions of sentence 1 must be a list of strings"),
    ],
)
def test_refuses_one_string_for_many(arguments, text):
    with pytest.raises(TypeError, match=text):
        score(**{"hypotheses": ["貓"], "references": ["貓"], **arguments})


CONFIG = TransformerConfig(
    11,
    11,
    d_model=16,
    num_heads=2,
    num_encoder_layers=1,
    num_decoder_layers=1,
    d_ff=12,
    dropout=0.5,
    max_len=6,
)


class Digits:
    """A tokenizer of sentences such as "5 7 4"."""

    def encode_source(self, text: str) -> list[int]:
        return [*map(int, text.split()), 2]

    def decode(self, ids: list[int]) -> str:
        return " ".join(map(str, ids))


SAYINGS = ["5 7 4", "8", "3 3 9 10 6", "4 6", "", "9 9 9", "7"]


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
        [[2, 0], [8, 2], [7, 2]],
        [[4, 6, 2, 0], [5, 7, 4, 2], [9, 9, 9, 2]],
        [[3, 3, 9, 10, 6, 2]],
    ]


@pytest.mark.parametrize("training", [True, False])
def test_dropout_is_off_and_the_model_keeps_its_mode(training):
    model = random_model().train(training)
    assert len({tuple(translate(model, Digits(), SAYINGS)) for _ in range(5)}) == 1
    assert {module.training for module in model.modules()} == {training}


def test_works_with_the_tokenizer_of_the_package():
    tokenizer = Tokenizer.train(SOURCES + REFERENCES, vocab_size=280)
    size = tokenizer.vocab_size
    model = Transformer(TransformerConfig(size, size, d_model=8, num_heads=2, d_ff=8, max_len=64))
    translations = translate(model, tokenizer, SOURCES)
    assert [type(translation) for translation in translations] == [str] * 4


def test_no_sentences_give_no_translations():
    assert translate(random_model(), Digits(), []) == []


def test_refuses_a_sentence_longer_than_the_model():
    text = "sentence 2 is too long: it has 7 tokens, its end token included, and the model's max_len is 6"  # noqa: E501
    with pytest.raises(ValueError, match=re.escape(text)):
        translate(random_model(), Digits(), ["4", "4 4 4 4 4 4", "5"])


def test_refuses_a_decoder_that_loses_sentences():
    with pytest.raises(ValueError, match="shorter"):
        translate(random_model(), Digits(), ["4", "5"], decode=lambda model, src: [[4]])


def test_refuses_other_bad_arguments():
    with pytest.raises(ValueError, match="batch_size must be at least 1: got 0"):
        translate(random_model(), Digits(), SAYINGS, batch_size=0)
    with pytest.raises(TypeError, match="sentences must be a list of strings: got the string '4'"):
        translate(random_model(), Digits(), "4")
