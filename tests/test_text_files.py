"""Lines: what ends one, what is dropped, what cannot be read."""

import gzip
import re
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.peak_memory import peak_of
from transformer.text_files import LONGEST_LINE, Unreadable, read_lines, read_stream

characters = st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\0")
LINES = st.lists(st.text(characters))
NO_ENDS = "form\x0cfeed \x0b \x1c \x1d \x1e \x85 \u2028 \u2029 the end"


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
        (b"a\r", ["a"]),
        (b"a\nb\r\r\n", ["a", "b"]),
        (
            b"a\nb\rc\nd",
            ["a", Unreadable("wrong end", "a CR alone at position 2, not LF or CRLF"), "d"],
        ),
        (b"\0\na\0b", [Unreadable("not text", f"byte 0x00 at position {n}") for n in (1, 2)]),
        (NO_ENDS.encode(), [NO_ENDS]),
        (b"a\n\xe5\xa5\nc", ["a", Unreadable("not UTF-8", "byte 0xE5 at position 1"), "c"]),
        (b"\xef\xbb\xbfa\xff", [Unreadable("not UTF-8", "byte 0xFF at position 2")]),
    ],
)
def test_lines_by_hand(tmp_path, content, lines):
    assert list(read_lines(file(tmp_path, content))) == lines
    assert list(read_stream(BytesIO(content), "")) == lines


ENGLISH, CHINESE, BOTH = "the cat sleeps .\nthe", "貓在睡覺。貓\n", "the cat sleeps\t貓\n"
UTF_16, UTF_32 = "must be UTF-8: it is UTF-16", "must be UTF-8: it is UTF-32"


@pytest.mark.parametrize("text", [ENGLISH, BOTH, "a\r\n", "a b\n"])
@pytest.mark.parametrize(
    ("encoding", "mark", "problem"),
    [
        *((f"utf-16-{end}", mark, UTF_16) for end in ("le", "be") for mark in ("", "\ufeff")),
        *((f"utf-32-{end}", mark, UTF_32) for end in ("le", "be") for mark in ("", "\ufeff")),
    ],
)
def test_other_encodings_are_named_at_the_first_line(tmp_path, encoding, mark, problem, text):
    path = file(tmp_path, (mark + text).encode(encoding))
    with pytest.raises(ValueError, match=re.escape(f"{path} {problem} (save it as UTF-8)")):
        list(read_lines(path))
    with pytest.raises(ValueError, match=f"standard input {problem}"):
        list(read_stream(BytesIO(path.read_bytes()), "standard input"))


@pytest.mark.parametrize("text", [b"one\rtwo\rthree", b"one\rtwo\r", b"one\rtwo\nthree\n"])
def test_line_ends_of_old_macs_are_named(text):
    with pytest.raises(ValueError, match=r"^it must have lines that end in LF or CRLF: a CR alone"):
        list(read_stream(BytesIO(text), "it"))


@pytest.mark.parametrize(
    "content",
    [
        *(CHINESE.encode(code) for code in ("big5", "gb18030", "utf-16-le", "utf-16-be")),
        "café\n".encode("latin-1"),
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"\xff\xd8\xff\xe0\0\x10JFIF\0",
        b"PK\x03\x04\x14\0\0\0\x08\0",
        b"\x7fELF\x02\x01\x01\0\0\0\0\n",
    ],
)
def test_what_is_no_utf_8_is_named_by_its_first_such_byte(content):
    first, *_ = read_stream(BytesIO(content), "")
    assert isinstance(first, Unreadable)
    assert re.fullmatch(r"byte 0x[0-9A-F]{2} at position \d+", first.detail)


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


@pytest.mark.parametrize("byte", [b"x", b"\0"])
def test_a_line_that_never_ends_is_refused(byte):
    class Endless(BytesIO):
        def readline(self, size=-1):
            return byte * size

    lines = read_stream(Endless(), "it")
    assert next(lines) == Unreadable("too long", f"{LONGEST_LINE} bytes or more")
    with pytest.raises(ValueError, match=r"^it, line 1: no end of the line within 67108864 bytes"):
        next(lines)
