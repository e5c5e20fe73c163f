"""Serve an exported model, without PyTorch: `python examples/server.py FOLDER [PORT]`."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import chain, islice
from pathlib import Path
from unicodedata import east_asian_width

import uvicorn
from ctranslate2 import Translator
from sentencex import segment
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse
from starlette.routing import Route
from tokenizers import Tokenizer

BYTES, SENTENCES, WAITING = 20_000, 200, 500  # most of a request, and most requests that wait
SECONDS = 30  # for a text to come, and again to be translated
DECODING = {"beam_size": 1, "max_batch_size": 32}  # sorted by length, then cut into batches
FOLDER, PORT = Path(sys.argv[1]), int((sys.argv[2:] or ["8000"])[0])
SOURCE, TARGET = (Tokenizer.from_file(f"{FOLDER}/{s}_tokenizer.json") for s in ("source", "target"))
SOURCE.encode_special_tokens = True  # "<eos>" in a text is five characters
ENGINE = Translator(str(FOLDER))
MAX_LEN = json.loads((FOLDER / "config.json").read_bytes())["max_len"]
Waiting = tuple[list[list[str]], asyncio.Future[list[str]]]  # sentences as tokens, and the result
QUEUE: asyncio.Queue[Waiting] = asyncio.Queue(WAITING)


def decode(requests: list[Waiting]) -> list[tuple[asyncio.Future[list[str]], list[str]]]:
    sources = [*chain(*(sentences for sentences, _ in requests))]
    found = ENGINE.translate_batch(sources, max_decoding_length=MAX_LEN, **DECODING)
    texts = (TARGET.decode([TARGET.token_to_id(t) or 0 for t in r.hypotheses[0]]) for r in found)
    return [(future, [*islice(texts, len(sentences))]) for sentences, future in requests]


async def work() -> None:
    """Give the engine all requests that came while it was busy, in one call."""
    while requests := [await QUEUE.get()]:
        requests += [QUEUE.get_nowait() for _ in range(min(QUEUE.qsize(), 63))]
        requests = [one for one in requests if not one[1].done()]  # the others' time is up
        try:
            for future, texts in await asyncio.to_thread(decode, requests):
                if not future.done():
                    future.set_result(texts)
        except Exception as error:  # too little memory, say: the others go on
            for _, future in requests:
                if not future.done():
                    future.set_exception(error)


async def translate(request: Request) -> JSONResponse:
    body, future = b"", asyncio.get_running_loop().create_future()
    try:
        async with asyncio.timeout(SECONDS) as clock:
            async for chunk in request.stream():
                body += chunk
                if len(body) > BYTES:
                    raise HTTPException(413, f"A text may have {BYTES} bytes.")
        lines = [segment("en", line) for line in json.loads(body)["text"].splitlines()]
        tokens = [[SOURCE.encode(s).tokens for s in line if s.strip()] for line in lines]
        sentences = [*chain(*tokens)]
        if len(sentences) > SENTENCES or max(map(len, sentences), default=0) >= MAX_LEN:
            raise HTTPException(413, f"At most {SENTENCES} sentences, {MAX_LEN - 1} tokens each.")
        QUEUE.put_nowait((sentences, future))
        texts = iter(await asyncio.wait_for(future, SECONDS))
    except (TimeoutError, asyncio.QueueFull):
        raise HTTPException(408 if clock.expired() else 503, "It took too long.") from None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise HTTPException(400, 'Send JSON in UTF-8: {"text": "…"}') from None
    joined = ("".join(map(spaced, islice(texts, len(line)))).strip() for line in tokens)
    return JSONResponse({"translation": "\n".join(joined)})


def spaced(text: str) -> str:
    return text if text and east_asian_width(text[-1]) in "WF" else f"{text} "


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    worker = asyncio.create_task(work())
    yield
    worker.cancel()  # uvicorn has answered all requests before


routes = [
    Route("/", lambda _: FileResponse(Path(__file__).with_name("server.html"))),
    Route("/health", lambda _: JSONResponse({"waiting": QUEUE.qsize()})),
    Route("/translate", translate, methods=["POST"]),  # {"text": …} for {"translation": …}
]
uvicorn.run(Starlette(routes=routes, lifespan=lifespan), port=PORT, limit_concurrency=1000)
