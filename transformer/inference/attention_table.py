"""Cross-attention from decoder to encoder, as a table for the terminal."""

import torch
from jaxtyping import Float
from rich.table import Table
from rich.text import Text
from torch import Tensor

from transformer.data.tokenizer import Tokenizer
from transformer.evaluation_mode import evaluation_mode
from transformer.inference.attention_recording import record_attention
from transformer.model.transformer import Transformer


def bridge_attention(
    model: Transformer, tokenizer: Tokenizer, source: str, target: str
) -> tuple[list[str], list[str], Float[Tensor, "tgt_len src_len"]]:
    """Return what the decoder looks at in the source while it writes each token of the target.

    Args:
        model: The model.
        tokenizer: The tokenizer of its ids.
        source: The sentence.
        target: Its translation, such as the model's own.

    Returns:
        The pieces of the source, the pieces of the target (both with the end token), and the
            weights, averaged over the heads of the last decoder layer, shape
            `(tgt_len, src_len)`: row t is the step that writes piece t.

    Example:
        >>> from transformer import load_pretrained
        >>> model, tokenizer = load_pretrained()
        >>> texts = "birds like tea .", "鳥都喜歡茶。"
        >>> source, target, weights = bridge_attention(model, tokenizer, *texts)
        >>> target
        ['鳥', '都', '喜', '歡', '茶', '。', '<eos>']
        >>> source[weights[0].argmax()], source[weights[4].argmax()]  # 鳥, 茶
        ('birds ', 'tea ')
    """
    src, tgt = tokenizer.encode_source(source), tokenizer.encode_target(target)
    device = next(model.parameters()).device
    with evaluation_mode(model), torch.no_grad(), record_attention(model) as recorded:
        model(torch.tensor([src], device=device), torch.tensor([tgt[:-1]], device=device))
    last = f"decoder.layers.{model.config.num_decoder_layers - 1}.cross_attention"
    weights = recorded[last][0][0].mean(dim=0)
    return tokenizer.source.pieces(src), tokenizer.pieces(tgt[1:]), weights


def attention_table(model: Transformer, tokenizer: Tokenizer, source: str, target: str) -> Table:
    """Show `bridge_attention` in per cent: a row for each source piece, a column for each target.

    Weights below 5 per cent are dots; the largest of each column is bold.

    Args:
        model: The model.
        tokenizer: The tokenizer of its ids.
        source: The sentence.
        target: Its translation, such as the model's own.

    Returns:
        A table that a `rich.console.Console` prints.

    Example:
        >>> from rich.console import Console
        >>> from transformer import load_pretrained
        >>> model, tokenizer = load_pretrained()
        >>> table = attention_table(model, tokenizer, "birds like tea .", "鳥都喜歡茶。")
        >>> table.row_count, len(table.columns)
        (5, 8)
    """
    rows, columns, weights = bridge_attention(model, tokenizer, source, target)
    table = Table(box=None, padding=(0, 0, 0, 1))
    table.add_column()
    for piece in columns:
        table.add_column(Text(piece.strip()), justify="right", no_wrap=True)
    for piece, shares in zip(rows, weights.T.tolist()):
        cells = []
        for share, highest in zip(shares, weights.amax(dim=1).tolist()):
            cell = f"{share:.0%}".removesuffix("%") if share >= 0.05 else "·"
            cells.append(f"[bold]{cell}[/]" if share == highest else f"[dim]{cell}[/]")
        table.add_row(Text(piece.strip()), *cells)  # a piece such as "[/]" is no markup
    return table
