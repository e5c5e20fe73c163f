"""The hand-made model: what it translates, what each part is worth, a pencil, slips in its file."""

import re

import pytest
import torch
from torch import Tensor

from docs.figures import _hand_made as made
from docs.tables import hand_made_sheet, hand_made_worth
from transformer import hand_made_pairs, load_hand_made, translate
from transformer.inference.hand_made import HAND_MADE, hand_made_numbers
from transformer.inference.translation import translate_n_best

MODEL, TOKENIZER = load_hand_made()
PAIRS = hand_made_pairs()
SHEET = HAND_MADE.read_text("utf-8")

# What pages and figures show, by hand as well: greedy decoding, wrong of 90.
WORTH = {
    "encoder.layers.0.self_attention": {
        "head 1": 68, "head 2": 36, "sub-layer": 82, "residual": 90, "norm": 56,
    },
    "encoder.layers.0.feed_forward": {"sub-layer": 18, "residual": 90, "norm": 0, "relu": 48},
    "decoder.layers.0.self_attention": {
        "head 1": 4, "head 2": 90, "sub-layer": 90, "residual": 90, "norm": 54,
    },
    "decoder.layers.0.cross_attention": {
        "head 1": 90, "head 2": 36, "sub-layer": 90, "residual": 17, "norm": 32,
    },
    "decoder.layers.0.feed_forward": {"sub-layer": 30, "residual": 90, "norm": 0, "relu": 90},
    "src": {"positions": 70, "scale": 36},
    "tgt": {"positions": 13, "scale": 30},
    "all": {"norm": 90, "division": 0},
}  # fmt: skip


@pytest.fixture
def edited(tmp_path):
    """Return the path of a copy of the file in which one text is another."""

    def edit(old, new):
        assert old in SHEET
        path = tmp_path / "mine.txt"
        path.write_text(SHEET.replace(old, new, 1), "utf-8")
        return path

    return edit


# What it translates


def test_there_are_90_sentences():
    assert len(PAIRS) == 90
    assert PAIRS["cats beat dogs yesterday"] == PAIRS["yesterday cats beat dogs"] == "貓昨天贏了狗"


def test_greedy_decoding_in_one_padded_batch():
    sources, _ = made.batch()
    assert (sources == 0).any()
    assert made.wrong_by_greedy(MODEL) == 0
    assert translate(MODEL, TOKENIZER, list(PAIRS), batch_size=90) == list(PAIRS.values())


def test_beam_search():
    found = translate_n_best(MODEL, TOKENIZER, list(PAIRS), beam_size=4, batch_size=90)
    assert [best.text for [best] in found] == list(PAIRS.values())


def test_teacher_forcing_alone_and_least_probability():
    least = 1.0
    for source, target in PAIRS.items():
        src = torch.tensor([TOKENIZER.encode_source(source)])
        tgt = torch.tensor([TOKENIZER.encode_target(target)])
        with torch.no_grad():
            probabilities = MODEL(src, tgt[:, :-1]).softmax(-1)[0]
        assert probabilities.argmax(-1).tolist() == tgt[0, 1:].tolist()
        least = min(least, probabilities.gather(-1, tgt[0, 1:, None]).min().item())
    assert round(least, 3) == 0.938


# What its parts are worth


def test_what_each_part_is_worth():
    found: dict[str, dict[str, int]] = {}
    for (part, what), wrong in made.worth().items():
        found.setdefault(part, {})[what] = wrong
    assert found == WORTH


def test_given_the_right_words_the_same_sentences_are_wrong():
    """A wrong next token somewhere is a wrong sentence, for whoever cannot see the future."""
    for part, what, model in made.ablations():
        assert made.wrong_by_forcing(model) == WORTH[part][what], (part, what)


def test_the_causal_mask_matters_when_the_right_words_are_given_and_only_then(monkeypatch):
    def everything(n, device=None):
        return torch.ones(1, 1, n, n, dtype=torch.bool, device=device)

    monkeypatch.setattr("transformer.model.transformer.causal_mask", everything)
    assert made.wrong_by_greedy(MODEL) == 0
    assert made.wrong_by_forcing(MODEL, hide_future=False) == 90


def test_numbers_that_may_be_0():
    assert sum(map(len, made.idle().values())) == 18
    assert made.wrong_by_forcing(MODEL) == 0  # all are back in their places


def test_source_rows_of_1_are_too_quiet(edited):
    rows = SHEET[SHEET.index("[src_embedding]") : SHEET.index("[tgt_embedding]")]
    quiet, _ = load_hand_made(edited(rows, rows.replace("2 ", "")))
    assert made.wrong_by_forcing(quiet) == 8


# Its numbers


def test_109_whole_numbers_none_above_7():
    cells = hand_made_numbers()
    assert len(cells) == 109
    assert all(isinstance(cell.value, int) and 1 <= abs(cell.value) <= 7 for cell in cells)
    norms = [p for name, p in MODEL.named_parameters() if "norm" in name]
    written = sum(int(p.count_nonzero()) for p in MODEL.parameters()) - 40
    assert written == 109
    assert sum(p.numel() for p in norms) == 80
    assert sum(p.numel() for p in MODEL.parameters()) == 1325


