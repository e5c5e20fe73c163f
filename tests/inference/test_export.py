"""A model in CTranslate2 writes the tokens that it writes here."""

import json
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path

import ctranslate2
import pytest
import tokenizers
import torch
from torch.nn.utils.rnn import pad_sequence

from transformer import (
    Tokenizer,
    Transformer,
    TransformerConfig,
    beam_search,
    export_ctranslate2,
    generate_pairs,
    greedy_decode,
    load_hand_made,
)

SENTENCES = [pair.source for pair in islice(generate_pairs(seed=12, split="test"), 300)]
SIZE = 270
SMALL = {"d_model": 16, "num_heads": 2, "d_ff": 32, "num_encoder_layers": 2, "max_len": 40}


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.train(["the cat sleeps .", "貓在睡覺。"] * 2, vocab_size=SIZE)


def served(folder: Path, tokenizer: Tokenizer, sources: list[list[int]], **options) -> list:
    """What CTranslate2 writes, as ids."""
    vocabulary = tokenizer.vocabulary
    assert {ids[-1] for ids in sources} == {tokenizer.eos_id}  # which the engine adds itself
    engine = ctranslate2.Translator(str(folder), compute_type="default")
    tokens = [[vocabulary[i] for i in ids[:-1]] for ids in sources]
    found = engine.translate_batch(tokens, **options)
    ids = {token: i for i, token in enumerate(vocabulary)}
    return [[ids[token] for token in one.hypotheses[0]] for one in found]


@pytest.mark.parametrize("beams", [1, 4])
def test_the_shipped_model_writes_the_same_tokens(shipped, tmp_path, beams):
    model, tokenizer = shipped
    export_ctranslate2(model, tokenizer, tmp_path / "float32")
    sources = [tokenizer.encode_source(sentence) for sentence in SENTENCES]
    src = pad_sequence([torch.tensor(ids) for ids in sources], batch_first=True)
    found = [list(best.ids) for [best] in beam_search(model, src, beam_size=beams)]
    options = {"beam_size": beams, "length_penalty": 0.6}
    assert served(tmp_path / "float32", tokenizer, sources, **options) == found

    export_ctranslate2(model, tokenizer, tmp_path / "int8", precision="int8")
    rounded = served(tmp_path / "int8", tokenizer, sources, **options)
    same = sum(a == b for a, b in zip(rounded, found, strict=True))
    assert same >= 0.95 * len(found)
    sizes = [(tmp_path / name / "model.bin").stat().st_size for name in ("int8", "float32")]
    assert sizes[0] < 0.3 * sizes[1]


@pytest.mark.parametrize("options", [
    {},
    {"norm_first": True},
    {"positional": "learned"},
    {"share_embeddings": True},
    {"tie_output": True, "num_decoder_layers": 1},
    {"share_embeddings": True, "tie_output": True, "norm_first": True, "positional": "learned"},
    {"d_k": 8, "d_v": 8},
])  # fmt: skip
def test_every_choice_of_the_config_arrives(tokenizer, tmp_path, options):
    model = Transformer(TransformerConfig(SIZE, SIZE, **SMALL | options))
    with torch.no_grad():
        for parameter in model.parameters():  # else biases are 0, and scales 1
            parameter += 0.2 * torch.randn_like(parameter)
    export_ctranslate2(model, tokenizer, tmp_path / "model")
    src = torch.randint(4, SIZE, (16, 9))
    src[:, -1] = tokenizer.eos_id
    never = [[tokenizer.vocabulary[i]] for i in (model.config.pad_id, model.config.bos_id)]
    found = served(
        tmp_path / "model", tokenizer, src.tolist(),
        beam_size=1, max_decoding_length=20, suppress_sequences=never,
    )  # fmt: skip
    expected = greedy_decode(model, src, max_new_tokens=20)
    assert found == expected
    assert len({tuple(ids) for ids in expected}) > 1


def test_sides_may_have_vocabularies_of_their_own(tokenizer, tmp_path):
    model = Transformer(TransformerConfig(SIZE, SIZE - 20, **SMALL))
    export_ctranslate2(model, tokenizer, tmp_path / "model")
    src, length = torch.randint(4, SIZE, (4, 9)).tolist(), {"max_decoding_length": 5}
    src = [[*ids, tokenizer.eos_id] for ids in src]
    found = served(tmp_path / "model", tokenizer, src, min_decoding_length=5, **length)
    assert [len(ids) for ids in found] == [5] * 4


