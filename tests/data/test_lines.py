"""Lines: what ends one, what is dropped, what cannot be read."""

import gzip
import re
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.peak_memory import peak_of
from transformer.data import lines
from transformer.data.lines import LONGEST_LINE, Unreadable, read_lines, read_stream

characters = st.characters(exclude_categories=["Cs"], exclude_characters="\n\0")
LINES = st.lists(st.text(characters).filter(lambda line: not line.endswith("\r")))
NO_ENDS = "form\x0cfeed \x0b \x1c \x1d \x1e \x85 \u2028 \u2029 return\rthe end\nb"


def file(tmp_path, content, name="text.txt"):
    path = tmp_path / name
    path.write_bytes(content)
    return path


@given(LINES, st.sampled_from(["\n", "\r\n"]))
def test_what_is_written_is_read(tmp_path_factory, texts, end):
    content = "".join(text + end for text in texts).encode()
    expected = [texts[0].removeprefix("\ufeff"), *texts[1:]] if texts else []
    path = file(tmp_path_factory.mktemp("lines"), content)
    assert list(read_lines(path)) == list(read_stream(BytesIO(content), "")) == expected
    path.write_bytes(gzip.compress(content))
    assert list(read_lines(path)) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"\xef\xbb\xbf", []),
        (b"\xef\xbb\xbf\n", [""]),
        (b"\xef\xbb\xbfa\n\xef\xbb\xbfb", ["a", "\ufeffb"]),  # a mark stands at the beginning
        (b"a\r\nb\r\n\r\n", ["a", "b", ""]),
        (b"a\r", ["a\r"]),
        (NO_ENDS.encode(), NO_ENDS.split("\n")),
        (b"a\n\xe5\xa5\nc", ["a", Unreadable("not UTF-8", "byte 0xE5 at position 1"), "c"]),
        (b"\xef\xbb\xbfa\xff", [Unreadable("not UTF-8", "byte 0xFF at position 2")]),
        (b"a\nb\0\n", ["a", Unreadable("not text", "NUL byte at position 2")]),
    ],
)
def test_lines_by_hand(tmp_path, content, expected):
    assert list(read_lines(file(tmp_path, content))) == expected
    assert list(read_stream(BytesIO(content), "")) == expected


NUL = "line 1 has a NUL byte at position {}, as in UTF-16, UTF-32 or a file that is no text"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("甲\n".encode("utf-16"), "must be UTF-8: it is UTF-16 (save it as UTF-8)"),
        (b"\xfe\xff" + "甲\n".encode("utf-16-be"), "must be UTF-8: it is UTF-16"),
        ("甲\n".encode("utf-32"), "must be UTF-8: it is UTF-32"),
        ("a\n".encode("utf-16-le"), f"must be UTF-8: {NUL.format(2)} (save it as UTF-8)"),
        ("甲\n".encode("utf-16-be"), f"must be UTF-8: {NUL.format(3)}"),
        ("a\n".encode("utf-32-be"), f"must be UTF-8: {NUL.format(1)}"),
        (b"\0" * 3_000_000, f"must be UTF-8: {NUL.format(1)}"),
        (b"one\rtwo\r", "must have lines that end in LF or CRLF: they end in CR, as on a Mac"),
    ],
)
def test_another_encoding_or_other_line_ends_are_named(tmp_path, content, text):
    path = file(tmp_path, content)
    with pytest.raises(ValueError, match=f"^{re.escape(f'{path} {text}')}"):
        list(read_lines(path))
    with pytest.raises(ValueError, match=f"^{re.escape(f'standard input {text}')}"):
        list(read_stream(BytesIO(content), "standard input"))


def test_a_line_that_never_ends_is_refused(monkeypatch, no_shape_checks):
    class Endless:
        def readline(self, size):
            return b"x" * size

    monkeypatch.setattr(lines, "ENDLESS", 2**22)
    with pytest.raises(ValueError, match=r"^pipe: line 1 does not end within 4,194,304 bytes$"):
        list(read_stream(Endless(), "pipe"))


def test_a_damaged_gzip_file_is_named(tmp_path):
    whole = gzip.compress(b"".join(b"%d\n" % number for number in range(10_000)))
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 1
    for content in (whole[:-20], whole[: len(whole) // 2], bytes(flipped), whole[:2]):
        path = file(tmp_path, content, "text.gz")
        with pytest.raises(ValueError, match=re.escape(f"{path}: a damaged gzip file: ")):
            list(read_lines(path))


def test_a_line_without_an_end_does_not_fill_the_memory(tmp_path):
    path = tmp_path / "no_line_ends"
    with gzip.open(path, "wb", compresslevel=1) as out:
        for _ in range(20):
            out.write(b"x" * LONGEST_LINE)
        out.write(b"\nend")
    found, peak = peak_of(lambda: list(read_lines(path)))
    assert found == [Unreadable("too long", f"{LONGEST_LINE} bytes or more"), "end"]
    assert peak < 5 * LONGEST_LINE
