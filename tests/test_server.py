"""`examples/server.py` with real clients: right answers under load, and what is refused."""

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path

import ctranslate2
import pytest
import tokenizers

from transformer import export_ctranslate2, generate_pairs

pytestmark = pytest.mark.process
SERVER = Path(__file__).parents[1] / "examples" / "server.py"
CLIENTS = 64


@contextmanager
def running(script: Path, folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Start the server; yield its process and port, once it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, str(script), str(folder), str(port)], stderr=subprocess.PIPE, text=True
    )
    try:
        while process.poll() is None:
            try:
                assert receive(send(port, "/health"))[0] == 200
                break
            except OSError:
                time.sleep(0.05)
        assert process.poll() is None, process.stderr.read()
        yield process, port
    finally:
        process.kill()
        process.communicate()


def send(port: int, path: str, body: bytes | None = None) -> HTTPConnection:
    """Send a request; its answer is still to be read."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET" if body is None else "POST", path, body)
    return connection


def receive(connection: HTTPConnection) -> tuple[int, str]:
    """Return the status and the body of the answer."""
    with closing(connection), connection.getresponse() as response:
        return response.status, response.read().decode()


def text(*lines: str) -> bytes:
    return json.dumps({"text": "\n".join(lines)}).encode()


def single_sentences(count: int) -> list[str]:
    sources = (pair.source.capitalize() for pair in generate_pairs(5, "test"))
    return list(islice((s for s in sources if sum(map(s.count, ".?!")) == 1), count))


def answered(translation: str) -> tuple[int, str]:
    return 200, json.dumps({"translation": translation}, ensure_ascii=False, separators=(",", ":"))


@pytest.fixture(scope="module")
def folder(shipped, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("served") / "model"
    export_ctranslate2(*shipped, path)
    return path


@pytest.fixture(scope="module")
def port(folder) -> Iterator[int]:
    with running(SERVER, folder) as (_, port):
        yield port


@pytest.fixture(scope="module")
def alone(folder) -> Callable[[str], str]:
    """The engine's translation of a sentence by itself."""
    source, target = (
        tokenizers.Tokenizer.from_file(str(folder / f"{side}_tokenizer.json"))
        for side in ("source", "target")
    )
    engine = ctranslate2.Translator(str(folder))

    def translate(sentence: str) -> str:
        [found] = engine.translate_batch([source.encode(sentence).tokens], beam_size=1)
        return target.decode(list(map(target.token_to_id, found.hypotheses[0])))

    return translate


def test_clients_at_the_same_time_get_their_own_answers(port, alone):
    sentences = single_sentences(3 * CLIENTS)

    def client(number: int) -> list[tuple[int, str]]:
        first, *others = sentences[3 * number : 3 * number + 3]
        bodies = text(first), text("", " ".join(others), "")
        return [receive(send(port, "/translate", body)) for body in bodies]

    with ThreadPoolExecutor(CLIENTS) as pool:
        found = list(pool.map(client, range(CLIENTS)))
    expected = list(map(alone, sentences))
    for number, answers in enumerate(found):
        first, *others = expected[3 * number : 3 * number + 3]
        assert answers == [answered(first), answered("\n" + "".join(others))]


def test_a_stop_loses_nothing(folder, alone):
    sentences = single_sentences(10)
    expected = "\n".join(map(alone, sentences))
    with running(SERVER, folder) as (process, port):
        requests = [send(port, "/translate", text(*sentences)) for _ in range(CLIENTS)]
        receive(send(port, "/health"))  # then the server has read what was sent before
        process.send_signal(signal.SIGTERM)
        assert list(map(receive, requests)) == [answered(expected)] * CLIENTS
        process.wait(timeout=60)
        with pytest.raises(OSError, match="refused"):
            send(port, "/health")


