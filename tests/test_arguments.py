"""Checks of arguments: what passes comes back as a plain number, all else is named."""

import ast
import math
import pickle
import re
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from transformer.arguments import (
    ArgumentError,
    ArgumentTypeError,
    check_flag,
    check_integer,
    check_number,
    check_strings,
)

pytestmark = pytest.mark.usefixtures("no_shape_checks")


@given(value=st.integers(), min=st.integers(), max=st.integers() | st.none())
def test_an_integer_in_range_comes_back_and_any_other_is_refused(value, min, max):
    if min <= value and (max is None or value <= max):
        assert check_integer("n", value, min, max) == value
    else:
        with pytest.raises(ValueError, match=rf"^n must be .*: got {value}$"):
            check_integer("n", value, min, max)


@pytest.mark.parametrize("value", [np.int64(3), np.uint8(3), torch.tensor(3)])
def test_integers_of_libraries_become_plain_ones(value):
    assert type(check_integer("n", value, 0)) is int


@pytest.mark.parametrize("value", [np.float32(0.5), np.float64(0.5), Fraction(1, 2)])
def test_numbers_of_libraries_become_plain_ones(value):
    number = check_number("x", value, min=0)
    assert (type(number), number) == (float, 0.5)


@pytest.mark.parametrize(
    "value",
    [True, np.True_, torch.tensor(True), 1.0, "1", None, [1], np.array([1, 2]), torch.tensor(1.0)],
)
def test_refuses_what_is_no_integer(value):
    with pytest.raises(TypeError, match=f"^n must be an integer: got {re.escape(repr(value))}$"):
        check_integer("n", value, 0)


@pytest.mark.parametrize("value", [True, np.True_, "1", None, [1], 1j, torch.tensor(1.0)])
def test_refuses_what_is_no_number(value):
    with pytest.raises(TypeError, match=f"^x must be a number: got {re.escape(repr(value))}$"):
        check_number("x", value, min=0)


@given(value=st.floats() | st.integers())
def test_a_number_in_range_comes_back_and_any_other_is_refused(value):
    if 0 < value <= 1:
        assert check_number("x", value, gt=0, max=1) == value
    else:
        with pytest.raises(ValueError, match=r"^x must be above 0 and at most 1: got "):
            check_number("x", value, gt=0, max=1)


@pytest.mark.parametrize("value", [math.inf, math.nan, 10**400])
def test_no_bound_does_not_mean_infinite(value):
    with pytest.raises(ValueError, match=r"^x must be at least 0 and finite: got "):
        check_number("x", value, min=0)


def test_flags_are_true_or_false():
    check_flag("norm_first", False)
    with pytest.raises(TypeError, match=r"^norm_first must be True or False: got 'no'$"):
        check_flag("norm_first", "no")


@pytest.mark.parametrize(
    ("value", "got"),
    [
        ("the cat", "the string 'the cat'"),
        (b"x", "the string b'x'"),
        (iter(["x"]), "list_iterator (make"),
        (None, "None"),
    ],
)
def test_refuses_what_is_no_list_of_strings(value, got):
    with pytest.raises(
        TypeError, match=f"^{re.escape(f'texts must be a list of strings: got {got}')}"
    ):
        check_strings("texts", value)


@pytest.mark.parametrize(
    ("check", "error"),
    [
        (lambda: check_integer("n", 0, min=1), ArgumentError),
        (lambda: check_integer("n", 0.5, min=1), ArgumentTypeError),
    ],
)
def test_an_error_carries_the_name_of_its_argument_also_through_a_pickle(check, error):
    with pytest.raises(error) as caught:
        check()
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert error.argument == "n"
        assert str(error) == f"n {error.message}"


def test_a_parameter_has_one_default_in_the_whole_package():
    defaults = defaultdict(set)
    for path in (Path(__file__).parents[1] / "transformer").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            found = []
            if isinstance(node, ast.FunctionDef):
                positional = node.args.posonlyargs + node.args.args
                given = node.args.defaults
                found += zip(positional[len(positional) - len(given) :], given)
                found += zip(node.args.kwonlyargs, node.args.kw_defaults)
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                found.append((ast.arg(node.target.id), node.value))
            for argument, value in found:
                if isinstance(value, ast.Constant) and type(value.value) in (int, float):
                    defaults[argument.arg].add(value.value)
    assert {name: values for name, values in defaults.items() if len(values) > 1} == {}
