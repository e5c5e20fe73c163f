# The Transformer of "Attention Is All You Need", with its training, in one file to read.
# The package `transformer` gives it sentences, a tokenizer and batches; all else is PyTorch.

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice

import torch
from torch import Tensor, nn

from transformer import Batch, Tokenizer, batches, encode_pairs, generate_pairs


@dataclass
class Config:
    vocab_size: int  # one vocabulary for both languages
    d_model: int = 128
    num_heads: int = 4
    num_layers: int = 2  # on each side
    d_ff: int = 512
    dropout: float = 0.1
    max_len: int = 64
    pad_id: int = 0
    bos_id: int = 1
    eos_id: int = 2


def sinusoids(max_len: int, d_model: int) -> Tensor:  # §3.5
    position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)
    even = torch.arange(0, d_model, 2, dtype=torch.float64)
    angle = position / 10000 ** (even / d_model)  # (max_len, d_model / 2)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1).float()


class MultiHeadAttention(nn.Module):  # §3.2
    def __init__(self, c: Config) -> None:
        super().__init__()
        self.num_heads = c.num_heads
        projections = (nn.Linear(c.d_model, c.d_model) for _ in range(4))
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = projections

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        q = self.split_heads(self.q_proj(x))  # (batch, num_heads, q_len, d_k)
        k = self.split_heads(self.k_proj(memory))  # (batch, num_heads, k_len, d_k)
        v = self.split_heads(self.v_proj(memory))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
        heads = weights @ v  # (batch, num_heads, q_len, d_k)
        return self.out_proj(heads.transpose(1, 2).flatten(2))  # (batch, q_len, d_model)

    def split_heads(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)


class PositionwiseFeedForward(nn.Module):  # §3.3
    def __init__(self, c: Config) -> None:
        super().__init__()
        self.expand = nn.Linear(c.d_model, c.d_ff)
        self.contract = nn.Linear(c.d_ff, c.d_model)

    def forward(self, x: Tensor) -> Tensor:
        return self.contract(self.expand(x).relu())


class EncoderLayer(nn.Module):  # §3.1
    def __init__(self, c: Config) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(c)
        self.self_attention_norm = nn.LayerNorm(c.d_model)
        self.feed_forward = PositionwiseFeedForward(c)
        self.feed_forward_norm = nn.LayerNorm(c.d_model)
        self.dropout = nn.Dropout(c.dropout)

    def forward(self, x: Tensor, src_mask: Tensor) -> Tensor:
        x = self.self_attention_norm(x + self.dropout(self.self_attention(x, x, src_mask)))
        return self.feed_forward_norm(x + self.dropout(self.feed_forward(x)))


class DecoderLayer(nn.Module):  # §3.1
    def __init__(self, c: Config) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(c)
        self.self_attention_norm = nn.LayerNorm(c.d_model)
        self.cross_attention = MultiHeadAttention(c)
        self.cross_attention_norm = nn.LayerNorm(c.d_model)
        self.feed_forward = PositionwiseFeedForward(c)
        self.feed_forward_norm = nn.LayerNorm(c.d_model)
        self.dropout = nn.Dropout(c.dropout)

    def forward(self, x: Tensor, memory: Tensor, tgt_mask: Tensor, src_mask: Tensor) -> Tensor:
        x = self.self_attention_norm(x + self.dropout(self.self_attention(x, x, tgt_mask)))
        x = self.cross_attention_norm(x + self.dropout(self.cross_attention(x, memory, src_mask)))
        return self.feed_forward_norm(x + self.dropout(self.feed_forward(x)))


