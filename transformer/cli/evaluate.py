"""`transformer evaluate`: translate, then compare."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from transformer.cli.evaluation_sets import (
    EvaluationSet,
    outputs_of,
    pairs_of_files,
    pairs_of_split,
)
from transformer.cli.options import (
    BatchSize,
    Beam,
    Device,
    LengthPenalty,
    MaxLength,
    ModelFile,
    PairsFile,
    SourceFile,
    SourceLanguage,
    TargetFile,
    TargetLanguage,
    decoder,
    languages_of,
    paths_of,
    penalty_of,
)
from transformer.cli.output import check_output, discard, open_output, print_message
from transformer.data.report import Report
from transformer.device import DeviceName, find_device
from transformer.inference.evaluation import score
from transformer.inference.shipped import PRETRAINED
from transformer.inference.significance import Comparison, compare
from transformer.inference.translation import Decode, translate
from transformer.model_file import load_translator

SPLITS = ("test", "compositional", "longer")


def evaluate(
    model: ModelFile = None,
    split: Annotated[
        Literal["test", "compositional", "longer"] | None,
        typer.Option(help="Which pairs of the grammar; all three when not given."),
    ] = None,
    sentences: Annotated[int, typer.Option(help="Pairs of each split.", min=1)] = 1000,
    pairs: PairsFile = None,
    source: SourceFile = None,
    target: TargetFile = None,
    source_language: SourceLanguage = None,
    target_language: TargetLanguage = None,
    hypotheses: Annotated[
        Path | None, typer.Option(help="Score this output, a line a pair, without a model.")
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option(help="Output of another system: is the difference luck?")
    ] = None,
    tokenize: Annotated[
        Literal["zh", "13a", "intl", "char", "none"] | None,
        typer.Option(
            help="How BLEU cuts text: zh for Chinese, 13a for European languages; by the "
            "references' script when not given."
        ),
    ] = None,
    beam: Beam = 1,
    length_penalty: LengthPenalty = None,
    max_length: MaxLength = None,
    device: Device = "auto",
    batch_size: BatchSize = 64,
    to: Annotated[
        Path | None, typer.Option("--json", help="Save the scores here; - prints them alone.")
    ] = None,
) -> None:
    """Translate pairs that training did not see, and score what comes out."""
    paths = paths_of(pairs, source, target)
    languages = languages_of(source_language, target_language)
    if languages and not paths:
        raise ValueError(f"languages belong to pairs of your own: got {', '.join(languages)} alone")
    if paths and split:
        raise ValueError(f"give --split or your own pairs, not both: got {split}")
    if hypotheses and (model or beam > 1 or max_length):
        raise ValueError(
            "--hypotheses needs no model: leave out --model and --beam, and --max-length"
        )
    decode = decoder(beam, penalty_of(beam, length_penalty), max_length)
    if (hypotheses or baseline) and not (paths or split):
        raise ValueError("--hypotheses and --baseline belong to one set: give --split or pairs")
    alone = str(to) == "-"
    inputs = (*paths, hypotheses, baseline, PRETRAINED if model is None else model)
    if to and not alone:
        check_output("--json", to, *inputs)
    check_output("standard output", None, *inputs)

    names = [split] if split else SPLITS
    sets = (
        [pairs_of_files(paths, languages)]
        if paths
        else [pairs_of_split(n, sentences) for n in names]
    )
    others = [outputs_of(baseline, one) for one in sets] if baseline else []
    if hypotheses:
        record: dict[str, Any] = {"hypotheses": hypotheses.name}
        outputs: Iterator[list[str]] = map(partial(outputs_of, hypotheses), sets)
    else:
        record = {"model": (model or PRETRAINED).name, "beam": beam}
        if beam > 1:
            record["length_penalty"] = penalty_of(beam, length_penalty)
        if max_length:
            record["max_length"] = max_length
        outputs = _translations(sets, model, device, decode, batch_size)

    scores, comparisons = {}, {}

    def show(text: str) -> None:
        if alone:
            return
        try:
            print(text, flush=True)
        except BrokenPipeError:  # Whoever read has left, but the scores are still to be saved.
            if not to:
                raise
            discard(sys.stdout)

    with open_output():  # which names standard output where it cannot be written
        for number, (one, translations) in enumerate(zip(sets, outputs)):
            found = score(
                translations,
                one.references,
                sources=one.sources,
                constructions=one.constructions,
                tokenize=tokenize,
            )
            scores[one.name] = found
            text = f"{one.name}\n{found}\n"
            if baseline:
                compared = compare(translations, others[number], one.references, tokenize=tokenize)
                comparisons[one.name] = {k: asdict(v) for k, v in compared.items()}
                text += f"\nagainst {baseline.name}\n{_table(compared)}\n"
            show(text)
        for name, found in scores.items():
            exact = f"{found.overall.exact_match:.2f}% exact match"
            bleu_and_chrf = f"BLEU {found.overall.bleu:.2f}, chrF {found.overall.chrf:.2f}"
            show(f"{name}: {bleu_and_chrf}, {exact}" if paths else f"{name}: {exact}")
    if to:
        record["versions"] = {name: version(name) for name in ("torch", "sacrebleu", "tokenizers")}
        record["scores"] = {name: found.to_dict() for name, found in scores.items()}
        if baseline:
            record["baseline"] = baseline.name
            record["comparisons"] = comparisons
        with open_output(None if alone else to) as out:
            print(json.dumps(record, indent=2, ensure_ascii=False), file=out)


def _translations(
    sets: list[EvaluationSet],
    model: Path | None,
    device: DeviceName,
    decode: Decode[list[int]],
    batch_size: int,
) -> Iterator[list[str]]:
    """Translate each set; what cannot be is reported, and scored as an empty translation."""
    network, tokenizer = load_translator(model or PRETRAINED)
    network.to(find_device(device))
    for one in sets:
        report = Report(cap=len(one.sources))
        outputs = translate(
            network, tokenizer, one.sources, batch_size=batch_size, decode=decode, report=report
        )
        for _, row, kind, detail in report.problems:
            print_message(
                f"{one.name}, line {one.lines[row - 1]}: {kind} ({detail}); scored as empty"
            )
        yield outputs


def _table(compared: dict[str, Comparison]) -> str:
    lines = [f"{'':5}  baseline  system  p"]
    for name, both in compared.items():
        lines.append(f"{name:5}  {both.baseline:8.2f}  {both.system:6.2f}  {both.p_value:.3f}")
    return "\n".join([*lines, *(f"{name} {both.signature}" for name, both in compared.items())])
