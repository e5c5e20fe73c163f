"""Data: pairs from files."""

import gzip
import os
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.peak_memory import peak_of
from tests.refused import refused
from transformer.data.pair_files import PairReader, read_aligned, read_pairs
from transformer.data.report import Report
from transformer.text_files import LONGEST_LINE


def file(tmp_path, content, name="pairs.tsv"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read(path, **options):
    report = Report()
    return list(read_pairs(path, report, **options)), report


def test_two_columns_and_what_follows_them(tmp_path):
    lines = "hello .\t你好。\tCC-BY 2.0 (France) #1\t\t\nthank you .\t謝謝你。"
    pairs, report = read(file(tmp_path, lines))
    assert pairs == [("hello .", "你好。"), ("thank you .", "謝謝你。")]
    assert (report.lines, report.left_out, str(report)) == (2, 0, "left out: 0 of 2 lines")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_and_their_text(tmp_path, end):
    """A mark at the beginning is dropped, only LF and CRLF end a line, and text is spelled NFC."""
    lines = [
        "\ufeffa\t甲",
        "b\u2028c\x0bd\x85e\t甲\u3000乙 ",
        "  cafe\u0301   au\u00a0lait \t \u304b\u3099 ",
    ]
    expected = [("a", "甲"), ("b c d e", "甲 乙"), ("café au lait", "が")]
    for last in ("", end):
        pairs, report = read(file(tmp_path, end.join(lines) + last))
        assert (pairs, report.left_out) == (expected, 0)


text = st.text(st.characters(exclude_categories=["C"], exclude_characters='"'), min_size=1)
text = text.filter(str.strip)


@given(st.lists(st.tuples(text, text), max_size=5))
def test_what_is_written_is_read(tmp_path_factory, pairs):
    path = file(tmp_path_factory.mktemp("data"), "\n".join("\t".join(p) for p in pairs))
    clean = [tuple(" ".join(unicodedata.normalize("NFC", t).split()) for t in p) for p in pairs]
    report = Report()
    read = list(read_pairs(path, report))
    assert read == [pair for pair in clean if all(pair)]
    assert report.lines == len(pairs)
    assert report.lines - report.left_out == len(read)


def test_everything_left_out_is_reported_with_its_line(tmp_path):
    content = (
        b"fine\t\xe5\xa5\xbd\n"
        b"\n"
        b" \t \n"
        b"only one column\n"
        b"\t\xe5\xa5\xbd\n"
        b"no target\t\xe3\x80\x80\n"
        b"caf\xe9\tlatin-1\n"
        b"12345678901\tx\n"
        b"x\t12345678901\n"
        b"1234567890\tx\n"
    )
    pairs, report = read(file(tmp_path, content), max_chars=10)
    assert pairs == [("fine", "好"), ("1234567890", "x")]
    assert report.problems == [
        ("line", 2, "empty", "the whole line"),
        ("line", 3, "empty", "the whole line"),
        ("line", 4, "malformed", "no tab between source and target"),
        ("line", 5, "empty", "the source"),
        ("line", 6, "empty", "the target"),
        ("line", 7, "not UTF-8", "the line: byte 0xE9 at position 4"),
        ("line", 8, "too long", "the source: 11 characters, max_chars=10"),
        ("line", 9, "too long", "the target: 11 characters, max_chars=10"),
    ]
    assert str(report).startswith(
        "left out: 8 of 10 lines (4 empty, 2 too long, 1 malformed, 1 not UTF-8)\n"
        "  line 2: empty (the whole line)\n"
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('"he said ""hi"""\t"他說「嗨」"', ('he said "hi"', '"他說「嗨」"')),
        ('"Yes," he said, "now."\t好。', ('"Yes," he said, "now."', "好。")),
        ('a 5" pipe\t五吋', ('a 5" pipe', "五吋")),
        ('"a cell with\ta tab"\t"甲\n乙"', ("a cell with a tab", "甲 乙")),
        ('"two ""\n\nlines"\t兩行', ('two " lines', "兩行")),
        ('"plain text\t甲', ('"plain text', "甲")),
        ('"plain"text\t"甲', ('"plain"text', '"甲')),
        ('""\tx', ("empty", "the source")),
        ("\u200b\tx", ("empty", "the source")),
        ("\u200b\t\ufeff", ("empty", "the whole line")),
        ("a\0\tx", ("not text", "the line: byte 0x00 at position 2")),
        ("english\t英文", ("english", "英文")),
    ],
)
def test_quotes_of_spreadsheets_and_what_cannot_be_seen(tmp_path, line, expected):
    pairs, report = read(file(tmp_path, f"x\ty\n{line}\n"))
    if problems := report.problems:
        assert problems[0][1:3] == (2, expected[0])
        assert problems[0].detail.startswith(expected[1])
    else:
        assert pairs[1] == expected