def test_every_number_knows_its_line():
    lines = SHEET.splitlines()
    for cell in hand_made_numbers():
        row, _, formula = lines[cell.line - 1].partition("#")[0].partition("=")
        assert row.strip() == cell.row
        sign = "-" if cell.value < 0 else ""
        size = str(abs(cell.value)) if abs(cell.value) > 1 or not cell.column else ""
        terms = formula.replace(" ", "").replace("-", "+-").split("+")
        assert f"{sign}{size}{cell.column or ''}" in terms, cell
        weight = MODEL.get_submodule(cell.part).get_parameter("weight" if cell.column else "bias")
        assert weight[cell.index] == cell.value
        heading = next(x for x in reversed(lines[: cell.line]) if x.startswith("["))
        assert heading.partition("]")[0] == f"[{cell.part}"


def test_ids_11_to_17_are_of_the_source_and_the_end_is_shared():
    assert TOKENIZER.encode_source("cats dogs you beat upset today yesterday") == [
        *range(11, 18), 2,
    ]  # fmt: skip
    rows = MODEL.src_embedding.weight
    assert [i for i in range(18) if rows[i].any()] == [2, *range(11, 18)]


def test_tables_end_in_the_logits_of_the_model():
    tables = made.numbers()
    with torch.no_grad():
        logits = MODEL(tables["src.ids"][None], tables["tgt.ids"][None, :-1])[0]
    torch.testing.assert_close(tables["logits"], logits, rtol=1e-5, atol=1e-4)
    assert round(tables["loss"].mean().item(), 3) == 0.009


# A pencil: every table, computed from printed ones, is the next one printed.


def printed(name: str) -> Tensor:
    """Return a table as a reader sees it: two decimals."""
    return made.numbers()[name].double().round(decimals=2)


PRECISE = load_hand_made()[0].double()


def rows_of(part: str, states: Tensor) -> Tensor:
    with torch.no_grad():
        return PRECISE.get_submodule(part)(states)


# How far the printed digits may lead away: a product makes their error as large as its weights.
STEPS = {
    "embedding": 0.011, "projection": 0.031, "scores": 0.03, "weights": 0.006, "heads": 0.035,
    "found": 0.011, "sum": 0.011, "norm": 0.007, "neuron": 0.011, "logits": 0.051,
    "probabilities": 0.006,
}  # fmt: skip


def pencil():
    """Yield each step: its kind, what a reader gets, and what is printed."""
    for side in ("src", "tgt"):
        yield "embedding", printed(f"{side}.embedding") + printed(f"{side}.position"), f"{side}.x"
    blocks = (
        ("enc", "encoder.layers.0.self_attention", "src.x", "src.x"),
        ("self", "decoder.layers.0.self_attention", "tgt.x", "tgt.x"),
        ("cross", "decoder.layers.0.cross_attention", "self.norm", "src.ffn.norm"),
    )
    for name, part, query, key in blocks:
        for letter, read in (("q", query), ("k", key), ("v", key)):
            yield "projection", rows_of(f"{part}.{letter}_proj", printed(read)), f"{name}.{letter}"
        outputs = []
        for head, cut in (("a", slice(0, 4)), ("b", slice(4, 8))):
            q, k, v = (printed(f"{name}.{letter}")[:, cut] for letter in "qkv")
            scores = q @ k.T / 2
            scores[printed(f"{name}.scores.{head}").isinf()] = -torch.inf
            yield "scores", scores, f"{name}.scores.{head}"
            weights = printed(f"{name}.scores.{head}").softmax(-1)
            yield "weights", weights, f"{name}.weights.{head}"
            outputs.append(printed(f"{name}.weights.{head}") @ v)
        yield "heads", torch.cat(outputs, -1), f"{name}.heads"
        yield "found", rows_of(f"{part}.out_proj", printed(f"{name}.heads")), f"{name}.found"
        yield "sum", printed(query) + printed(f"{name}.found"), f"{name}.sum"
        yield "norm", rows_of(f"{part}_norm", printed(f"{name}.sum")), f"{name}.norm"
    for name, part, before in (
        ("src.ffn", "encoder.layers.0.feed_forward", "enc.norm"),
        ("tgt.ffn", "decoder.layers.0.feed_forward", "cross.norm"),
    ):
        yield "neuron", rows_of(f"{part}.expand", printed(before)), f"{name}.neuron"
        fired = printed(f"{name}.neuron").relu()
        yield "found", rows_of(f"{part}.contract", fired), f"{name}.found"
        yield "sum", printed(before) + printed(f"{name}.found"), f"{name}.sum"
        yield "norm", rows_of(f"{part}_norm", printed(f"{name}.sum")), f"{name}.norm"
    yield "logits", rows_of("output_layer", printed("tgt.ffn.norm")), "logits"
    yield "probabilities", printed("logits").softmax(-1), "probabilities"


