"""The model of the playground, in JavaScript, beside the package: the same numbers everywhere."""

from base64 import b64decode
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice, product
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode

import pytest
import torch
from playwright.sync_api import Page
from torch import Tensor

from tests.interventions import CHANGES, PADDING, changed, written_anew
from transformer import (
    Tokenizer,
    Transformer,
    beam_search,
    generate_pairs,
    greedy_decode,
    load_hand_made,
)
from transformer.inference.translation import decode_by_length

# Whether PyTorch's side has the shapes that it should is asked elsewhere.
pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("no_shape_checks")]

MODULES = ["decoding", "hand_made", "interventions", "model", "model_file", "state", "tokenizer"]
# What runs in the page: BODY, with all that the modules export and the shipped model's file.
IN_PAGE = """async given => {
  const js = {}
  for (const name of MODULES)
    Object.assign(js, await import(`/book/assets/scripts/playground/${name}.js`))
  const file = async name => await fetch(`/book/assets/models/${name}`)
  const shipped = await (await file("pretrained.safetensors")).arrayBuffer()
  const packed = ({ rows, columns, data }) => {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    return [rows, columns, btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""))]
  }
  BODY
}"""

Run = Callable[[str, Any], Any]


@cache
def drawn(split: str, count: int) -> list[str]:
    """The first sources of a split; not before a test asks for them."""
    return [pair.source for pair in islice(generate_pairs(seed=7, split=split), count)]


@pytest.fixture
def run(page: Page) -> Run:
    page.goto("404.html")
    return lambda body, given: page.evaluate(
        IN_PAGE.replace("BODY", body).replace("MODULES", str(MODULES)), given
    )


def unpacked(matrix: tuple[int, int, str]) -> Tensor:
    rows, columns, data = matrix
    return torch.frombuffer(bytearray(b64decode(data)), dtype=torch.float32).view(rows, columns)


def tgt_of(model: Transformer, src: list[int]) -> list[int]:
    return [model.config.bos_id, *greedy_decode(model, torch.tensor([src]))[0]]


def test_texts_have_the_ids_of_the_package(
    run: Run, shipped: tuple[Transformer, Tokenizer]
) -> None:
    _, tokenizer = shipped
    odd = [
        "The farmer's cat didn't eat, it’s OLD!",
        "I'm here; won't you come?  3.14 naïve café\u0301 貓a 狗",
        "don't can't she'll they're James's the\u3000cat\u00a0sat\u0085now 🐈 <eos> ...",
        "É!É? ''s 's x's _'s ½'s\ufeffa \u200b İSTANBUL ΣΑΣ",
        "well-known (cat); 3條￭■ the cat's",
        "",
        "?",
    ]
    texts = [*drawn("test", 50), *odd]
    made = run(
        """const [, tokenizer] = js.loadModel(shipped)
        return given.map(text => {
          const ids = tokenizer.encode_source(text)
          const plain = tokenizer.encode(text)
          return [ids, tokenizer.pieces(ids), tokenizer.decode(ids), plain, tokenizer.decode(plain)]
        })""",
        texts,
    )
    for text, [ids, pieces, decoded, plain, again] in zip(texts, made, strict=True):
        assert (plain, again) == (tokenizer.encode(text), tokenizer.decode(plain)), text
        assert ids == tokenizer.encode_source(text), text
        assert pieces == tokenizer.pieces(ids), text
        assert decoded == tokenizer.decode(ids), text


def check_logits(model: Transformer, src: list[int], tgt: list[int], found: Any) -> None:
    with torch.no_grad():
        expected = model(torch.tensor([src]), torch.tensor([tgt]))[0]
    torch.testing.assert_close(unpacked(found), expected, atol=1e-3, rtol=0)


def test_translations_and_logits_are_those_of_the_package(
    run: Run, shipped: tuple[Transformer, Tokenizer]
) -> None:
    model, tokenizer = shipped
    texts = [*drawn("longer", 5), *drawn("test", 345)]
    sources = dict(enumerate(map(tokenizer.encode_source, texts)))
    written = decode_by_length(model, sources, 64, greedy_decode)
    pairs = [(src, [model.config.bos_id, *written[row]]) for row, src in sources.items()]
    made = run(
        """const [model] = js.loadModel(shipped)
        return given.map(([src, tgt], i) =>
          i < 50 ? packed(model.forward(src, tgt)) : js.greedy_decode(model, src))""",
        pairs,
    )
    for (src, tgt), logits in zip(pairs[:50], made):
        check_logits(model, src, tgt, logits)
    assert made[50:] == [tgt[1:] for _, tgt in pairs[50:]]


