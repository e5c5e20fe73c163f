"""Training a translator: what it leaves in the folder, and when it refuses to go on."""

import json
from dataclasses import replace
from itertools import islice

import pytest
import torch

from transformer.data.encoded_batches import EncodedBatches
from transformer.data.encoded_pairs import EncodedPairs
from transformer.data.generator import generate_pairs
from transformer.data.pair_files import encode_pairs
from transformer.data.training_pairs import FilePairs, GrammarPairs, ListPairs
from transformer.inference.evaluation import score
from transformer.inference.shipped import load_pretrained
from transformer.inference.translation import translate
from transformer.model_file import average_models, load_model, load_tokenizer
from transformer.training import translator
from transformer.training.config import TrainingConfig
from transformer.training.log import read_log
from transformer.training.recipe import Recipe
from transformer.training.run_folder import RunFolder
from transformer.training.translated import score_translations
from transformer.training.translator import train_translator

TINY = Recipe(
    vocab_size=300, d_model=16, num_heads=2, num_layers=1, d_ff=32, batch_tokens=256, average=3
)
SHORT = TrainingConfig(steps=6, warmup=2, evaluate_every=3, save_every=2, keep=3)


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.tsv"
    lines = [f"{n} cats .\t{n} 隻貓。\n" for n in range(200)]
    path.write_text("".join(lines) + f"{'long ' * 150}.\t長。\n", "utf-8")
    return FilePairs((path,))


def trained(folder, pairs, recipe=TINY, training=SHORT, **others):
    messages = []
    train_translator(folder, pairs, recipe, training, message=messages.append, **others)
    return messages


def test_the_model_is_the_mean_of_the_last_checkpoints_in_half_precision(pairs, tmp_path):
    messages = trained(tmp_path / "run", pairs, replace(TINY, average=2))
    model = load_model(tmp_path / "run" / "model.safetensors")
    mean = average_models(RunFolder(tmp_path / "run").checkpoints()[-2:])
    for name, weight in model.named_parameters():
        assert torch.equal(weight, mean.get_parameter(name).half().float())
    assert any("300 ids" in line for line in messages)
    for file in (tmp_path / "run").glob("*.safetensors"):
        assert load_tokenizer(file).vocab_size == 300


def test_tells_which_pairs_were_too_long(pairs, tmp_path):
    messages = trained(tmp_path / "run", pairs, replace(TINY, max_len=64, batch_tokens=1024))
    assert any(line.startswith("left out: 1 (1 too long)") for line in messages)


def test_too_few_pairs_to_validate_are_no_error(tmp_path):
    (tmp_path / "few.tsv").write_text("x .\t甲。\n", "utf-8")
    pairs = FilePairs((tmp_path / "few.tsv",))
    assert pairs.validation() == []
    assert any("0 pairs to validate" in line for line in trained(tmp_path / "run", pairs))


def test_goes_on_and_keeps_its_recipe(pairs, tmp_path):
    trained(tmp_path / "run", pairs)
    written = (tmp_path / "run" / "recipe.json").read_bytes()
    trained(tmp_path / "run", pairs, training=replace(SHORT, steps=8))
    again = json.loads((tmp_path / "run" / "recipe.json").read_bytes())
    assert again.pop("training").pop("steps") == 8
    assert again.items() <= json.loads(written).items()
    trained(tmp_path / "run", pairs, replace(TINY, average=1))  # shapes no weight of training


def test_a_recipe_that_is_none_is_named(pairs, tmp_path):
    RunFolder(tmp_path / "run").write_recipe({"recipe": {}})
    with pytest.raises(ValueError, match=r"recipe.json: not what a run begins with: KeyError"):
        trained(tmp_path / "run", pairs)


