"""The suite enforces the shapes in signatures, also where it is given one file of the package."""

import subprocess
import sys
from pathlib import Path

import jaxtyping
import pytest
import torch

from transformer import causal_mask, padding_mask

ROOT = Path(__file__).parents[1]


def test_a_wrong_shape_is_refused() -> None:
    with pytest.raises(jaxtyping.TypeCheckError):
        padding_mask(torch.zeros(2, 3, 4, dtype=torch.long), pad_id=0)


def test_a_wrong_type_is_refused() -> None:
    with pytest.raises(jaxtyping.TypeCheckError):
        causal_mask("3")


@pytest.mark.process
@pytest.mark.parametrize("file", ["inference/decoding.py", "tracing.py"])
def test_the_doctests_of_one_file_run_alone(file: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, f"transformer/{file}"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