def test_beams_are_those_of_the_package(run: Run, shipped: tuple[Transformer, Tokenizer]) -> None:
    """At a limit of tokens too, where beams are cut; the search ends when the best is certain."""
    model, tokenizer = shipped
    sources = list(map(tokenizer.encode_source, [*drawn("test", 30), *drawn("longer", 5)]))
    searches = [(src, len(src) + more) for src in sources for more in (0, 2, 50)]
    made = run(
        """const [model] = js.loadModel(shipped)
        return given.map(([src, limit]) => {
          model.config.max_len = limit + 1
          const steps = [...js.beam_search(model, src, 4)]
          return {
            open: steps.slice(0, -1).map(step => step.open.length),
            finished: steps.at(-1).finished.map(
              ({ ids, score, log_probability }) => [ids.slice(1), score, log_probability])
          }
        })""",
        searches,
    )
    cut = 0
    for (src, limit), search in zip(searches, made, strict=True):
        reached = len(search["open"]) == limit - 1
        num_best = 4 if reached else 1
        batch = torch.tensor([src])
        [best] = beam_search(model, batch, max_new_tokens=limit, num_best=num_best)
        ended = [[*h.ids, *[model.config.eos_id] * h.finished] for h in best]
        found = search["finished"][:num_best]
        assert [ids for ids, _, _ in found] == ended
        for what, (_, *numbers) in zip(best, found, strict=True):
            assert numbers == pytest.approx([what.score, what.log_probability], abs=1e-3)
        flags = [h.finished for h in best]
        cut += reached and flags != sorted(h.finished for h in sorted(best, key=lambda h: -h.score))
    assert cut


def sentences() -> Iterator[str]:
    """All that the hand-made model knows, as formulas.js counts them."""
    nouns = ["cats", "dogs", "you"]
    for subject, verb, object_ in product(nouns, ["beat", "upset"], nouns):
        plain = f"{subject} {verb} {object_}"
        yield plain
        for time in ("today", "yesterday"):
            yield from (f"{time} {plain}", f"{plain} {time}")


NINETY = list(sentences())


def test_the_open_beams_are_the_best_of_all_extensions(run: Run) -> None:
    """Of the hand-made model: among its few tokens the end is often one of the best."""
    wrong = run(
        """const text = await (await file("hand_made.txt")).text()
        const [model, tokenizer] = js.loadHandMade(text)
        const { eos_id } = model.config
        const best = (src, beams) => {
          const memory = model.encode(src)
          const all = beams.flatMap(({ ids, log_probability }) =>
            [...js.next_log_probs(model, ids, memory, model.src_mask(src))].map(
              (p, token) => ({ ids: [...ids, token], p: log_probability + p })))
          const open = all.filter(({ ids }) => ids.at(-1) !== eos_id).sort((a, b) => b.p - a.p)
          return open.slice(0, 4).map(({ p }) => p)
        }
        return given.filter(text => {
          const src = tokenizer.encode_source(text)
          let beams = [{ ids: [1], log_probability: 0 }]
          return [...js.beam_search(model, src, 4)].slice(0, -1).some(({ open }) => {
            const expected = best(src, beams)
            beams = open
            return open.length < 4 || open.some(
              (beam, i) => Math.abs(beam.log_probability - expected[i]) > 1e-3)
          })
        })""",
        NINETY,
    )
    assert not wrong


def test_the_hand_made_model_is_the_package_s(run: Run) -> None:
    model, tokenizer = load_hand_made()
    odd = ["Cats beat dogs?", "dogs upset you !", " you  beat you ...", "Today cats beat you.?! "]
    texts = [*NINETY, *odd]
    made = run(
        """const text = await (await file("hand_made.txt")).text()
        const [model, tokenizer] = js.loadHandMade(text)
        return given.map(text => {
          const src = tokenizer.encode_source(text)
          const ids = js.greedy_decode(model, src)
          return [src, ids, tokenizer.decode(ids), packed(model.forward(src, [1, ...ids]))]
        })""",
        texts,
    )
    for text, [src, ids, written, logits] in zip(texts, made, strict=True):
        assert src == tokenizer.encode_source(text)
        assert ids == greedy_decode(model, torch.tensor([src]))[0]
        assert written == tokenizer.decode(ids)
        check_logits(model, src, [1, *ids], logits)


