"""The translators that came before: two recurrent networks, with attention and without."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer import TokenEmbedding, padding_mask


class RecurrentTranslator(nn.Module):
    """A GRU reads the source in both directions, another one writes the target.

    With attention, the decoder compares its state with every state of the encoder before each
    token, by additive attention, and reads their weighted mean (Bahdanau et al. 2015). Without,
    it reads the same vector before each token: the encoder's two last states (Cho et al. 2014).
    Embeddings and output layer share one matrix, as in the Transformer beside them.
    """

    def __init__(self, vocab_size: int, width: int, hidden: int, attention: bool) -> None:
        super().__init__()
        self.pad_id = 0
        self.embedding = TokenEmbedding(vocab_size, width)
        self.dropout = nn.Dropout(0.1)
        self.reader = nn.GRU(width, hidden, batch_first=True, bidirectional=True)
        self.start = nn.Linear(2 * hidden, hidden)
        self.writer = nn.GRUCell(width + 2 * hidden, hidden)
        self.contract = nn.Linear(hidden + 2 * hidden + width, width)
        if attention:
            self.q_proj = nn.Linear(hidden, hidden)
            self.k_proj = nn.Linear(2 * hidden, hidden, bias=False)
            self.score = nn.Linear(hidden, 1, bias=False)
        self.attention = attention

    def encode(self, src: Tensor) -> tuple[Tensor, Tensor]:
        """Return the states of all source tokens, and the two last ones as one vector."""
        lengths = (src != self.pad_id).sum(1)
        x = nn.utils.rnn.pack_padded_sequence(
            self.dropout(self.embedding(src)), lengths, batch_first=True, enforce_sorted=False
        )
        states, last = self.reader(x)
        states, _ = nn.utils.rnn.pad_packed_sequence(states, batch_first=True)
        return states, last.transpose(0, 1).flatten(1)

    def step(
        self, x: Tensor, state: Tensor, memory: Tensor, keys: Tensor | None, mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Read one target token; return the new state, and what the output layer takes."""
        context = memory
        if keys is not None:
            scores = self.score(torch.tanh(self.q_proj(state).unsqueeze(1) + keys)).squeeze(-1)
            weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
            context = (weights.unsqueeze(1) @ memory).squeeze(1)
        state = self.writer(torch.cat([x, context], -1), state)
        return state, self.dropout(self.contract(torch.cat([state, context, x], -1)))

    def prepare(self, src: Tensor) -> tuple[Tensor, Tensor, Tensor | None, Tensor]:
        """Return the decoder's first state, what it reads, its keys and the mask."""
        states, last = self.encode(src)
        first = torch.tanh(self.start(last))
        mask = padding_mask(src, self.pad_id)[:, 0, 0]
        if self.attention:
            return first, states, self.k_proj(states), mask
        return first, last, None, mask

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        """Return the logits of every next token, shape `(batch, tgt_len, vocab_size)`."""
        state, memory, keys, mask = self.prepare(src)
        outputs = []
        for x in self.dropout(self.embedding(tgt)).unbind(1):
            state, out = self.step(x, state, memory, keys, mask)
            outputs.append(out)
        return F.linear(torch.stack(outputs, 1), self.embedding.weight)

    @torch.no_grad()
    def greedy(self, src: Tensor, bos_id: int, eos_id: int, most: int) -> list[list[int]]:
        """Write the most probable token at every step."""
        state, memory, keys, mask = self.prepare(src)
        token = torch.full((len(src),), bos_id)
        written = []
        for _ in range(most):
            x = self.embedding(token.unsqueeze(1))[:, 0]
            state, out = self.step(x, state, memory, keys, mask)
            logits = F.linear(out, self.embedding.weight)
            logits[:, [self.pad_id, bos_id]] = -torch.inf
            token = logits.argmax(-1)
            written.append(token)
        rows = torch.stack(written, 1).tolist()
        return [row[: row.index(eos_id)] if eos_id in row else row for row in rows]