def test_the_model_and_its_tokenizer_stay_as_they_are(shipped, tmp_path):
    model, tokenizer = shipped
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    export_ctranslate2(model, tokenizer, tmp_path / "model", precision="int8")
    for name, weight in model.state_dict().items():
        assert torch.equal(weight, before[name]), name
    assert tokenizer.encode_source("The cat.") == [*tokenizer.encode("the cat ."), 2]


ODD = ["The cat's tea isn’t  here", "WHO'S she? I can't, won't…", " ", "é e\u0301 ÄÖ 貓。", "a.b!c"]


@pytest.mark.parametrize("spelling", ["plain", "grammar"])
def test_the_files_alone_spell_and_cut_as_the_tokenizer_does(tmp_path, spelling):
    tokenizer = Tokenizer.train(["the cat sleeps .", "貓在睡覺。"] * 2, SIZE, spelling)
    model = Transformer(TransformerConfig(SIZE, SIZE, **SMALL))
    export_ctranslate2(model, tokenizer, tmp_path / "model")
    source, target = (
        tokenizers.Tokenizer.from_file(str(tmp_path / "model" / f"{side}_tokenizer.json"))
        for side in ("source", "target")
    )
    for text in ODD + SENTENCES[:50]:
        ids = tokenizer.encode_source(text)
        assert [*source.encode(text).ids, tokenizer.eos_id] == ids
        assert target.decode(ids) == tokenizer.decode(ids)
    config = json.loads((tmp_path / "model" / "config.json").read_text())
    assert (config["add_source_eos"], config["max_len"]) == (True, model.config.max_len)


def test_ten_lines_of_the_page_translate_without_pytorch(shipped, tmp_path):
    export_ctranslate2(*shipped, tmp_path / "float32")
    page = (Path(__file__).parents[2] / "docs" / "en" / "practice" / "serving.md").read_text(
        "utf-8"
    )
    [code] = re.findall(r"```python\n([^`]*def serve.*?)```", page, re.DOTALL)
    first = """import sys; sys.modules["torch"] = sys.modules["transformer"] = None
import ctranslate2; from pathlib import Path; folder = Path()
"""
    last = """
engine = ctranslate2.Translator("float32")
print(*serve(engine, ["The cat is sleeping.", "She's tired!", "the cat " * 200]), sep="\\n")
"""
    command = [sys.executable, "-c", first + code + last]
    finished = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert finished.stdout.splitlines()[:2] == ["那隻貓正在睡覺。", "她很累！"], finished.stderr
    assert finished.returncode == 0


@pytest.mark.usefixtures("no_shape_checks")
@pytest.mark.parametrize(
    ("config", "options", "said"),
    [
        ({"d_k": 4}, {}, "d_k must be d_model / num_heads for CTranslate2: got d_k=4 with"),
        ({"d_v": 9}, {}, "d_v must be d_model / num_heads for CTranslate2: got d_v=9 with"),
        ({}, {"precision": "int4"}, "precision must be one of float32, int8: got 'int4'"),
    ],
)
def test_what_cannot_be_expressed_is_refused_by_name(tokenizer, tmp_path, config, options, said):
    model = Transformer(TransformerConfig(SIZE, SIZE, **SMALL | config))
    with pytest.raises(ValueError, match=said):
        export_ctranslate2(model, tokenizer, tmp_path / "model", **options)
    assert not list(tmp_path.iterdir())


def test_another_tokenizer_is_refused(shipped, tokenizer, tmp_path):
    with pytest.raises(
        ValueError,
        match="must be the tokenizer's: got 1593 and 1593, and vocabularies of 270 and 270",
    ):
        export_ctranslate2(shipped[0], tokenizer, tmp_path / "model")
    with pytest.raises(ValueError, match="only a Tokenizer can be saved"):
        export_ctranslate2(*load_hand_made(), tmp_path / "model")


def test_a_folder_that_is_there_is_kept(shipped, tmp_path):
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(FileExistsError, match="is there already"):
        export_ctranslate2(*shipped, tmp_path)
    assert (tmp_path / "mine").read_text() == "mine"


def test_says_what_to_install(shipped, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ctranslate2.specs", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'transformer-book\[export\]'"):
        export_ctranslate2(*shipped, tmp_path / "model")
    assert not list(tmp_path.iterdir())