@pytest.fixture(scope="module")
def pairs(shipped: tuple[Transformer, Tokenizer]) -> list[tuple[list[int], list[int]]]:
    """Sources, and what the model writes for them."""
    model, tokenizer = shipped
    sources = map(tokenizer.encode_source, ["the cat ate two fish yesterday .", *drawn("test", 9)])
    return [(src, tgt_of(model, src)) for src in sources]


@pytest.mark.parametrize("what", CHANGES)
def test_an_intervention_is_the_same_change_in_pytorch(
    run: Run,
    shipped: tuple[Transformer, Tokenizer],
    pairs: list[tuple[list[int], list[int]]],
    what: str,
) -> None:
    model, _ = shipped
    if what == "without_padding_mask":
        pairs = [(src + [0] * PADDING, tgt) for src, tgt in pairs]
    made = run(
        """const [model] = js.loadModel(shipped)
        const [address, pairs] = given
        const state = js.readState(address)
        js.INTERVENTIONS[js.activeIntervention(state)].apply(model, state)
        return pairs.map(
          ([src, tgt]) => [js.greedy_decode(model, src), packed(model.forward(src, tgt))])""",
        [urlencode(CHANGES[what]), pairs],
    )
    differs = False
    for (src, tgt), [ids, logits] in zip(pairs, made, strict=True):
        batch = torch.tensor([src])
        with changed(model, what), torch.no_grad():
            expected = model(batch, torch.tensor([tgt]))[0]
            most = sum(i != 0 for i in src) + 50
            if what == "without_causal_mask":
                assert ids == written_anew(model, batch, most)
            else:
                assert ids == greedy_decode(model, batch, max_new_tokens=most)[0]
        torch.testing.assert_close(unpacked(logits), expected, atol=1e-3, rtol=0)
        with torch.no_grad():
            differs |= not torch.allclose(model(batch, torch.tensor([tgt]))[0], expected, atol=0.1)
    assert differs


LENGTH = 8  # The cat ate two fish yesterday . (end)


EVERY_FIELD = (
    "s=a&model=hand-made&how=beam&temperature=1.5&seed=7&step=7&map=encoder&layer=1&head=4"
    "&word=7&view=matrix&hide=2,3&mute=bridge.2.1&without=positions"
)
ADDRESSES = {  # and what is left of each
    "model=gpt&how=x&map=up&view=x&without=all": "",
    "layer=9&head=77&word=99": "head=4&word=8",  # the second layer is there at first
    "layer=1&head=3&word=8": "layer=1&head=3&word=8",
    "layer=1.5&head=2.5&word=-1&step=1e99": "",
    "hide=99": "",
    "hide=8": "",  # the end
    "hide=1,1": "hide=1",
    "hide=7,x,,1.5,-1,99,2&head=2": "head=2&hide=2,7",
    "mute=up.9.9&hide=2": "hide=2",
    "mute=bridge.9.1": "",
    "mute=bridge.1.9": "",
    "mute=bridge": "",
    "mute=bridge.2.4": "mute=bridge.2.4",
    "mute=encoder.1.1&map=encoder": "map=encoder&mute=encoder.1.1",
    "temperature=1e9&seed=NaN": "",
    "temperature=0.01&seed=1e400": "",
    "temperature=1.25&seed=2.5": "",
    "temperature=0.1&seed=12": "temperature=0.1&seed=12",
    "temperature=2&seed=0": "temperature=2",
    f"s={'a' * 200}": f"s={'a' * 200}",
    f"s={'a' * 1120}&step=4": f"s={'a' * 1120}&step=4",  # the page says that it is too long
    "constructor=1&__proto__=2&toString=3": "",
    "%==": "",
    EVERY_FIELD: EVERY_FIELD,
}


def test_an_address_keeps_what_makes_sense(run: Run) -> None:
    found = run(
        """const [model] = js.loadModel(shipped)
        const [addresses, length] = given
        const left = hash => js.addressOf(js.fitting(js.readState(hash), model, length))
        return addresses.map(address => left(`#${address}`))""",
        [list(ADDRESSES), LENGTH],
    )
    assert run("return Object.keys(js.readState(''))", None) == [*dict(parse_qsl(EVERY_FIELD))]
    assert dict(zip(ADDRESSES, map(unquote, found), strict=True)) == {
        address: f"#{left}" for address, left in ADDRESSES.items()
    }