HOSTILE = {
    "no JSON": (b"The cat", 400),
    "nothing": (b"", 400),
    "not UTF-8": (b'{"text": "\xff"}', 400),
    "half a character": (rb'{"text": "\ud83d"}', 400),
    "a number": (b'{"text": 1e999}', 400),
    "a list": (b'["text"]', 400),
    "another key": (b'{"txt": ""}', 400),
    "nested": (b"[" * 19_999, 400),
    "large": (text("x" * 20_000), 413),
    "many sentences": (text(*["Yes."] * 201), 413),
    "a long sentence": (text("the cat " * 200), 413),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_text_is_refused(port, name):
    body, status = HOSTILE[name]
    found, message = receive(send(port, "/translate", body))
    assert (found, message.count("\n")) == (status, 0)
    assert receive(send(port, "/translate", text("birds like tea ."))) == answered("鳥都喜歡茶。")


def test_a_slow_body_is_refused(folder, tmp_path):
    code = SERVER.read_text("utf-8")
    assert code.count("SECONDS = 30") == 1
    (tmp_path / "server.py").write_text(code.replace("SECONDS = 30", "SECONDS = 0.5"), "utf-8")
    with running(tmp_path / "server.py", folder) as (_, port):
        with socket.create_connection(("127.0.0.1", port), timeout=60) as slow:
            slow.sendall(b"POST /translate HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{")
            assert slow.recv(99).startswith(b"HTTP/1.1 408 ")
        assert receive(send(port, "/health"))[0] == 200


ENGINE = """import time


class Engine:
    calls = 0

    def translate_batch(self, sources, **options):
        self.calls += 1
        {}
        return Translator(str(FOLDER)).translate_batch(sources, **options)


ENGINE = Engine()
"""


def with_engine(path: Path, statement: str) -> Path:
    """Write a copy of the server whose engine does something else first."""
    code, line = SERVER.read_text("utf-8"), "ENGINE = Translator(str(FOLDER))\n"
    assert code.count(line) == 1
    path.write_text(code.replace(line, ENGINE.format(statement)), "utf-8")
    return path


def test_an_error_of_the_engine_ends_one_call_and_not_the_server(folder, tmp_path):
    script = with_engine(tmp_path / "server.py", "assert self.calls > 1")
    with running(script, folder) as (_, port):
        assert receive(send(port, "/translate", text("birds like tea .")))[0] == 500
        again = receive(send(port, "/translate", text("birds like tea .")))
        assert again == answered("鳥都喜歡茶。")


def test_a_full_queue_refuses_and_then_goes_on(folder, tmp_path):
    taken, gate = tmp_path / "taken", tmp_path / "gate"
    wait = f"while not Path({str(gate)!r}).exists(): time.sleep(0.01)"
    statement = f"Path({str(taken)!r}).touch()\n        {wait}"
    script = with_engine(tmp_path / "server.py", statement)
    code = script.read_text("utf-8")
    assert code.count("= 20_000, 200, 500") == 1
    script.write_text(code.replace("= 20_000, 200, 500", "= 20_000, 200, 2"), "utf-8")
    with running(script, folder) as (_, port):

        def waiting() -> int:
            return json.loads(receive(send(port, "/health"))[1])["waiting"]

        requests = [send(port, "/translate", text("birds like tea ."))]
        while not taken.exists():
            time.sleep(0.01)
        for number in (1, 2):
            requests.append(send(port, "/translate", text("birds like tea .")))
            while waiting() < number:
                time.sleep(0.01)
        assert receive(send(port, "/translate", text("birds like tea .")))[0] == 503
        gate.touch()
        assert list(map(receive, requests)) == [answered("鳥都喜歡茶。")] * 3


def test_the_page_loads_nothing_from_elsewhere(port):
    status, page = receive(send(port, "/"))
    assert status == 200
    assert '<html lang="en">' in page
    assert "//" not in page
    assert receive(send(port, "/translate"))[0] == 405


def test_the_server_is_short_and_its_loop_is_on_the_page():
    code = SERVER.read_text("utf-8")
    assert len(list(filter(None, code.splitlines()))) <= 80
    page = (SERVER.parents[1] / "docs" / "en" / "practice" / "serving.md").read_text("utf-8")
    loop = page.partition("async def work")[2].partition("```")[0]
    assert loop in code
    assert "await" in loop
