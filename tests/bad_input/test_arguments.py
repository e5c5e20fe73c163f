"""What the public functions of model, data, decoding and loss say of arguments that do not fit.

Without the shape checks of the suite, as users run the package: what is refused here is refused
by the package itself, by name, in one line, and never by an error from inside PyTorch.
"""

import re

import numpy as np
import pytest
import torch

from transformer import (
    Batch,
    MultiHeadAttention,
    Transformer,
    TransformerConfig,
    batches,
    beam_search,
    causal_mask,
    collate,
    generate_pairs,
    greedy_decode,
    label_smoothed_cross_entropy,
    learning_rate,
    padding_mask,
    record_attention,
    sample,
)

pytestmark = pytest.mark.usefixtures("no_shape_checks")

CONFIG = TransformerConfig(
    11, 13, d_model=8, num_heads=2, num_encoder_layers=1, num_decoder_layers=1, d_ff=8, max_len=20
)
torch.manual_seed(0)
MODEL = Transformer(CONFIG).eval()
SRC, TGT = torch.tensor([[5, 6, 2], [7, 2, 0]]), torch.tensor([[1, 4], [1, 5]])
MEMORY = MODEL.encode(SRC).detach()
X = torch.zeros(2, 3, 8)
PAIR = ([5, 2], [1, 6, 2])

INTEGER = "must be an integer: got"
TENSOR = "must be a tensor of ids: got"
STATES = "must be a tensor of states: got"

