"""`transformer prepare`: raw pairs become files to train on, to validate with and to test."""

from pathlib import Path
from typing import Annotated

import typer

from transformer.cli.options import Quiet, Seed, SourceFile, TargetFile, paths_of
from transformer.cli.output import open_output, print_message


def prepare(
    folder: Annotated[Path, typer.Argument(help="The folder to make.")],
    pairs: Annotated[
        list[Path] | None,
        typer.Option(help="Raw pairs, like those of train; may be given several times."),
    ] = None,
    source: SourceFile = None,
    target: TargetFile = None,
    source_language: Annotated[str, typer.Option(help="The source's language.")] = "en",
    target_language: Annotated[
        str, typer.Option(help="The target's; zh-TW is Traditional Chinese, zh-CN Simplified.")
    ] = "zh-TW",
    validation: Annotated[
        int, typer.Option(help="Pairs to validate with; at most a tenth of all.", min=0)
    ] = 1000,
    test: Annotated[
        int, typer.Option(help="Pairs for the test; at most a tenth of all.", min=0)
    ] = 1000,
    keep: Annotated[
        list[str] | None,
        typer.Option(help="A rule that is not applied; may be given several times."),
    ] = None,
    convert: Annotated[
        bool, typer.Option("--convert", help="Convert Simplified Chinese to Traditional.")
    ] = False,
    seed: Seed = 0,
    quiet: Quiet = False,
) -> None:
    """Clean raw pairs, and divide them into train.tsv, validation.tsv and test.tsv.

    Needs transformer-book[prepare]. What is left out is in left_out.tsv, with the reason; the
    counts are in report.json.
    """
    try:
        from transformer.data.preparation import Preparation, prepare_pairs
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"prepare needs {error.name}: pip install 'transformer-book[prepare]'", name=error.name
        ) from error
    aligned = paths_of(None, source, target)
    inputs: list[Path | tuple[Path, Path]] = [*(pairs or [])]
    if aligned:
        inputs.append((aligned[0], aligned[1]))
    if not inputs:
        raise ValueError("prepare needs raw pairs: give --pairs, or --source and --target")
    settings = Preparation(
        languages=(source_language, target_language),
        validation=validation,
        test=test,
        keep=tuple(keep or ()),
        convert=convert,
        seed=seed,
    )
    report = prepare_pairs(inputs, folder, settings, print_message)
    if not quiet:
        with open_output() as output:
            print(report, file=output)