@pytest.mark.parametrize("header", ["Source\tTarget", "en\tzh\tlicence", "英文\t中文"])
def test_a_header_is_left_out_where_one_stands(tmp_path, header):
    pairs, report = read(file(tmp_path, f"{header}\na\t甲\n{header}\n"))
    assert (len(pairs), report.counts) == (2, {"header": 1})


@pytest.mark.parametrize(
    ("line", "ids"),
    [
        ("{n}\t我有一隻貓。", True),
        ("{n}\teng\tI have a cat.", True),
        ("{n}\t一二", False),
        ("{n} cats\t{n}隻貓。", False),
    ],
)
def test_ids_are_refused_and_numerals_are_not(tmp_path, line, ids):
    content = "".join(line.format(n=n) + "\n" for n in range(10, 50))
    path = file(tmp_path, content)
    if ids:
        text = f"{path}: the sources are numbers, such as '10': column 1 must be the source"
        with refused(ValueError, f"{text}…"):
            read(path)
        lines = content.splitlines(keepends=True)
        path = file(tmp_path, "".join([*lines[:19], "a cat\t一隻貓\n", *lines[19:]]))
    assert len(read(path)[0]) >= 40


def test_plain_text_with_quotes_loses_no_line(tmp_path):
    """Speech over several lines: each has a tab, so none is the middle of a spreadsheet's cell."""
    lines = ['"Hello,\t「你好，', "dear.\t親愛的。", 'Bye!"\t再見！」', '"Yes, sir."\t「是。」']
    pairs, report = read(file(tmp_path, "\n".join(lines)))
    assert (pairs, report.left_out) == ([tuple(line.split("\t")) for line in lines], 0)


def test_where_every_comma_is_in_quotes_a_spreadsheet_put_them_there(tmp_path):
    lines = [f'"{n}, {n}"\t"甲,{n}"' for n in range(3)]
    assert read(file(tmp_path, "\n".join(lines)))[0][1] == ("1, 1", "甲,1")
    assert read(file(tmp_path, "\n".join([*lines, "no, no\t乙"])))[0][1] == ('"1, 1"', '"甲,1"')


def test_the_export_of_tatoeba(tmp_path):
    lines = ["1\tHello.\t2\t你好。\n", "3\tBye.\t4\t再見。\n", "5\tNo.\t不。\n"]
    pairs, report = read(file(tmp_path, "".join(lines[:2] * 10 + lines[2:])))
    assert pairs[:2] == [("Hello.", "你好。"), ("Bye.", "再見。")]
    assert report.problems == [("line", 21, "malformed", "no ids in columns 1, 3")]


MEMORY = """<?xml version="1.0"?><!DOCTYPE tmx SYSTEM "tmx14.dtd"><tmx version="1.4"><header/><body>
<tu><prop>x</prop><tuv xml:lang="en-US"><seg>A <bpt i="1">&lt;b&gt;</bpt>big<ept i="1"/> &amp;
cat</seg></tuv><tuv xml:lang="zh_TW"><seg>大<hi>貓</hi></seg></tuv></tu>
<tu><tuv lang="zh_TW"><seg>狗</seg></tuv><tuv lang="en-US"><seg>dog</seg></tuv></tu>
<tu><tuv xml:lang="en-US"><seg>only</seg></tuv></tu></body></tmx>"""


def test_a_translation_memory(tmp_path):
    path = file(tmp_path, gzip.compress(MEMORY.encode("utf-16")), "memory.TMX.gz")
    report, both = Report(), [("A big & cat", "大貓"), ("dog", "狗")]
    assert list(read_pairs(path, report)) == both
    assert report.problems == [("unit", 3, "malformed", "a unit in en-US")]
    swapped = PairReader(path, languages=("zh-tw", "EN")).pairs(Report())
    assert list(swapped) == [(target, source) for source, target in both]
    three = file(tmp_path, MEMORY.replace("only", 'o</seg></tuv><tuv lang="fr"><seg>'), "m.tmx")
    for languages, damage, text in [
        (("en", "de"), "", "no unit has en and de: its languages are en-US, zh_TW, fr"),
        (None, "", "more than two languages, en-US, zh_TW, fr: name the source's and the target's"),
        (None, "<seg>dog", "damaged XML after unit 1: mismatched tag: line 4, column 60"),
    ]:
        path = file(tmp_path, three.read_text().replace(damage, ""), "n.tmx")
        with refused(ValueError, f"{path}: {text}"):
            list(PairReader(path, languages=languages).pairs(Report()))
    with refused(ValueError, "languages are chosen in a .tmx file: got en, zh for pairs.tsv"):
        PairReader("pairs.tsv", languages=("en", "zh"))


