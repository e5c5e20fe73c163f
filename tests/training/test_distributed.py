"""In one process there is nothing to share; in several each row has one owner."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from transformer.training import distributed


@given(rows=st.integers(1, 9), count=st.integers(1, 4))
def test_every_row_has_one_owner(rows, count):
    src, tgt = torch.arange(2 * rows).view(rows, 2) + 3, torch.arange(3 * rows).view(rows, 3) + 3
    seen = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distributed, "world_size", lambda: count)
        for number in range(count):
            patch.setattr(distributed, "rank", lambda number=number: number)
            own_src, own_tgt = distributed.rank_rows(src, tgt, pad_id=0)
            assert len(own_src) == len(own_tgt) > 0
            seen += [(s, t) for s, t in zip(own_src.tolist(), own_tgt.tolist()) if any(t)]
    assert sorted(seen) == sorted(zip(src.tolist(), tgt.tolist()))


@pytest.mark.parametrize("option", ["broadcast_buffers", "forward_sync_buffers"])
def test_buffers_are_not_sent_around(option, monkeypatch, no_shape_checks):
    """Under the name that this version of PyTorch has for it."""
    made = {
        "broadcast_buffers": lambda model, broadcast_buffers=True: broadcast_buffers,
        "forward_sync_buffers": lambda model, forward_sync_buffers=True: forward_sync_buffers,
    }
    monkeypatch.setattr(distributed, "_several", lambda: True)
    monkeypatch.setattr(distributed, "DistributedDataParallel", made[option])
    assert distributed.parallel(torch.nn.Linear(1, 1)) is False


def test_each_process_takes_its_gpu_before_they_meet(monkeypatch):
    calls = []
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "set_device", lambda device: calls.append(device))
    monkeypatch.setattr(distributed.distributed, "is_torchelastic_launched", lambda: True)
    monkeypatch.setattr(
        distributed.distributed, "init_process_group", lambda *a, **k: calls.append((a, k))
    )
    monkeypatch.setenv("LOCAL_RANK", "1")
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "2")
    own = torch.device("cuda", 1)
    assert distributed.join() == own
    meeting = {"device_id": own, "timeout": distributed.TIMEOUT}
    assert calls == [own, (("nccl",), meeting)]
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "3")
    text = "each process needs a GPU of its own: got 3 processes and 2 GPUs"
    with pytest.raises(ValueError, match=f"^{text} "):
        distributed.join("cuda")
    assert len(calls) == 2
    monkeypatch.setenv("LOCAL_RANK", "abc")
    text = "LOCAL_RANK must be a number, as torchrun sets it: got 'abc'"
    with pytest.raises(ValueError, match=f"^{text}$"):
        distributed.join()
