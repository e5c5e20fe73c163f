"""What `from transformer import …` gives: all listed names, and old ones with a warning."""

import pytest

import transformer


def test_every_listed_name_is_there():
    assert all(getattr(transformer, name) for name in transformer.__all__)


@pytest.mark.parametrize(("old", "new"), [*transformer.RENAMED.items(), ("old_name", "Tokenizer")])
def test_an_old_name_works_and_warns(monkeypatch, old, new):
    monkeypatch.setitem(transformer.RENAMED, old, new)
    with pytest.warns(DeprecationWarning, match=rf"transformer\.{old} is now called .*\.{new}$"):
        assert getattr(transformer, old) is getattr(transformer, new)
    assert old not in transformer.__all__


def test_a_name_that_never_was_is_an_error():
    with pytest.raises(AttributeError, match=r"nonsense"):
        getattr(transformer, "nonsense")  # noqa: B009


def test_the_loader_of_the_shipped_model_still_loads_files():
    with pytest.warns(DeprecationWarning, match=r"load a file with load_translator$"):
        model, _ = transformer.load_pretrained(transformer.inference.shipped.PRETRAINED)
    assert not model.training
