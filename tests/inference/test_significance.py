"""Is the difference luck? What sacreBLEU says, and where it may not be asked."""

from sacrebleu import BLEU, CHRF
from sacrebleu.significance import PairedTest

from tests.refused import refusals
from transformer.inference.significance import compare

RIGHT = ["貓正在睡覺。", "她買了三本書。", "他沒有看到那隻狗。"] * 20
WORSE = ["貓在睡。", *RIGHT[1:40], *["她買書。"] * 20]


def test_is_sacrebleus_paired_bootstrap():
    metrics = {"BLEU": BLEU(tokenize="zh", effective_order=True), "chrF2": CHRF()}
    _, expected = PairedTest([("a", WORSE), ("b", RIGHT)], metrics, [RIGHT], test_type="bs")()
    found = compare(RIGHT, WORSE, RIGHT)
    for name, both in found.items():
        baseline, system = expected[name]
        assert (both.baseline, both.system) == (baseline.score, system.score)
        assert both.p_value == system.p_value < 0.05
        assert "bs:1000|seed:12345" in both.signature
    assert compare(RIGHT, WORSE, RIGHT) == found


def test_no_difference_is_luck():
    assert {both.p_value for both in compare(WORSE, WORSE, RIGHT).values()} == {1.0}


def test_one_sentence_in_sixty_is_luck():
    almost = [RIGHT[0][:-2] + "了。", *RIGHT[1:]]
    assert compare(RIGHT, almost, RIGHT)["BLEU"].p_value > 0.05


test_refuses = refusals(
    (lambda: compare(RIGHT, RIGHT, RIGHT[1:]), ValueError,
     "there must be as many of each, one a sentence: "
     "got {'hypotheses': 60, 'baseline': 60, 'references': 59}"),
    (lambda: compare([], [], []), ValueError,
     "there must be at least one sentence to compare: got none"),
    (lambda: compare("貓", ["貓"], ["貓"]), TypeError,
     "hypotheses must be a list of strings: got the string '貓'"),
)  # fmt: skip
