"""A trained model as a folder for CTranslate2, an engine made for serving."""

import json
import shutil
from errno import EEXIST
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import tokenizers
import torch
from tokenizers import Regex, normalizers
from torch import Tensor, nn

from transformer.arguments import ArgumentError
from transformer.atomic_write import name_file_in_errors, staging_folder
from transformer.data.spelling import AS_THE_GRAMMAR, SINGLE_SPACES
from transformer.data.tokenizer import Tokenizer
from transformer.model.transformer import Transformer

PRECISIONS = ("float32", "int8")


def export_ctranslate2(
    model: Transformer,
    tokenizer: Tokenizer,
    folder: str | PathLike[str],
    *,
    precision: Literal["float32", "int8"] = "float32",
) -> None:
    """Write a model for CTranslate2: the same weights under its names, and the tokenizer.

    The folder holds what `ctranslate2.Translator` reads, and two files that Hugging Face's
    `tokenizers` reads: `source_tokenizer.json`, which also spells sources as the model knows them,
    and `target_tokenizer.json`. With those two libraries it translates, without PyTorch and this
    package.

    CTranslate2 takes tokens and returns tokens. It adds `<eos>` to a source itself. It fails
    beyond the model's `max_len` positions, which stand in `config.json`: `translate_batch` wants
    that number as `max_input_length`, and no more as `max_decoding_length`.

    Args:
        model: The model, on any device.
        tokenizer: The tokenizer of its ids.
        folder: The folder to make.
        precision: `"float32"`, or `"int8"`, where each weight matrix is rounded to 8 bits:
            little more than a quarter of the size, and now and then another token.

    Raises:
        ModuleNotFoundError: If CTranslate2 is not installed.
        FileExistsError: If the folder is there already.
        OSError: If it cannot be written, such as on a full disk; it names the folder.
        ValueError: If the precision is another one, the ids are not the tokenizer's, or the model
            has something that CTranslate2 lacks: `d_k` or `d_v` other than `d_model / num_heads`.

    Example:
        >>> import ctranslate2, tempfile
        >>> from transformer import load_pretrained
        >>> model, tokenizer = load_pretrained()
        >>> folder = Path(tempfile.mkdtemp(), "served")
        >>> export_ctranslate2(model, tokenizer, folder)
        >>> sorted(path.name for path in folder.iterdir())
        ['config.json', 'model.bin', 'shared_vocabulary.json', 'source_tokenizer.json',
         'target_tokenizer.json']
        >>> from tokenizers import Tokenizer
        >>> source, target = (
        ...     Tokenizer.from_file(str(folder / f"{side}_tokenizer.json"))
        ...     for side in ("source", "target")
        ... )
        >>> tokens = source.encode("The cat is sleeping.").tokens
        >>> [found] = ctranslate2.Translator(str(folder)).translate_batch([tokens], beam_size=1)
        >>> target.decode([target.token_to_id(token) for token in found.hypotheses[0]])
        '那隻貓正在睡覺。'
    """
    if precision not in PRECISIONS:
        raise ArgumentError(
            "precision", f"must be one of {', '.join(PRECISIONS)}: got {precision!r}"
        )
    path = Path(folder)
    if path.exists() or path.is_symlink():
        raise FileExistsError(EEXIST, "is there already: give the name of a new folder", str(path))
    c, sizes = model.config, (tokenizer.source.vocab_size, tokenizer.vocab_size)
    if c.src_vocab_size != sizes[0] or c.tgt_vocab_size > sizes[1]:
        raise ValueError(
            f"the model's ids must be the tokenizer's: got {c.src_vocab_size} and "
            f"{c.tgt_vocab_size}, and vocabularies of {sizes[0]} and {sizes[1]}"
        )
    files = {"source": _source(tokenizer), "target": _plain(tokenizer.target)}
    spec = ctranslate2_spec(model, tokenizer.source.vocabulary, tokenizer.vocabulary)
    spec.optimize(quantization=None if precision == "float32" else precision)

    staging = staging_folder(path)
    shutil.rmtree(staging, ignore_errors=True)  # A process that was killed may have left one.
    try:
        with name_file_in_errors(path):
            staging.mkdir()
            spec.save(str(staging))
            for side, file in files.items():
                file.save(str(staging / f"{side}_tokenizer.json"))
            staging.rename(path)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def ctranslate2_spec(
    model: Transformer, src_vocabulary: list[str], tgt_vocabulary: list[str]
) -> Any:
    """Return a model as CTranslate2 describes one: its `TransformerSpec`, weights included.

    Args:
        model: The model.
        src_vocabulary: The token of every source id.
        tgt_vocabulary: The token of every target id; those of sources alone may follow.

    Raises:
        ModuleNotFoundError: If CTranslate2 is not installed.
        ValueError: If the model has something that CTranslate2 lacks.

    Example:
        >>> from transformer import load_pretrained
        >>> model, tokenizer = load_pretrained()
        >>> vocabulary = tokenizer.vocabulary
        >>> spec = ctranslate2_spec(model, vocabulary, vocabulary)
        >>> spec.encoder.layer[0].self_attention.linear[0].weight.shape  # queries, keys, values
        (384, 128)
    """
    try:
        from ctranslate2.specs import common_spec, transformer_spec
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "export needs CTranslate2: pip install 'transformer-book[export]'", name=error.name
        ) from error
    c = model.config
    for name, width in (("d_k", c.d_k), ("d_v", c.d_v)):
        if width is not None and width * c.num_heads != c.d_model:
            raise ValueError(
                f"{name} must be d_model / num_heads for CTranslate2: got {name}={width} with "
                f"d_model={c.d_model}, num_heads={c.num_heads}"
            )
    spec = transformer_spec.TransformerSpec.from_config(
        (c.num_encoder_layers, c.num_decoder_layers),
        c.num_heads,
        pre_norm=c.norm_first,
        activation=common_spec.Activation.RELU,
    )
    spec.encoder.embeddings[0].weight = _array(model.src_embedding.weight)
    spec.decoder.embeddings.weight = _array(model.tgt_embedding.weight)
    position = "table" if c.positional == "sinusoidal" else "weight"
    for part, side, stack in (
        (spec.encoder, model.src_position, model.encoder),
        (spec.decoder, model.tgt_position, model.decoder),
    ):
        part.position_encodings.encodings = _array(getattr(side, position))
        if stack.norm is not None:
            _norm(part.layer_norm, stack.norm)
        for target, layer in zip(part.layer, stack.layers, strict=True):
            _layer(target, layer)
    _linear(spec.decoder.projection, model.output_layer)
    spec.register_source_vocabulary(src_vocabulary)
    spec.register_target_vocabulary(tgt_vocabulary[: c.tgt_vocab_size])
    spec.config.bos_token = spec.config.decoder_start_token = tgt_vocabulary[c.bos_id]
    spec.config.eos_token = tgt_vocabulary[c.eos_id]
    spec.config.add_source_eos = True
    spec.config.add_attribute("max_len", c.max_len)  # not read by CTranslate2: for its callers
    spec.validate()
    return spec


