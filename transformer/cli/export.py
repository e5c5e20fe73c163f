"""`transformer export`: a trained model for an engine made for serving."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from transformer.cli.output import print_message
from transformer.inference.export import export_ctranslate2
from transformer.inference.shipped import PRETRAINED
from transformer.model_file import load_translator
from transformer.training.run_folder import RunFolder


def export(
    run: Annotated[
        Path, typer.Argument(help="A run's folder, a model's file, or shipped for the shipped one.")
    ],
    out: Annotated[Path, typer.Argument(help="The folder to make.")],
    precision: Annotated[
        Literal["float32", "int8"],
        typer.Option(help="int8: little over a quarter of the size, now and then another token."),
    ] = "float32",
) -> None:
    """Write a trained model for CTranslate2, which translates without PyTorch.

    Needs transformer-book[export]. The folder holds the model and its tokenizer.
    """
    path = PRETRAINED if run == Path("shipped") else RunFolder(run).model if run.is_dir() else run
    model, tokenizer = load_translator(path)
    export_ctranslate2(model, tokenizer, out, precision=precision)
    print_message(f"ctranslate2, {precision}: {out}")
