"""Scores of translations, by hand and against sacreBLEU."""

import json
import logging
import re
import unicodedata
from functools import partial

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from tests.refused import refusals
from transformer.inference.evaluation import score
from transformer.inference.significance import compare

REFERENCES = ["她買了三本書。", "貓正在睡覺。", "他沒有看到那隻狗。", "她跑。"]
HYPOTHESES = ["她買了三本書。", "貓在睡覺。", "他沒有看到那隻貓。", "她跑。"]
SOURCES = ["she bought three books .", "the cat is sleeping .", "he did not see that dog .", "she runs ."]  # noqa: E501  # fmt: skip
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
        ("貓正在睡覺。", "1-10"),  # six characters; a mark is none
        ("按 Ctrl+S 儲存檔案吧。", "11-20"),  # six and five letters
    ],
)
def test_bucket_of_a_source(source, bucket):
    assert list(score(["貓"], ["貓"], sources=[source]).by_length) == [bucket]


@pytest.mark.parametrize(
    ("references", "tokenize", "unit"),
    [
        (["按 Ctrl+Shift+F5 鍵。", "OK"], "zh", "characters"),
        (["Press Enter.", "The character 貓 is a cat."], "13a", "words"),
        (["3.5"], "13a", "words"),
    ],
)
def test_the_script_decides_how_text_is_cut_and_counted(references, tokenize, unit):
    scores = score(references, references, sources=references)
    assert f"tok:{tokenize}|" in scores.bleu_signature
    assert scores.length_unit == unit
    assert f"by {unit} in the source" in str(scores)
    compared = compare(references * 2, references * 2, references * 2)
    assert f"tok:{tokenize}|" in compared["BLEU"].signature


def test_buckets_stand_in_order_of_length():
    sources = ["a " * words for words in (12, 2, 101, 7)]
    groups = score(REFERENCES, REFERENCES, sources=sources).by_length
    assert list(groups) == ["1-5", "6-10", "11-15", "101-105"]


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


@pytest.mark.parametrize("tokenize", ["zh", "13a", "intl", "char", "none"])
def test_the_choice_of_tokens_is_sacrebleus(tokenize):
    said, right = ["The cat's here, 貓在睡。"], ["The cat is here, 貓在睡覺。"]
    scores = score(said, right, tokenize=tokenize)
    bleu = sacrebleu.BLEU(tokenize=tokenize, effective_order=True)
    assert scores.overall.bleu == pytest.approx(bleu.corpus_score(said, [right]).score)
    assert f"tok:{tokenize}|" in scores.bleu_signature


# Errors

MANY, STRINGS = "there must be as many of each, one a sentence", "must be a list of strings"


def wrong_arguments():
    for changed, error, text in (
        ({"references": ["貓", "狗"]}, ValueError, f"{MANY}: got {{'hypotheses': 1, 'reference…"),
        ({"sources": ["a", "b"]}, ValueError,
         f"{MANY}: got {{'hypotheses': 1, 'references': 1, 'sources': 2}}"),
        ({"constructions": []}, ValueError,
         f"{MANY}: got {{'hypotheses': 1, 'references': 1, 'constructions': 0}}"),
        ({"hypotheses": [], "references": []}, ValueError,
         "there must be at least one sentence to score: got none"),
        ({"references": [" "]}, ValueError, "a reference must not be empty: reference 1 is"),
        ({"tokenize": "spm"}, ValueError,
         "tokenize must be one of zh, 13a, intl, char, none: got 'spm'"),
        ({"hypotheses": "貓"}, TypeError, f"hypotheses {STRINGS}: got the string '貓'"),
        ({"references": "貓"}, TypeError, f"references {STRINGS}: got the string '貓'"),
        ({"sources": "a"}, TypeError, f"sources {STRINGS}: got the string 'a'"),
        ({"constructions": "a"}, TypeError, f"constructions {STRINGS}: got the string 'a'"),
        ({"constructions": ["aspect"]}, TypeError,
         f"constructions of sentence 1 {STRINGS}: got the string 'aspect'"),
    ):  # fmt: skip
        yield partial(score, **{"hypotheses": ["貓"], "references": ["貓"], **changed}), error, text


test_refuses = refusals(*wrong_arguments())
