"""The optimizer has the constants of the paper (§5.3), which are not PyTorch's defaults."""

from types import SimpleNamespace

import torch

from transformer import TrainingConfig, Transformer, TransformerConfig, train
from transformer.training import loop


def test_adam_has_the_constants_of_the_paper(monkeypatch, tmp_path):
    made = []

    def adam(*arguments, **options):
        made.append(torch.optim.Adam(*arguments, **options))
        return made[-1]

    monkeypatch.setattr(loop, "Adam", adam)
    sizes = {"num_encoder_layers": 1, "num_decoder_layers": 1, "d_ff": 8}
    model = Transformer(TransformerConfig(9, 9, d_model=8, num_heads=2, **sizes))
    batch = SimpleNamespace(src=torch.tensor([[5, 2]]), tgt=torch.tensor([[1, 5, 2]]))
    train(model, lambda epoch: [batch], TrainingConfig(steps=1, warmup=1), tmp_path)
    (group,) = made[0].param_groups
    assert (group["betas"], group["eps"]) == ((0.9, 0.98), 1e-9)
    assert not group["weight_decay"]
