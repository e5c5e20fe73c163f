"""The command line: train, translate, evaluate, trace."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal, NoReturn

import torch
import typer
from rich.console import Console
from torch import Tensor
from typer.exceptions import Abort, TyperException

from transformer.data.corpus import generate_pairs
from transformer.data.files import TextPair
from transformer.data.left_out import Report
from transformer.data.sources import FilePairs, GrammarPairs, read_files
from transformer.data.tokenizer import Tokenizer
from transformer.inference.attention_table import attention_table
from transformer.inference.decoding import beam_search, greedy_decode
from transformer.inference.evaluation import score
from transformer.inference.shipped import PRETRAINED, as_the_grammar, load_pretrained, unknown_words
from transformer.inference.translation import translate
from transformer.model.masks import padding_mask
from transformer.model.transformer import Transformer
from transformer.tracing import trace as trace_calls
from transformer.training import distributed
from transformer.training.config import TrainingConfig
from transformer.training.recipe import Recipe, train_translator

_TOGETHER = 64  # sentences to translate at once
_DEFAULTS = Recipe()
SPLITS = ("test", "compositional")

app = typer.Typer(
    name="transformer",
    help="Train a Transformer, translate with it, measure it, look inside.",
    no_args_is_help=True,
    add_completion=False,
)

ModelFile = Annotated[
    Path, typer.Option("--model", help="Model or checkpoint; the shipped one when not given.")
]
PairsFile = Annotated[
    Path | None, typer.Option(help="Your pairs: source, tab, target on each line.")
]
SourceFile = Annotated[Path | None, typer.Option(help="Your sources, one a line; needs --target.")]
TargetFile = Annotated[Path | None, typer.Option(help="Their translations, line by line.")]
Beam = Annotated[int, typer.Option(help="Beams to follow; 1 is greedy.", min=1)]


@app.command()
def train(
    folder: Annotated[Path, typer.Argument(help="Where to keep checkpoints, log and model.")],
    pairs: PairsFile = None,
    source: SourceFile = None,
    target: TargetFile = None,
    steps: Annotated[int, typer.Option(help="Updates of the weights in all.")] = 4000,
    warmup: Annotated[int, typer.Option(help="Step of the highest learning rate.")] = 1000,
    batch_tokens: Annotated[
        int, typer.Option(help="Most tokens of a batch on each side.")
    ] = _DEFAULTS.batch_tokens,
    accumulate: Annotated[int, typer.Option(help="Batches that make one update.")] = 1,
    vocab_size: Annotated[
        int, typer.Option(help="Most ids of the vocabulary.")
    ] = _DEFAULTS.vocab_size,
    d_model: Annotated[int, typer.Option(help="Width of a state.")] = _DEFAULTS.d_model,
    num_heads: Annotated[int, typer.Option(help="Heads of each attention.")] = _DEFAULTS.num_heads,
    num_layers: Annotated[
        int, typer.Option(help="Layers of the encoder, and of the decoder.")
    ] = _DEFAULTS.num_layers,
    d_ff: Annotated[
        int, typer.Option(help="Inner width of the feed-forward networks.")
    ] = _DEFAULTS.d_ff,
    dropout: Annotated[
        float, typer.Option(help="Probability of dropping a number.")
    ] = _DEFAULTS.dropout,
    max_len: Annotated[
        int, typer.Option(help="Most tokens of a sentence; longer pairs are left out.")
    ] = _DEFAULTS.max_len,
    label_smoothing: Annotated[
        float, typer.Option(help="Share of probability spread over all ids.")
    ] = 0.1,
    patience: Annotated[
        int | None, typer.Option(help="Stop after so many evaluations without a better loss.")
    ] = None,
    average: Annotated[int, typer.Option(help="Last checkpoints to average.")] = 10,
    seed: Annotated[int, typer.Option(help="Where all random numbers start.")] = 0,
    dtype: Annotated[
        Literal["float32", "bfloat16"], typer.Option(help="bfloat16 is mixed precision.")
    ] = "float32",
    compile: Annotated[
        bool, typer.Option("--compile", help="Let torch.compile compile the model.")
    ] = False,
    device: Annotated[
        Literal["auto", "cpu", "cuda"], typer.Option(help="Where to train; auto takes a GPU.")
    ] = "auto",
) -> None:
    """Train a translator, on your pairs or on the grammar, or go on where it was stopped.

    The defaults are the recipe of the shipped model. With torchrun in front, every process takes
    its share of each batch.
    """
    paths = _paths(pairs, source, target)
    place = distributed.join(device)
    first = distributed.rank() == 0
    path = train_translator(
        folder,
        FilePairs(paths) if paths else GrammarPairs(seed),
        Recipe(vocab_size, d_model, num_heads, num_layers, d_ff, dropout, max_len, batch_tokens),
        TrainingConfig(
            steps=steps,
            warmup=warmup,
            label_smoothing=label_smoothing,
            accumulate=accumulate,
            seed=seed,
            evaluate_every=max(1, steps // 16),
            save_every=max(1, steps // 40),
            keep=max(average, 1),
            patience=patience,
            dtype=dtype,
            compile=compile,
        ),
        average=average,
        device=place,
        tell=_tell if first else lambda text: None,
    )
    distributed.leave()
    if first:
        _tell(f"the model is in {path}")


@app.command("translate")
def translate_sentences(
    sentences: Annotated[
        list[str] | None, typer.Argument(help="Sentences; standard input when there are none.")
    ] = None,
    file: Annotated[Path | None, typer.Option(help="A file of sentences, one a line.")] = None,
    model: ModelFile = PRETRAINED,
    beam: Beam = 1,
    attention: Annotated[
        bool, typer.Option("--attention", help="Show what each word of the output looks at.")
    ] = False,
) -> None:
    """Translate sentences: one line of output for each of input, in the same order."""
    if sentences and file:
        raise ValueError(f"give sentences or --file, not both: got {file}")
    network, tokenizer = load_pretrained(model)
    decode = _decoder(beam)
    lines, together = _lines(sentences, file)
    while group := list(islice(lines, together)):
        texts = [_prepared(line, model, tokenizer) for line in group]
        written = [text for text in texts if text]
        outputs = iter(translate(network, tokenizer, written, decode=decode))
        for text in texts:
            output = next(outputs) if text else ""
            print(output, flush=True)
            if attention and text:
                Console().print(attention_table(network, tokenizer, text, output))


@app.command()
def evaluate(
    model: ModelFile = PRETRAINED,
    split: Annotated[
        Literal["test", "compositional"] | None,
        typer.Option(help="Which pairs of the grammar; both when not given."),
    ] = None,
    sentences: Annotated[int, typer.Option(help="Pairs of each split.", min=1)] = 1000,
    pairs: PairsFile = None,
    source: SourceFile = None,
    target: TargetFile = None,
    beam: Beam = 1,
    to: Annotated[Path | None, typer.Option("--json", help="Save the scores here too.")] = None,
) -> None:
    """Translate pairs that training did not see, and score what comes out."""
    paths = _paths(pairs, source, target)
    if paths and split:
        raise ValueError(f"give --split or your own pairs, not both: got {split}")
    network, tokenizer = load_pretrained(model)
    scores = {}
    for name, texts, constructions in _sets(paths, [split] if split else SPLITS, sentences):
        sources = [text for text, _ in texts]
        references = [reference for _, reference in texts]
        hypotheses = translate(network, tokenizer, sources, decode=_decoder(beam))
        scores[name] = score(hypotheses, references, sources=sources, constructions=constructions)
        print(f"{name}\n{scores[name]}\n")
    for name, result in scores.items():
        print(f"{name}: {result.overall.exact_match:.2f}% exact match")
    if to:
        record = {
            "model": model.name,
            "beam": beam,
            "versions": {name: version(name) for name in ("torch", "sacrebleu", "tokenizers")},
            "scores": {name: result.to_dict() for name, result in scores.items()},
        }
        to.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", "utf-8")


@app.command()
def trace(
    run: Annotated[
        Literal["construction", "forward", "step"], typer.Argument(help="What to record.")
    ] = "forward",
    sentence: Annotated[
        str, typer.Option(help="The sentence that the model reads.")
    ] = "the cat is sleeping .",
    model: ModelFile = PRETRAINED,
) -> None:
    """Run the model and print which function called which, with every shape.

    construction: the model is made. forward: a sentence and its translation, from ids to logits.
    step: one more token with the cache, after the first.
    """
    network, tokenizer = load_pretrained(model)
    src = torch.tensor([tokenizer.encode_source(_prepared(sentence, model, tokenizer))])
    tgt = torch.tensor([[tokenizer.bos_id, *greedy_decode(network, src)[0]]])
    if run == "construction":
        print(trace_calls(Transformer, network.config))
    elif run == "forward":
        print(trace_calls(network, src, tgt))
    else:
        memory, mask = network.encode(src), padding_mask(src, network.config.pad_id)
        cache = network.new_cache()
        network.decode(tgt[:, :1], memory, mask, cache)
        print(trace_calls(network.decode, tgt[:, 1:2], memory, mask, cache))


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command; what is wrong with the input is told in one line, with exit code 2.

    Args:
        arguments: The words after `transformer`; those of the process when None.
    """
    try:
        code = app(arguments, prog_name="transformer", standalone_mode=False)
    except TyperException as error:
        _fail(error.format_message())  # empty where the help was shown
    except OSError as error:
        if isinstance(error, BrokenPipeError):  # as in `transformer translate … | head -1`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (ValueError, FloatingPointError) as error:
        _fail(str(error))
    except (Abort, KeyboardInterrupt):
        _tell("stopped")
        sys.exit(130)
    sys.exit(code or 0)