def test_a_pipe_is_read_once_and_two_are_refused(tmp_path):
    pipes = [tmp_path / name for name in ("a", "b")]
    for pipe in pipes:
        os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as writer:
        writer.submit(pipes[0].write_text, "a\t甲\n", "utf-8")
        assert list(read_pairs(pipes[0])) == [("a", "甲")]
    with pytest.raises(ValueError, match=r"a: pairs to be read more than once must be in a file"):
        read_aligned(*pipes)


def test_the_report_counts_all_and_keeps_the_first(tmp_path):
    report = Report(cap=2)
    assert list(read_pairs(file(tmp_path, "a\nb\t乙\nc\nd\n"), report)) == [("b", "乙")]
    assert report.left_out == 3
    assert str(report) == (
        "left out: 3 of 4 lines (3 malformed)\n"
        "  line 1: malformed (no tab between source and target)\n"
        "  line 3: malformed (no tab between source and target)\n"
        "  and 1 more"
    )


def test_without_a_report_a_warning_tells_what_is_left_out(tmp_path):
    path = file(tmp_path, "a\t甲\nb\n")
    with pytest.warns(UserWarning, match=r"left out: 1 of 2 lines .*\n  line 2: mal") as caught:
        assert list(read_pairs(path)) == [("a", "甲")]
    assert caught[0].filename == __file__
    assert list(read_pairs(file(tmp_path, "a\t甲\n"))) == [("a", "甲")]


def test_an_empty_file_has_no_pairs(tmp_path):
    assert read(file(tmp_path, "")) == ([], Report())
    assert list(read_aligned(file(tmp_path, ""), file(tmp_path, "", "other"))) == []


def test_max_chars_is_checked_before_reading(tmp_path):
    for files in ([tmp_path], [tmp_path] * 2):
        with refused(ValueError, "max_chars must be at least 1: got 0"):
            (read_pairs if len(files) == 1 else read_aligned)(*files, max_chars=0)


def test_two_aligned_files(tmp_path):
    src = file(tmp_path, b"\xef\xbb\xbfhello .\r\nthank\tyou .\r\n", "en.txt")
    tgt = file(tmp_path, "你好。\n謝謝你。", "zh.txt")
    assert list(read_aligned(src, tgt)) == [("hello .", "你好。"), ("thank you .", "謝謝你。")]
    assert next(read_aligned(str(src), src)) == ("hello .", "hello .")


def test_aligned_files_report_like_one_file(tmp_path):
    src = file(tmp_path, b"a\n\n\nd\ne\xff\nffff\ng\n", "en.txt")
    tgt = file(tmp_path, b"a\n\nc\n \ne\nf\n\xe5\xa5\n", "zh.txt")
    report = Report()
    assert list(read_aligned(src, tgt, report, max_chars=3)) == [("a", "a")]
    assert report.problems == [
        ("line", 2, "empty", "the whole line"),
        ("line", 3, "empty", "the source"),
        ("line", 4, "empty", "the target"),
        ("line", 5, "not UTF-8", "the source: byte 0xFF at position 2"),
        ("line", 6, "too long", "the source: 4 characters, max_chars=3"),
        ("line", 7, "not UTF-8", "the target: byte 0xE5 at position 1"),
    ]
    with pytest.warns(UserWarning, match="left out: 6 of 7 lines"):
        list(read_aligned(src, tgt, max_chars=3))


@pytest.mark.parametrize("shorter", ["en.txt", "zh.txt"])
@pytest.mark.parametrize("end", ["", "\n"])
def test_aligned_files_of_different_length(tmp_path, shorter, end):
    longer = {"en.txt": "zh.txt", "zh.txt": "en.txt"}[shorter]
    short = file(tmp_path, "a\nb" + end, shorter)
    long = file(tmp_path, "a\nb\n\nd\n", longer)
    text = (
        f"aligned files must have the same number of lines: {short} ends after line 2, {long} has 4"
    )
    with refused(ValueError, text):
        read_aligned(tmp_path / "en.txt", tmp_path / "zh.txt")


def test_memory_stays_flat_for_many_lines(no_shape_checks, tmp_path):
    lines = ["sentence without a target .", *["number .\t一句。"] * 99]
    report, path = Report(), file(tmp_path, "\n".join(lines * 200))
    count, peak = peak_of(lambda: sum(1 for _ in read_pairs(path, report)))
    assert (count, report.lines, report.left_out) == (19_800, 20_000, 200)
    assert len(report.problems) == report.cap
    assert peak < 1e6


def test_the_line_after_one_of_just_the_longest_length_is_read(tmp_path):
    content = b"x" * (LONGEST_LINE - 1) + b"\nc\td\n"
    pairs, report = read(file(tmp_path, content))
    assert (pairs, report.lines, report.left_out) == ([("c", "d")], 2, 1)
