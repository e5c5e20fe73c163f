"""What all tests share: repeatable randomness, and ways around the shape checks."""

import io
import os
import random
import shutil
from collections.abc import Callable, Iterator

import hypothesis
import jaxtyping
import pytest
import torch

from transformer import Tokenizer, Transformer, load_pretrained


class TorchRandom(random.Random):
    """PyTorch's generator, as Hypothesis wants to see it: each example starts it anew."""

    def seed(self, a: object = 0, version: int = 2) -> None:
        torch.manual_seed(a)

    def getstate(self) -> torch.Tensor:
        return torch.get_rng_state()

    def setstate(self, state: torch.Tensor) -> None:
        torch.set_rng_state(state)


TORCH_RANDOM = TorchRandom(0)  # kept here: Hypothesis holds it weakly
hypothesis.register_random(TORCH_RANDOM)
hypothesis.settings.register_profile("local", deadline=None, max_examples=25)
hypothesis.settings.register_profile("ci", deadline=None, max_examples=25, derandomize=True)
hypothesis.settings.load_profile("ci" if "CI" in os.environ else "local")

# On tensors this small, threads only wait for each other; `make processors` tries two.
THREADS = os.environ.get("TEST_THREADS", "1")
torch.set_num_threads(int(THREADS))
os.environ["OMP_NUM_THREADS"] = THREADS  # so many in the processes that tests start, too


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes ten minutes, unless it is asked for."""
    if "slow" not in config.option.markexpr:
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="trains for ten minutes: pytest -m slow"))


@pytest.fixture(autouse=True)
def seed() -> None:
    torch.manual_seed(0)


@pytest.fixture(params=[torch.float32, torch.float64], ids=["float32", "float64"])
def dtype(request: pytest.FixtureRequest) -> Iterator[torch.dtype]:
    """Run the test once in each precision, and make it the default one."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(request.param)
    yield request.param
    torch.set_default_dtype(before)


@pytest.fixture
def no_shape_checks() -> Iterator[None]:
    """Let wrong shapes and types reach our own checks, and the compiler see plain code."""
    before = jaxtyping.config.jaxtyping_disable
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", before)


@pytest.fixture(scope="session")
def shipped() -> tuple[Transformer, Tokenizer]:
    """The shipped model, which no test may change, and its tokenizer."""
    return load_pretrained()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command in this process; return its exit code, standard output and standard error."""
    from transformer.cli import main

    def run(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as exit:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return exit.value.code or 0, printed.out, printed.err

    return run


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """Put bytes where a command reads standard input."""

    def stdin(content: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))

    return stdin


@pytest.fixture
def compiler() -> None:
    if shutil.which("g++") is None:
        stop = pytest.fail if "CI" in os.environ else pytest.skip
        stop("torch.compile needs a C++ compiler: install g++")