def _fail(message: str) -> NoReturn:
    if message:
        _tell("error: " + " ".join(message.split()))
    sys.exit(2)


def _tell(text: str) -> None:
    print(text, file=sys.stderr)


def _paths(pairs: Path | None, source: Path | None, target: Path | None) -> tuple[Path, ...]:
    """Return the one file or the two, or none."""
    if pairs and (source or target):
        raise ValueError(f"give --pairs, or --source and --target: got --pairs {pairs} and more")
    if (source is None) != (target is None):
        raise ValueError(f"--source and --target go together: got {source or target} alone")
    return tuple(path for path in (pairs, source, target) if path)


def _decoder(beam: int) -> Callable[[Transformer, Tensor], list[list[int]]]:
    if beam == 1:
        return greedy_decode

    def decode(model: Transformer, src: Tensor) -> list[list[int]]:
        return [list(best.ids) for [best] in beam_search(model, src, beam_size=beam)]

    return decode


def _lines(sentences: list[str] | None, file: Path | None) -> tuple[Iterator[str], int]:
    """Return the sentences, and how many to read before translating."""
    if sentences:
        return iter(sentences), _TOGETHER
    if file:
        return iter(file.read_text("utf-8").splitlines()), _TOGETHER
    return (line.rstrip("\n") for line in sys.stdin), 1 if sys.stdin.isatty() else _TOGETHER


def _prepared(text: str, model: Path, tokenizer: Tokenizer) -> str:
    """Return the text as the model knows it; the shipped one knows few words."""
    if model != PRETRAINED:
        return " ".join(text.split())
    text = as_the_grammar(text)
    if unknown := unknown_words(text, tokenizer):
        _tell(f"warning: the shipped model has never seen: {', '.join(unknown)}")
    return text


def _sets(
    paths: tuple[Path, ...], splits: Iterable[str], count: int
) -> Iterator[tuple[str, list[TextPair], list[frozenset[str]] | None]]:
    """Yield the pairs to score: a name, the texts, and what they show if it is known."""
    if paths:
        report = Report()
        yield str(FilePairs(paths)), list(read_files(paths, report)), None
        if report.left_out:
            _tell(str(report))
        return
    for split in splits:
        found = list(islice(generate_pairs(0, split), count))
        texts = [(pair.source, pair.target) for pair in found]
        yield split, texts, [pair.constructions for pair in found]
