"""Lines: what ends one, what is dropped, what cannot be read."""

import gzip
import re
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.peak_memory import peak_of
from transformer.data.lines import LONGEST_LINE, Unreadable, read_lines, read_stream

characters = st.characters(exclude_categories=["Cs"], exclude_characters="\n")
LINES = st.lists(st.text(characters).filter(lambda line: not line.endswith("\r")))
NO_ENDS = "form\x0cfeed \x0b \x1c \x1d \x1e \x85 \u2028 \u2029 return\rthe end"


def file(tmp_path, content, name="text.txt"):
    path = tmp_path / name
    path.write_bytes(content)
    return path


@given(LINES, st.sampled_from(["\n", "\r\n"]))
def test_what_is_written_is_read(tmp_path_factory, lines, end):
    content = "".join(line + end for line in lines).encode()
    expected = [lines[0].removeprefix("\ufeff"), *lines[1:]] if lines else []
    path = file(tmp_path_factory.mktemp("lines"), content)
    assert list(read_lines(path)) == list(read_stream(BytesIO(content), "")) == expected
    path.write_bytes(gzip.compress(content))
    assert list(read_lines(path)) == expected


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"\xef\xbb\xbf", []),
        (b"\xef\xbb\xbf\n", [""]),
        (b"\xef\xbb\xbfa\n\xef\xbb\xbfb", ["a", "\ufeffb"]),  # a mark stands at the beginning
        (b"a\r\nb\r\n\r\n", ["a", "b", ""]),
        (b"a\r", ["a\r"]),
        (NO_ENDS.encode(), [NO_ENDS]),
        (b"a\n\xe5\xa5\nc", ["a", Unreadable("not UTF-8", "byte 0xE5 at position 1"), "c"]),
        (b"\xef\xbb\xbfa\xff", [Unreadable("not UTF-8", "byte 0xFF at position 2")]),
    ],
)
def test_lines_by_hand(tmp_path, content, lines):
    assert list(read_lines(file(tmp_path, content))) == lines
    assert list(read_stream(BytesIO(content), "")) == lines


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_utf_16_is_named(tmp_path, encoding):
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    path = file(tmp_path, mark + "a\n".encode(encoding))
    with pytest.raises(ValueError, match=re.escape(f"{path} must be UTF-8: it is UTF-16")):
        list(read_lines(path))
    with pytest.raises(ValueError, match="standard input must be UTF-8: it is UTF-16"):
        list(read_stream(BytesIO(path.read_bytes()), "standard input"))


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
    lines, peak = peak_of(lambda: list(read_lines(path)))
    assert lines == [Unreadable("too long", f"{LONGEST_LINE} bytes or more"), "end"]
    assert peak < 5 * LONGEST_LINE
