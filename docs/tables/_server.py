"""`python -m docs.tables._server`: the server of examples/ under load, with and without batches."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.report import as_json
from transformer import export_ctranslate2, generate_pairs, load_pretrained

ROOT = Path(__file__).parents[2]
RESULT = ROOT / "docs" / "measured" / "server.json"
CLIENTS = (1, 8, 64)
SECONDS, WARM_UP = 10, 1
PORT = 8765
BATCHES = "min(QUEUE.qsize(), 63)"  # in the server's source: how many more requests a call takes


@contextmanager
def running(script: Path, folder: Path) -> Iterator[None]:
    """Start the server, and stop it at the end."""
    command = [sys.executable, str(script), str(folder), str(PORT)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        while True:
            try:
                HTTPConnection("127.0.0.1", PORT).connect()
                break
            except OSError:
                time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait()


def waits(sentences: list[str], end: float) -> list[float]:
    """Ask for one sentence after another until the end; return the seconds of each."""
    found: list[float] = []
    connection = HTTPConnection("127.0.0.1", PORT)
    for sentence in sentences:
        start = time.perf_counter()
        if start > end:
            return found
        connection.request("POST", "/translate", json.dumps({"text": sentence}))
        with connection.getresponse() as response:
            assert "translation" in json.load(response)
        found.append(time.perf_counter() - start)
    raise ValueError("too few sentences for so quick a machine")


def load(clients: int, sentences: list[str], seconds: float) -> list[float]:
    """Let so many clients ask at the same time; return the seconds of each sentence."""
    end = time.perf_counter() + seconds
    with ThreadPoolExecutor(clients) as pool:
        shares = [sentences[number::clients] for number in range(clients)]
        return [wait for found in pool.map(waits, shares, [end] * clients) for wait in found]


def measure() -> list[dict[str, Any]]:
    """Return sentences a second and waits in milliseconds for each number of clients."""
    sentences = [pair.source for pair in islice(generate_pairs(0, "test"), 50_000)]
    code = (ROOT / "examples" / "server.py").read_text("utf-8")
    assert BATCHES in code
    rows = []
    with TemporaryDirectory() as folder:
        model, alone = Path(folder, "model"), Path(folder, "server.py")
        export_ctranslate2(*load_pretrained(), model)
        alone.write_text(code.replace(BATCHES, "0"), "utf-8")
        for batches, script in ((True, ROOT / "examples" / "server.py"), (False, alone)):
            with running(script, model):
                for clients in CLIENTS:
                    load(clients, sentences, WARM_UP)
                    found = load(clients, sentences, SECONDS)
                    rows.append(
                        {
                            "clients": clients,
                            "batches": batches,
                            "sentences_per_second": len(found) / SECONDS,
                            "median_ms": 1000 * median(found),
                            "slow_ms": 1000 * quantiles(found, n=20)[-1],  # 19 of 20 waited less
                        }
                    )
    return rows


if __name__ == "__main__":
    load_before = os.getloadavg()[0]
    record = as_json([], {"seconds": SECONDS})
    RESULT.write_text(json.dumps(record | {"load_before": load_before, "rows": measure()}), "utf-8")
