"""Data: from raw pairs to files without copies, markup and what is no translation."""

import json
import random

import pytest
from rapidfuzz.distance import Indel

from tests.refused import refused
from transformer.data import preparation, processes
from transformer.data.filters import Filters
from transformer.data.markup import clean_pair
from transformer.data.normal_form import tokens
from transformer.data.pair_files import read_pairs
from transformer.data.preparation import RULES, Preparation, prepare_pairs

WORDS = ["red", "blue", "old", "new", "big", "small", "warm", "cold", "dry", "wet"]
SIGNS = "紅藍舊新大小暖冷乾濕"


def sentences(count):
    """Sentences of ten words, some alike: of each adjective and number there is one."""
    drawn = random.Random(0)
    for number in range(count):
        ways = [drawn.randrange(10) for _ in range(9)]
        source = " ".join(WORDS[way] for way in ways)
        yield f"{source} {number}.", "".join(SIGNS[way] for way in ways) + f" {number}。"


def prepared(tmp_path, pairs, name="out", **settings):
    raw = tmp_path / "raw.tsv"
    raw.write_text("".join(f"{source}\t{target}\n" for source, target in pairs), "utf-8")
    report = prepare_pairs([raw], tmp_path / name, Preparation(**settings))
    files = {path.name: path.read_text("utf-8") for path in (tmp_path / name).iterdir()}
    return report, files


def rows(text):
    return [tuple(line.split("\t")) for line in text.splitlines()]


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        (("~File", "檔案(~F)"), ("File", "檔案")),
        (("Fo_rmat...", "格式 (_R)..."), ("Format...", "格式...")),
        (("Save &As", "另存新檔(&A)"), ("Save As", "另存新檔")),
        (("a_2_3 & b_1", "R&D ~10"), ("a_2_3 & b_1", "R&D ~10")),
        (("<b>One</b><br/>two", "一&amp;二<p>三"), ("One two", "一&二 三")),
        (("if a<b then <none>", "a\u200b<b\ufeff"), ("if a<b then <none>", "a<b")),
    ],
)
def test_markup(raw, clean):
    assert clean_pair(*raw) == clean
    assert clean_pair(*clean) == clean


@pytest.mark.parametrize(
    ("pair", "rule"),
    [
        (("Save it.", "儲存。"), None),
        (("LibreOffice Writer document", "LibreOffice Writer 文件"), None),
        (("60 Percent", "60%"), None),
        (("%PRODUCTNAME: $(ARG1)", "%PRODUCTNAME：$(ARG1)"), "no-text"),
        (("Save the file.", "Save the FILE 2"), "untranslated"),
        (("Save the file.", "Enregistrer le fichier."), "script"),
        (("保存", "儲存檔案"), "script"),
        (("Open the software.", "打开软件。"), "simplified"),
        (("Open the queen's table.", "皇后的台子打開了"), None),
        (("Cliquez sur le bouton pour continuer.", "按一下按鈕以繼續。"), "language"),
        (("word " * 101, "字" * 150), "too-long"),
        (
            ("Exits the mode.", "當選取一物件時，程式就會切換到選取模式。取消這個物件的選取。"),
            "length",
        ),
    ],
)
def test_rules(pair, rule):
    assert (Filters(("en", "zh-TW")).broken(*pair) or (None,))[0] == rule
    assert rule is None or Filters(("en", "zh-TW"), keep=Filters.RULES).broken(*pair) is None


def test_simplified_chinese_is_told_mended_or_converted():
    pair = ("Open the software.", "打开软件。")
    assert Filters(("en", "zh-TW"), convert=True).traditional(*pair)[1] == "開啟軟體。"
    assert Filters(("en", "zh-TW")).traditional(*pair) == pair
    assert Filters(("en", "zh-CN")).broken(*pair) is None
    slip = Filters(("en", "zh-TW")).traditional("In a document", "在唯讀文字文件内選取")
    assert slip[1] == "在唯讀文字文件內選取"


def test_no_held_out_sentence_and_no_near_copy_is_trained_on(tmp_path):
    pairs = [*sentences(1200), *(("x " + source, target) for source, target in sentences(300))]
    report, files = prepared(tmp_path, pairs, validation=100, test=100)
    splits = {name: rows(files[f"{name}.tsv"]) for name in ("train", "validation", "test")}
    assert {name: len(rows) for name, rows in splits.items()} == report.pairs
    assert len(splits["test"]) == 100
    seen = []
    for name in ("test", "validation", "train"):
        for pair in splits[name]:
            for side, own in enumerate(map(tokens, pair)):
                assert all(Indel.normalized_similarity(own, known[side]) < 0.8 for known in seen)
        seen += [tuple(map(tokens, pair)) for pair in splits[name]]
        seen = [] if name == "train" else seen
    left_out = rows(files["left_out.tsv"])
    assert len(left_out) + report.pairs.total() == report.lines == len(pairs)
    assert report.left_out["near-held-out"] > 10
    for name, kept in splits.items():  # order of the input, and what is written is what is read
        assert kept == list(read_pairs(tmp_path / "out" / f"{name}.tsv"))
    order = {pair: number for number, pair in reversed([*enumerate(pairs)])}
    assert [order[pair] for pair in splits["train"]] == sorted(map(order.get, splits["train"]))


def test_every_line_is_kept_or_told(tmp_path):
    pairs = [
        ("Open", "開啟"),
        ("~Open", "開啟(~O)"),
        ("OPEN!", "開啟。"),
        ("Open", "打開"),
        ("", "空"),
        ("Same", "same"),
    ]
    report, files = prepared(tmp_path, pairs)
    assert rows(files["train.tsv"]) == [("Open", "開啟"), ("Open", "打開")]
    assert rows(files["left_out.tsv"]) == [
        ("empty", "line 5: the source", "", "空"),
        ("untranslated", "100% of the target's words are the source's", "Same", "same"),
        ("duplicate", "the same pair as before", "Open", "開啟"),
        ("near-duplicate", "the words of a pair before", "OPEN!", "開啟。"),
    ]
    record = json.loads(files["report.json"])
    assert record["left_out"] == report.left_out
    assert (record["lines"], record["files"][0]["name"]) == (6, "raw.tsv")
    everything, files = prepared(tmp_path, pairs, "all", keep=RULES)
    assert (everything.left_out, everything.pairs["train"]) == ({"empty": 1}, 5)


@pytest.mark.process
def test_the_same_bytes_again_also_with_other_processes(tmp_path, monkeypatch):
    pairs = list(sentences(500))
    _, alone = prepared(tmp_path, pairs, keep=("length", "script"))
    monkeypatch.setattr(processes, "FEW", 5)
    monkeypatch.setattr(preparation, "_TOGETHER", 100)
    _, shared = prepared(tmp_path, pairs, "other", keep=("script", "length"))
    assert alone == shared
    _, other = prepared(tmp_path, pairs, "seed", seed=1)
    assert other["test.tsv"] != alone["test.tsv"]


def test_what_is_refused_leaves_nothing_behind(tmp_path):
    pairs = [("Same", "same")]
    with refused(ValueError, "no pair is left to train on: 1 lines, 0 pairs kept…"):
        prepared(tmp_path, pairs)
    with refused(ValueError, f"keep must be some of {', '.join(RULES)}: got lenght"):
        Preparation(keep=("lenght",))
    with refused(ValueError, "target_language must be such as en or zh-TW: got 'q'"):
        prepared(tmp_path, pairs, languages=("en", "q"))
    with pytest.raises(FileExistsError, match="give the name of a new folder"):
        prepare_pairs([tmp_path / "raw.tsv"], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["raw.tsv"]