def test_pairs_are_known_by_their_contents_not_their_name(pairs, tmp_path):
    trained(tmp_path / "run", pairs)
    moved = tmp_path / "moved.tsv"
    moved.write_bytes(pairs.paths[0].read_bytes())
    trained(tmp_path / "run", FilePairs(moved))
    with pairs.paths[0].open("a") as file:
        file.write("x .\t甲。\n")
    with pytest.raises(ValueError, match=r"with pairs 'moved.tsv': got 'pairs.tsv' \(go"):
        trained(tmp_path / "run", pairs)
    with pytest.raises(ValueError, match=r"with pairs 'moved.tsv': got 'the grammar, 9 an epoch"):
        trained(tmp_path / "run", GrammarPairs(per_epoch=9))


def test_every_epoch_has_another_order_and_every_seed(pairs, tmp_path, monkeypatch):
    orders = []

    def spy(model, batches_for_epoch, config, *_, **__):
        for number in (0, 1):
            orders.append([batch.src.tolist() for batch in batches_for_epoch(number)])
        raise InterruptedError

    monkeypatch.setattr(translator, "train", spy)
    for seed in (0, 0, 1):
        with pytest.raises(InterruptedError):
            trained(tmp_path / f"run{len(orders)}", pairs, training=replace(SHORT, seed=seed))
    assert orders[0] == orders[2]
    assert orders[1] == orders[3]
    assert orders[0] != orders[1]
    assert orders[0] != orders[4]


def test_what_is_refused_leaves_nothing_behind(pairs, tmp_path):
    with pytest.raises(ValueError, match=r"^keep must be at least average.* keep=3, average=4$"):
        trained(tmp_path / "run", pairs, replace(TINY, average=4))
    assert [path.name for path in tmp_path.iterdir()] == ["pairs.tsv"]


def test_an_early_stop_ships_the_best_model(tmp_path):
    lines = [(f"{n} cats .", f"{'甲乙丙丁'[n % 4]}。") for n in range(40)]  # nothing to learn
    pairs = ListPairs(lines[:20], lines[20:])
    config = TrainingConfig(steps=400, warmup=20, evaluate_every=10, save_every=10, patience=2)
    messages = trained(tmp_path, pairs, training=config)
    best, model = (load_model(tmp_path / f"{name}.safetensors") for name in ("best", "model"))
    for name, weight in model.named_parameters():
        assert torch.equal(weight, best.get_parameter(name).half().float())
    assert any(line.startswith("no better for 2 evaluations: took the model") for line in messages)


def test_a_model_to_begin_with_lends_weights_and_tokenizer(pairs, tmp_path, monkeypatch):
    first = train_translator(tmp_path / "one", pairs, TINY, SHORT, message=lambda text: None)
    begun = []
    train = translator.train

    def spy(model, *args, **others):
        begun.append({name: weight.clone() for name, weight in model.named_parameters()})
        return train(model, *args, **others)

    monkeypatch.setattr(translator, "train", spy)
    other = ListPairs([("a b .", "甲乙。"), ("c d .", "丙丁。")] * 9)
    trained(tmp_path / "two", other, init=str(first))
    for name, weight in load_model(first).named_parameters():
        assert torch.equal(begun[0][name], weight)
    for file in (first, tmp_path / "two" / "model.safetensors"):
        assert load_tokenizer(file).to_json() == load_tokenizer(first).to_json()
    with pytest.raises(ValueError, match=r"two holds a run begun from another model, or from none"):
        trained(tmp_path / "two", other)
    with pytest.raises(ValueError, match=r"model.safetensors: cannot begin .*: d_ff=32, not 64$"):
        trained(tmp_path / "three", other, replace(TINY, d_ff=64), init=first)


def test_validates_with_pairs_of_ones_own_and_tells_what_it_leaves_out(pairs, tmp_path):
    own = tmp_path / "own.tsv"
    own.write_text(f"3 cats .\t三隻貓。\nno tab\n{'q' * 700}.\t長。\n", "utf-8")
    messages = trained(tmp_path / "run", FilePairs(pairs.paths, own))
    assert any("own.tsv: left out: 1 of 3 lines (1 malformed)" in line for line in messages)
    assert any(line.startswith("of the pairs to validate, left out: 1 (1 too") for line in messages)
    assert any("1 pairs to validate" in line for line in messages)


