"""Cross-attention as a table: every column sums to one, and the words lie where they belong."""

from copy import deepcopy

import pytest
import torch
from rich.console import Console

from transformer import Tokenizer, Transformer, TransformerConfig
from transformer.inference.attention_table import attention_table, bridge_attention

SOURCE, TARGET = "tomorrow the old farmer will buy three fish .", "明天那位老農夫會買三條魚。"


def test_every_step_spends_all_its_attention_and_words_look_at_their_translations(shipped):
    source, target, weights = bridge_attention(*shipped, SOURCE, TARGET)
    assert weights.shape == (len(target), len(source))
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(len(target)))
    assert "".join(target[:-1]) == TARGET
    looked_at = [source[i].strip() for i in weights.argmax(dim=-1)]
    for piece, word in (("農", "farmer"), ("三", "three"), ("魚", "fish")):
        assert looked_at[target.index(piece)] == word


def test_the_table_is_the_source_transposed(shipped):
    console = Console(width=120)
    with console.capture() as captured:
        console.print(attention_table(*shipped, SOURCE, TARGET))
    head, *rows = captured.get().splitlines()
    assert head.split() == [*TARGET, "<eos>"]
    assert [row.split()[0] for row in rows] == [*SOURCE.split(), "<eos>"]
    _, _, weights = bridge_attention(*shipped, SOURCE, TARGET)
    cells = [row.split()[1:] for row in rows]
    for t, shares in enumerate(weights.tolist()):
        for s, share in enumerate(shares):
            assert cells[s][t] == (f"{100 * share:.0f}" if share >= 0.05 else "·")


def test_pieces_are_no_markup(shipped):
    tokenizer = Tokenizer.train(["[/] [bold] a"] * 9, vocab_size=290)
    size = tokenizer.vocab_size
    model = Transformer(TransformerConfig(size, size, d_model=8, num_heads=2, d_ff=8))
    console = Console(width=200)
    with console.capture() as captured:
        console.print(attention_table(model, tokenizer, "[/] [bold] a", "[/] [bold] a"))
    assert captured.get().count("[/]") == captured.get().count("bold") == 2


def test_tensors_are_made_on_the_models_device(shipped):
    class SeenError(Exception):
        pass

    def look(module, arguments):
        raise SeenError({argument.device for argument in arguments})

    model, tokenizer = shipped
    model = deepcopy(model).to("meta")
    model.register_forward_pre_hook(look)
    with pytest.raises(SeenError) as seen:
        bridge_attention(model, tokenizer, SOURCE, TARGET)
    assert seen.value.args == ({torch.device("meta")},)


def test_dropout_is_off_and_the_model_keeps_its_mode(shipped):
    model, tokenizer = shipped
    expected = bridge_attention(model, tokenizer, SOURCE, TARGET)[2]
    training = deepcopy(model).train()
    torch.testing.assert_close(bridge_attention(training, tokenizer, SOURCE, TARGET)[2], expected)
    assert training.training
