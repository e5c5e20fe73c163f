"""Lines at the door: what is read is what is translated, line for line, wherever it comes from."""

import contextlib
import gzip
import io
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transformer import load_translator
from transformer.cli import main

CAT, BIRDS = "the cat is sleeping .", "birds like tea ."
SLEEPS, TEA = "那隻貓正在睡覺。", "鳥都喜歡茶。"
TOO_LONG = "the cat " * 200

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\0"), max_size=6)
sentences = st.lists(
    texts.filter(lambda text: not text.startswith(("-", "\ufeff"))) | st.just(CAT),
    min_size=1,
    max_size=3,
)


@settings(max_examples=5)
@given(sentences)
def test_a_file_standard_input_and_arguments_are_alike(tmp_path_factory, small, lines):
    loaded = load_translator(small)

    def run(arguments, stdin=b""):
        out = io.StringIO()
        with (
            pytest.raises(SystemExit) as exit,
            patch("transformer.cli.translate.load", return_value=loaded),
            patch("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin))),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            main(["translate", *arguments])
        return exit.value.code, out.getvalue()

    content = "".join(line + "\n" for line in lines).encode()
    path = tmp_path_factory.mktemp("lines") / "sentences.txt"
    path.write_bytes(content)
    alike = [run(["--file", str(path)]), run([], content), run(["--", *lines])]
    assert alike[0] == alike[1] == alike[2]
    code, out = alike[0]
    assert code == 0
    assert out.count("\n") == len(lines)


@pytest.mark.parametrize(
    ("content", "out"),
    [
        (f"{CAT}\r\n{BIRDS}\r\n".encode(), [SLEEPS, TEA]),
        (f"{CAT}\n{BIRDS}".encode(), [SLEEPS, TEA]),
        (b"\xef\xbb\xbf" + CAT.encode(), [SLEEPS]),
        ("the cat\u2028is sleeping .\nthe cat\x0cis\x85sleeping .\n".encode(), [SLEEPS, SLEEPS]),
        (f"\n{CAT}\n\n".encode(), ["", SLEEPS, ""]),
        (b"", []),
        (gzip.compress(f"{CAT}\n{BIRDS}\n".encode(), mtime=0), [SLEEPS, TEA]),
    ],
)
def test_lines_in_are_lines_out(run, stdin, tmp_path, content, out):
    path = tmp_path / "sentences"
    path.write_bytes(content)
    expected = (0, "".join(line + "\n" for line in out), "")
    assert run("translate", "--file", path) == expected
    if not content.startswith(b"\x1f\x8b"):
        stdin(content)
        assert run("translate") == expected


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (b"the cat \xff is", "not UTF-8 (byte 0xFF at position 9)"),
        (TOO_LONG.encode(), "too long (402 tokens with the end token, the model's max_len is 256)"),
        (b"x" * 2**21, "too long (1048576 bytes or more)"),
    ],
)
def test_a_bad_line_is_named_and_the_others_are_translated(run, stdin, tmp_path, bad, said):
    path = tmp_path / "bad.txt"
    path.write_bytes(b"\n".join([CAT.encode()] * 2 + [bad, BIRDS.encode()]))
    out = f"{SLEEPS}\n{SLEEPS}\n\n{TEA}\n"
    many = "not translated: 1; the output has an empty line for each\n"
    expected = 1, out, f"{path}, line 3: {said}\n{many}"
    assert run("translate", "--file", path, "--batch-size", 2) == expected
    stdin(path.read_bytes())
    assert run("translate") == (1, out, f"standard input, line 3: {said}\n{many}")


def test_a_bad_argument_is_named(run):
    code, out, err = run("translate", CAT, "caf\udce9", TOO_LONG, BIRDS)
    assert (code, out) == (1, f"{SLEEPS}\n\n\n{TEA}\n")
    assert "sentence 2: no text (text must be characters" in err
    assert "sentence 3: too long (402 tokens" in err
    assert "not translated: 2" in err


@pytest.mark.parametrize("command", ["translate --file", "evaluate --pairs"])
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("the cat".encode("utf-16"), "must be UTF-8: it is UTF-16"),
        (gzip.compress(b"the cat " * 1000, mtime=0)[:-9], "a damaged gzip file"),
    ],
)
def test_a_file_that_is_no_text_is_named(run, tmp_path, command, content, said):
    path = tmp_path / "file"
    path.write_bytes(content)
    code, out, err = run(*command.split(), path)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {path}")
    assert said in err