class Transformer(nn.Module):
    positions: Tensor

    def __init__(self, c: Config) -> None:
        super().__init__()
        self.config = c
        self.embedding = nn.Embedding(c.vocab_size, c.d_model)
        self.register_buffer("positions", sinusoids(c.max_len, c.d_model), persistent=False)
        self.dropout = nn.Dropout(c.dropout)
        self.encoder = nn.ModuleList(EncoderLayer(c) for _ in range(c.num_layers))
        self.decoder = nn.ModuleList(DecoderLayer(c) for _ in range(c.num_layers))
        nn.init.normal_(self.embedding.weight, std=c.d_model**-0.5)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight)
                nn.init.zeros_(module.bias)

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        src_mask = self.source_mask(src)
        return self.project(self.decode(tgt, self.encode(src, src_mask), src_mask))

    def source_mask(self, src: Tensor) -> Tensor:
        return (src != self.config.pad_id)[:, None, None, :]  # (batch, 1, 1, src_len)

    def embed(self, ids: Tensor) -> Tensor:  # §3.4
        x = self.embedding(ids) * math.sqrt(self.config.d_model)  # (batch, seq_len, d_model)
        return self.dropout(x + self.positions[: ids.size(1)])

    def encode(self, src: Tensor, src_mask: Tensor) -> Tensor:
        x = self.embed(src)
        for layer in self.encoder:
            x = layer(x, src_mask)
        return x  # (batch, src_len, d_model)

    def decode(self, tgt: Tensor, memory: Tensor, src_mask: Tensor) -> Tensor:
        n = tgt.size(1)
        # Padding comes last, so this mask hides it from every word.
        tgt_mask = torch.ones(n, n, dtype=torch.bool, device=tgt.device).tril()
        x = self.embed(tgt)
        for layer in self.decoder:
            x = layer(x, memory, tgt_mask, src_mask)
        return x  # (batch, tgt_len, d_model)

    def project(self, states: Tensor) -> Tensor:
        return states @ self.embedding.weight.T  # (batch, tgt_len, vocab_size)


def sentence_pairs(split: str, number: int) -> list[tuple[str, str]]:
    return [(pair.source, pair.target) for pair in islice(generate_pairs(0, split), number)]


def batch_stream(pairs: list[tuple[str, str]], tokenizer: Tokenizer) -> Iterator[Batch]:
    ids = list(encode_pairs(pairs, tokenizer))
    for epoch in count():
        yield from batches(ids, max_tokens=1024, epoch=epoch)


def loss_of(model: Transformer, batch: Batch) -> Tensor:  # §5.4
    logits = model(batch.src, batch.tgt[:, :-1]).flatten(0, 1)
    answer, pad_id = batch.tgt[:, 1:].flatten(), model.config.pad_id
    return nn.functional.cross_entropy(logits, answer, ignore_index=pad_id, label_smoothing=0.1)


def train(model: Transformer, stream: Iterator[Batch], steps: int, warmup: int) -> None:  # §5.3
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9)
    model.train()
    for step, batch in enumerate(islice(stream, steps), start=1):
        rate = model.config.d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)
        optimizer.param_groups[0]["lr"] = rate
        loss = loss_of(model, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step == 1 or step % 50 == 0:
            print(f"step {step}: loss {loss.item():.2f}")
    model.eval()


@torch.no_grad()
def greedy_decode(model: Transformer, src: Tensor, max_new_tokens: int = 40) -> list[list[int]]:
    c, src_mask = model.config, model.source_mask(src)
    memory = model.encode(src, src_mask)
    tgt = torch.full((len(src), 1), c.bos_id, device=src.device)
    while tgt.size(1) <= max_new_tokens and not (tgt == c.eos_id).any(dim=1).all():
        logits = model.project(model.decode(tgt, memory, src_mask)[:, -1])
        tgt = torch.cat([tgt, logits.argmax(dim=-1, keepdim=True)], dim=1)
    rows = [row[1:] for row in tgt.tolist()]
    return [row[: row.index(c.eos_id)] if c.eos_id in row else row for row in rows]


def main(steps: int = 800) -> None:
    torch.manual_seed(0)
    pairs = sentence_pairs("train", 20_000)
    tokenizer = Tokenizer.train([text for pair in pairs for text in pair], vocab_size=2000)
    model = Transformer(Config(tokenizer.vocab_size))
    train(model, batch_stream(pairs, tokenizer), steps, warmup=400)
    for source, target in sentence_pairs("test", 10):
        (ids,) = greedy_decode(model, torch.tensor([tokenizer.encode_source(source)]))
        answer = tokenizer.decode(ids)
        print(f"{source}\n  {answer}", "✓" if answer == target else f"✗ {target}")


if __name__ == "__main__":
    main()