def test_validation_pairs_that_are_all_too_long_are_named_and_training_goes_on(tmp_path):
    pairs = ListPairs([("a b .", "甲乙。")] * 9, [("long " * 150, "長。")] * 2)
    messages = trained(tmp_path / "run", pairs)
    text = "none of the 2 pairs to validate fits into 256 tokens: nothing is validated"
    assert text in messages


def test_says_what_the_pairs_amount_to_and_how_it_translates(pairs, tmp_path):
    """The figures are counted again from the texts; a run that goes on says them too."""
    with pairs.paths[0].open("a", encoding="utf-8") as file:
        file.write("a rare word .\t龘\n")
    recipe = replace(TINY, vocab_size=262, batch_tokens=512, scored_pairs=5)
    config = replace(SHORT, best_by="chrf", accumulate=2)
    messages = trained(tmp_path / "run", pairs, recipe, config)
    tokenizer = load_tokenizer(tmp_path / "run" / "model.safetensors")
    texts = [pair for pair in pairs.epoch(0) if len(tokenizer.encode_source(pair[0])) <= 256]
    tokens = sum(len(tokenizer.encode_target(target)) - 1 for _, target in texts)
    batches = len([*EncodedBatches(EncodedPairs(tmp_path / "run" / "ids" / "train"), 512)(0)])
    epochs = 6 / -(-batches // 2)
    line = f"{tokens:,} target tokens in {len(texts)} pairs: 6 steps are {epochs:.1f} epochs"
    assert line in messages
    assert line in trained(tmp_path / "run", pairs, recipe, config)
    (characters,) = (line for line in messages if "cut into bytes" in line)
    everything = "".join(text for pair in pairs.epoch(0) for text in pair)
    share = sum(everything.count(one) for one in "隻貓長龘") / len(everything)
    assert characters.startswith(f"warning: 4 of {len({*everything})} different characters are not")
    assert f", {share:.2%} of the text, " in characters
    assert characters.endswith(", 龘 (1)")
    scored = [record for record in read_log(tmp_path / "run") if "chrf" in record]
    assert [record["step"] for record in scored] == [3, 6]
    held_out = dict(pairs.validation())
    for record in scored:
        assert 0 <= record["bleu"] <= 100
        assert [held_out[one["source"]] for one in record["samples"]] == [
            one["reference"] for one in record["samples"]
        ]
    more = trained(
        tmp_path / "two", pairs, replace(recipe, scored_pairs=0), replace(SHORT, steps=1)
    )
    assert any(line.startswith("warning: the run ends before its first epoch") for line in more)
    assert not any("chrf" in record for record in read_log(tmp_path / "two"))


def test_the_scores_of_an_evaluation_are_those_of_translate(no_shape_checks):
    model, tokenizer = load_pretrained()
    texts = [(p.source, p.target) for p in islice(generate_pairs(0, "longer"), 9)]
    ids = [*encode_pairs(texts, tokenizer), ([2], [1, 2])]  # no reference: left out
    found = score_translations(ids, tokenizer, most=4)(model)
    sources, references = zip(*texts[::2][:4])
    outputs = translate(model, tokenizer, sources)
    expected = score(outputs, references).overall
    assert (found["bleu"], found["chrf"]) == (expected.bleu, expected.chrf)
    assert [one["translation"] for one in found["samples"]] == outputs[:3]
    with pytest.raises(ValueError, match="must hold a reference to compare with: got none in 1"):
        score_translations(ids[-1:], tokenizer)


@pytest.mark.usefixtures("no_shape_checks")  # they take most of the time of the grammar
def test_the_spelling_of_the_pairs_goes_into_the_tokenizer(pairs, tmp_path):
    trained(tmp_path / "file", pairs)
    trained(tmp_path / "grammar", GrammarPairs(per_epoch=50))
    spellings = [load_tokenizer(tmp_path / name / "model.safetensors").spelling
                 for name in ("file", "grammar")]  # fmt: skip
    assert spellings == ["plain", "grammar"]
    assert not any("chrf" in record for record in read_log(tmp_path / "grammar"))


def test_pairs_of_a_file_are_encoded_once(pairs, tmp_path, monkeypatch):
    """A run that goes on reads ids, not text; what a killed one left is written anew."""
    run, read = tmp_path / "run", []
    messages = trained(run, pairs)
    epoch = FilePairs.epoch

    def spy(self, number):
        read.append(number)
        return epoch(self, number)

    monkeypatch.setattr(FilePairs, "epoch", spy)
    monkeypatch.setattr(FilePairs, "validation", lambda self: pytest.fail("read again"))
    more = replace(SHORT, steps=8)
    again = trained(run, FilePairs(pairs.paths), training=more)
    assert read == []
    assert [line for line in messages if "pairs to validate" in line][0] in again  # noqa: RUF015
    monkeypatch.undo()
    whole = (run / "model.safetensors").read_bytes()
    for name in ("train", "validation"):
        (run / "ids" / name / "header.json").unlink()
        (run / "step-00000008.safetensors").unlink(missing_ok=True)
        trained(run, pairs, training=more)
        assert (run / "model.safetensors").read_bytes() == whole
    RunFolder(run).recipe.unlink()  # as if a run with shorter pairs had been killed before its end
    for path in RunFolder(run).checkpoints():
        path.unlink()
    trained(run, pairs, replace(TINY, max_len=9))
    assert json.loads((run / "ids" / "train" / "header.json").read_text())["origin"]["max_len"] == 9
    trained(run, pairs, replace(TINY, max_len=9), training=more)
    (ids,) = (run / "ids" / "train").glob("ids-*.npy")
    ids.write_bytes(ids.read_bytes()[:-1] + b"\xff")
    with pytest.raises(ValueError, match="damaged: ids or offsets do not have their checksum"):
        trained(run, pairs, replace(TINY, max_len=9), training=replace(SHORT, steps=9))


def test_what_reading_leaves_out_is_reported_with_init_too(pairs, tmp_path):
    """A model to begin with has a tokenizer: no whole reading of the pairs comes before."""
    with pairs.paths[0].open("a", encoding="utf-8") as file:
        file.write("no tab\n" * 3)
    model = trained(tmp_path / "one", pairs) and tmp_path / "one" / "model.safetensors"
    for folder, init in (("two", None), ("three", model)):
        messages = trained(tmp_path / folder, FilePairs(pairs.paths), init=init)
        text = "pairs.tsv: left out: 3 of 204 lines (3 malformed)"
        assert sum(line.startswith(text) for line in messages) == 1


def test_a_checkpoint_under_the_name_of_another_step_is_refused(pairs, tmp_path):
    trained(tmp_path / "run", pairs)
    run = RunFolder(tmp_path / "run")
    run.checkpoint(4).write_bytes(run.checkpoint(2).read_bytes())
    with pytest.raises(ValueError, match=r"0004.*of step 2 under the name of step 4"):
        trained(tmp_path / "run", pairs)
    run.checkpoint(6).rename(run.checkpoint(9))
    with pytest.raises(ValueError, match=r"0009.*of step 6 under the name of step 9"):
        trained(tmp_path / "run", pairs, training=replace(SHORT, steps=12))


def test_the_old_name_of_a_parameter_still_works_and_pairs_must_be_pairs(
    pairs, tmp_path, no_shape_checks
):
    messages = []
    with pytest.warns(DeprecationWarning, match="tell of train_translator is now called message"):
        train_translator(tmp_path / "run", pairs, TINY, SHORT, tell=messages.append)
    assert messages
    with pytest.raises(TypeError, match="pairs must be such as ListPairs or FilePairs: got list"):
        train_translator(tmp_path / "run", [("a", "b")])
