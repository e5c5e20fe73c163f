"""The device of a name; and nothing in double precision where a Mac's GPU would have to hold it."""

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from tests.copy_task import TINY, copy_batch
from tests.refused import refused
from transformer import Transformer
from transformer.device import find_device
from transformer.training import distributed
from transformer.training.loss import label_smoothed_cross_entropy


@pytest.mark.parametrize(
    ("gpus", "found"),
    [({"cuda"}, "cuda"), ({"mps"}, "mps"), ({"cuda", "mps"}, "cuda"), (set(), "cpu")],
)
def test_auto_takes_a_gpu_and_no_other_name_takes_another_device(gpus, found, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: "cuda" in gpus)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: "mps" in gpus)
    assert find_device().type == found
    for name in ("cpu", "cuda", "mps"):
        if name in {*gpus, "cpu"}:
            assert find_device(name).type == name
        else:
            text = f"device must be one that PyTorch finds: got '{name}', and there is no such GPU"
            with refused(ValueError, text):
                find_device(name)


def test_several_processes_leave_a_mac_its_gpu(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    assert distributed.join().type == "mps"
    monkeypatch.setattr(distributed.distributed, "is_torchelastic_launched", lambda: True)
    monkeypatch.setattr(distributed.distributed, "init_process_group", lambda *_, **__: None)
    assert distributed.join().type == "cpu"
    with refused(ValueError, "device must be cpu or cuda for several processes: got 'mps'"):
        distributed.join("mps")


class NoDoubles(TorchDispatchMode):
    """Refuses what a Mac's GPU refuses: numbers in double precision, its own or brought to it."""

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        tensors = [t for t in tree_leaves((args, kwargs, result)) if isinstance(t, torch.Tensor)]
        if any(tensor.is_meta for tensor in tensors):
            assert not any(t.dtype == torch.float64 for t in tensors if t.ndim), function
        return result


def test_no_double_precision_reaches_another_device():
    batch = copy_batch(4, 5, torch.Generator().manual_seed(0))
    model = Transformer(TINY)
    with NoDoubles():
        model.to("meta")
        logits = model(batch.src, batch.tgt[:, :-1])
        label_smoothed_cross_entropy(logits, batch.tgt[:, 1:].to("meta")).backward()
    assert all(parameter.grad.is_meta for parameter in model.parameters())
    assert {buffer.dtype for buffer in model.buffers()} == {torch.float32}