def test_a_pencil_and_two_decimals_lead_from_table_to_table():
    for kind, got, name in pencil():
        shown = printed(name)
        visible = ~shown.isinf()
        off = (got - shown)[visible].abs().max().item()
        assert off <= STEPS[kind], (name, off)


def test_no_printed_digit_hangs_on_the_last_bits():
    """Another processor adds in another order; what pages print is the same there."""
    for name, shown in made.numbers().items():
        hundredths = shown[~shown.isinf()].double() * 100
        border = (hundredths - hundredths.floor() - 0.5).abs()
        constant = name.endswith((".position", ".x"))  # sines: one sum, no product
        small = hundredths.abs() < 0.6  # sin 0.005 alone, here and in a key
        assert border.min() > 1e-6, name
        assert constant or border[~small].min() > 3e-4, name


def test_the_sheet_has_every_table():
    sheet = hand_made_sheet.table(str, hand_made_sheet.count())
    assert sheet.count('<section class="sheet"') == 2
    assert [int(n) for n in re.findall(r"<b>(\d+)</b>", sheet)] == [*range(1, 32)]
    for number in ("−6.00", "10.00", "−23.65", "13.78"):
        assert number in sheet


def test_the_table_of_the_page_shows_the_same_counts():
    lines = hand_made_worth.table(str, hand_made_worth.count()).splitlines()[2:]
    cells = [[cell.strip() for cell in line.split("|")[2:-1]] for line in lines]
    for row, part in zip(cells, [name for name in WORTH if "." in name], strict=True):
        assert [int(cell) for cell in row if cell] == [*WORTH[part].values()]


# Loading


def test_the_global_random_state_stays():
    torch.manual_seed(7)
    before = torch.get_rng_state()
    load_hand_made()
    assert torch.equal(torch.get_rng_state(), before)


def test_is_in_evaluation_mode_on_the_device_that_was_asked_for():
    model, _ = load_hand_made(device="meta")
    assert not model.training
    assert {p.device.type for p in model.parameters()} == {"meta"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("cats      = 2 N", "cats      = 2 M", "names are sin, cos, V, S, T, N, P, O: got 'M'"),
        ("cats      = 2 N", "birds     = 2 N", "names are <eos>, cats, dogs.*: got 'birds'"),
        ("a1 = 3 sin - 6 cos", "c1 = 3 sin - 6 cos", "names are a1, .*, b4: got 'c1'"),
        ("[encoder.layers.0.feed_forward.expand]", "[encoder.layers.1.feed_forward.expand]",
         "parts are .*: got 'encoder.layers.1.feed_forward.expand'"),
        ("[output_layer]", "[output]", "parts are .*: got 'output'"),
        ("dogs      = 2 N", "cats      = 2 N", "cats must stand once: it stands in line 27"),
        ("you       = 2 N", "you       = 2 N + 1", "an embedding has no bias: got '2 N \\+ 1'"),
        ("you       = 2 N", "you       = 2 N + N", "N must stand once: got '2 N \\+ N'"),
        ("h = V + 2 P - T - 2", "h = V + 2 - 2", "a bias must stand once: got 'V \\+ 2 - 2'"),
        ("you       = 2 N", "you         2 N", "a line must be `name = …` or `.part.`: got 'you"),
        ("you       = 2 N", "you       =", "a formula must be like .*: got nothing"),
        ("you       = 2 N", "you       = 2 N 2 S", "a formula must be like .*: got '2 S'"),
        ("you       = 2 N", "you       = 2.5 N", "a formula must be like .*: got '.5 N'"),
        ("hidden = h", "secret = h", "names are target, source, .*: got 'secret'"),
        ("source = cats dogs", "source = cats cats", "a name must stand once: got cats twice"),
    ],
)  # fmt: skip
def test_a_slip_is_told_with_its_line_and_name(edited, old, new, message):
    path = edited(old, new)
    lines = list(enumerate(path.read_text("utf-8").splitlines(), start=1))
    [*_, line] = (n for n, text in lines if text.startswith(new))  # of two that are alike the last
    with pytest.raises(ValueError, match=f"mine.txt, line {line}: {message}"):
        load_hand_made(path)


def test_names_stand_before_weights_and_special_tokens_first(edited):
    with pytest.raises(ValueError, match="line 26: a line `hidden = …` must stand before the wei"):
        load_hand_made(edited("hidden = h", ""))
    with pytest.raises(ValueError, match=r"mine.txt: target must begin with <pad> <bos> <eos>"):
        load_hand_made(edited("target = <pad> <bos>", "target = <bos> <pad>"))
    with pytest.raises(ValueError, match=r"mine.txt: a line `source = …` must stand before"):
        load_hand_made(edited(SHEET, "target = <pad> <bos> <eos> 貓\n"))


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [("h = 3 P - 2", "h = 3 P", 57), ("yesterday = 2 T + P", "yesterday = 2 T", 36)],
)
def test_a_changed_number_changes_what_is_written(edited, old, new, wrong):
    model, _ = load_hand_made(edited(old, new))
    assert made.wrong_by_greedy(model) == wrong