CASES = [  # what is called, the type of its error, what it says
    # The config
    (lambda: TransformerConfig(11, 13, 8), TypeError, "takes 3 positional arguments but 4"),
    (lambda: TransformerConfig(11.0, 13), TypeError, f"src_vocab_size {INTEGER} 11.0"),
    (lambda: TransformerConfig(11, True), TypeError, f"tgt_vocab_size {INTEGER} True"),
    (lambda: TransformerConfig(11, 13, d_model="8"), TypeError, f"d_model {INTEGER} '8'"),
    (lambda: TransformerConfig(11, 13, dropout=None), TypeError, "dropout must be a number: got"),
    (lambda: TransformerConfig.from_dict(None), TypeError, "values must be a dict: got NoneType"),
    (lambda: TransformerConfig.from_dict([11]), TypeError, "values must be a dict: got list"),
    (lambda: Transformer(CONFIG.to_dict()), TypeError, "config must be a TransformerConfig: got d"),
    # Layers
    (lambda: MultiHeadAttention(8, 3), ValueError, "num_heads must divide d_model (or give d_k "),
    # Masks
    (lambda: padding_mask([[5, 0]], 0), TypeError, f"ids {TENSOR} list (make it with torch.tensor"),
    (lambda: padding_mask(SRC[0], 0), ValueError, "ids must have shape (batch, seq_len): got (3,)"),
    (lambda: padding_mask(SRC, None), TypeError, f"pad_id {INTEGER} None"),
    (lambda: causal_mask(2.5), TypeError, f"n {INTEGER} 2.5"),
    (lambda: causal_mask(True), TypeError, f"n {INTEGER} True"),
    # The model
    (lambda: MODEL([[5, 2]], TGT), TypeError, f"src {TENSOR} list (make it with torch.tensor)"),
    (lambda: MODEL(SRC, None), TypeError, f"tgt {TENSOR} NoneType"),
    (lambda: MODEL(SRC.numpy(), TGT), TypeError, f"src {TENSOR} ndarray (make it with torch.tenso"),
    (lambda: MODEL(SRC.float(), TGT), TypeError, "src must be int64 or int32: got torch.float32"),
    (lambda: MODEL(SRC, TGT[0]), ValueError, "tgt must have shape (batch, seq_len): got (2,)"),
    (lambda: MODEL.encode({}), TypeError, f"src {TENSOR} dict"),
    (lambda: MODEL.encode(SRC.to_sparse()), TypeError, "src must be a dense tensor: got torch.sp"),
    (lambda: MODEL.encode(SRC.to("meta")), ValueError, "src must hold ids: got a tensor on meta"),
    (lambda: MODEL(SRC, torch.tensor([[1, 13], [1, 5]])), ValueError, "tgt must be from 0 to 12"),
    (lambda: MODEL.decode(TGT, None, None), TypeError, f"memory {STATES} NoneType"),
    (lambda: MODEL.decode(TGT, MEMORY[0], None), ValueError, "memory must have shape (2, seq_len"),
    (
        lambda: MODEL.decode(TGT, MEMORY[:1], None),
        ValueError,
        "memory must have shape (2, seq_len",
    ),
    (
        lambda: MODEL.decode(TGT, MEMORY.double(), None),
        TypeError,
        "memory must be torch.float32: ",
    ),
    (lambda: MODEL.decode(TGT, MEMORY, [True]), TypeError, "mask must be boolean (True = may be "),
    (lambda: MODEL.project(MEMORY[..., :4]), ValueError, "states must have shape (batch, seq_len,"),
    (lambda: record_attention("m").__enter__(), TypeError, "model must be an nn.Module: got str"),
    # Decoding
    *[
        case
        for decode in (greedy_decode, beam_search, sample)
        for case in (
            (lambda d=decode: d("m", SRC), TypeError, "model must be a Transformer: got str"),
            (lambda d=decode: d(MODEL, [[5, 2]]), TypeError, f"src {TENSOR} list"),
            (lambda d=decode: d(MODEL, None), TypeError, f"src {TENSOR} NoneType"),
            (lambda d=decode: d(MODEL, SRC[0]), ValueError, "src must have shape (batch, seq_len)"),
            *[
                (lambda d=decode, n=n: d(MODEL, SRC, max_new_tokens=n), kind, text)
                for n, kind, text in (
                    (2.5, TypeError, f"max_new_tokens {INTEGER} 2.5"),
                    (True, TypeError, f"max_new_tokens {INTEGER} True"),
                    (0, ValueError, "max_new_tokens must be at least 1: got 0"),
                    (20, ValueError, "max_new_tokens must be from 1 to 19 (max_len=20): got 20"),
                )
            ],
        )
    ],
    (lambda: beam_search(MODEL, SRC, beam_size=2.0), TypeError, f"beam_size {INTEGER} 2.0"),
    (lambda: beam_search(MODEL, SRC, beam_size=True), TypeError, f"beam_size {INTEGER} True"),
    (lambda: beam_search(MODEL, SRC, num_best="1"), TypeError, f"num_best {INTEGER} '1'"),
    (lambda: beam_search(MODEL, SRC, length_penalty=1e9), ValueError, "length_penalty must be at "),
    (lambda: beam_search(MODEL, SRC, length_penalty="1"), TypeError, "length_penalty must be a nu"),
    (lambda: sample(MODEL, SRC, temperature="hot"), TypeError, "temperature must be a number: got"),
    (lambda: sample(MODEL, SRC, temperature=-1), ValueError, "temperature must be above 0 and fi"),
    (lambda: sample(MODEL, SRC, top_k=1.5), TypeError, f"top_k {INTEGER} 1.5"),
    (lambda: sample(MODEL, SRC, top_p=0), ValueError, "top_p must be above 0 and at most 1: got 0"),
    (lambda: sample(MODEL, SRC, generator=7), TypeError, "generator must be a torch.Generator: go"),
    # Batches and pairs
    (lambda: Batch([[5]], TGT), TypeError, f"src {TENSOR} list (make it with torch.tensor)"),
    (lambda: Batch(SRC, TGT[:1]), ValueError, "src and tgt must have a row for each pair: got 2 a"),
    (lambda: Batch(SRC, TGT, pad_id="0"), TypeError, f"pad_id {INTEGER} '0'"),
    (lambda: collate([PAIR, ([5.5], [1])]), ValueError, "both sides of pair 2 must hold ids, none"),
    (lambda: collate([PAIR, [5]]), ValueError, "pair 2 must be (source ids, target ids): got [5]"),
    (lambda: collate([]), ValueError, "a batch must hold at least one pair: got none"),
    (lambda: collate([PAIR], pad_id=2.0), TypeError, f"pad_id {INTEGER} 2.0"),
    (lambda: collate([PAIR], pad_id=6), ValueError, "both sides of pair 1 must hold ids, none of"),
    (lambda: batches([PAIR], 10, epoch=-1), ValueError, "epoch must be at least 0: got -1"),
    (lambda: batches([PAIR], 10, seed="a"), TypeError, f"seed {INTEGER} 'a'"),
    (lambda: batches([PAIR], "10"), TypeError, f"max_tokens {INTEGER} '10'"),
    (lambda: list(batches([([-1], [1])], 9)), ValueError, "both sides of pair 1 must hold ids, no"),
    (lambda: generate_pairs(-1), ValueError, "seed must be at least 0: got -1"),
    (lambda: generate_pairs(0.5), TypeError, f"seed {INTEGER} 0.5"),
    (lambda: generate_pairs(0, "dev"), ValueError, "split must be one of train, validation, test,"),
    (lambda: generate_pairs(0, ["test"]), ValueError, "split must be one of train, validation, te"),
    # Loss and schedule
    (lambda: label_smoothed_cross_entropy([0.5], TGT), TypeError, "logits must be a tensor: got l"),
    (lambda: label_smoothed_cross_entropy(X, TGT), ValueError, "target must have an id for each "),
    (lambda: learning_rate(1.5, 8), TypeError, f"step {INTEGER} 1.5"),
    (lambda: learning_rate(1, 0), ValueError, "d_model must be from 1 to "),
]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    CASES,
    ids=[f"{n}: {text[:30]}" for n, (*_, text) in enumerate(CASES)],
)
def test_says_what_does_not_fit(call, error, text):
    with pytest.raises(error, match=re.escape(text)) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("integer", [np.int64, np.int32, np.uint8])
def test_integers_of_numpy_are_integers(integer):
    config = TransformerConfig(integer(11), integer(13), d_model=integer(8), num_heads=integer(2))
    assert config == TransformerConfig(11, 13, d_model=8, num_heads=2)
    assert {type(value) for value in (config.src_vocab_size, config.d_model)} == {int}
    assert greedy_decode(MODEL, SRC, max_new_tokens=integer(4)) == greedy_decode(
        MODEL, SRC, max_new_tokens=4
    )
    assert collate([(np.array([5, 2]), np.array([1, 2]))]).src.tolist() == [[5, 2]]