def _plain(tokenizer: Tokenizer) -> tokenizers.Tokenizer:
    """Return a tokenizer of Hugging Face's, which knows nothing of spelling."""
    document = json.loads(tokenizer.to_json())
    return tokenizers.Tokenizer.from_str(json.dumps(document.get("bpe", document)))


def _source(tokenizer: Tokenizer) -> tokenizers.Tokenizer:
    """Return one that spells a source before it cuts it."""
    source = _plain(tokenizer.source)
    grammar = tokenizer.spelling == "grammar"
    source.normalizer = normalizers.Sequence(
        [
            normalizers.NFC(),
            *([normalizers.Lowercase()] if grammar else []),
            *(
                normalizers.Replace(Regex(pattern), written)
                for pattern, written in (AS_THE_GRAMMAR if grammar else SINGLE_SPACES)
            ),
            source.normalizer,
        ]
    )
    return source


def _layer(target: Any, layer: Any) -> None:
    """Fill a layer of CTranslate2's encoder or decoder with one of the model's."""
    own, crossed = layer.self_attention, getattr(layer, "cross_attention", None)
    _linear(target.self_attention.linear[0], own.q_proj, own.k_proj, own.v_proj)
    _linear(target.self_attention.linear[1], own.out_proj)
    _norm(target.self_attention.layer_norm, layer.self_attention_norm)
    if crossed:
        _linear(target.attention.linear[0], crossed.q_proj)
        _linear(target.attention.linear[1], crossed.k_proj, crossed.v_proj)
        _linear(target.attention.linear[2], crossed.out_proj)
        _norm(target.attention.layer_norm, layer.cross_attention_norm)
    _linear(target.ffn.linear_0, layer.feed_forward.expand)
    _linear(target.ffn.linear_1, layer.feed_forward.contract)
    _norm(target.ffn.layer_norm, layer.feed_forward_norm)


def _linear(target: Any, *layers: nn.Linear) -> None:
    """Fill a linear layer of CTranslate2's; several layers are put one below the other."""
    target.weight = _array(torch.cat([layer.weight for layer in layers]))
    if layers[0].bias is not None:
        target.bias = _array(torch.cat([layer.bias for layer in layers]))


def _norm(target: Any, norm: Any) -> None:
    target.gamma, target.beta = _array(norm.weight), _array(norm.bias)


def _array(tensor: Tensor) -> Any:
    return (
        tensor.detach().float().cpu().numpy().copy()
    )  # A copy: CTranslate2 rounds the array itself.
