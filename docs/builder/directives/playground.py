"""`<!-- playground: recorded -->`: the models in the reader's browser, and before they are there a
sentence that was recorded: what was written at each step, and what nearly was.
"""

import json
from html import escape
from pathlib import Path

from docs.builder import scripts
from docs.builder.cache import Artifact, code_of
from docs.builder.directives import Page
from docs.builder.translations import Translate
from docs.glosses import glosses

HTML = True
URL = "start/playground/"
SENTENCE = "The cat ate two fish yesterday."
SHOWN = 5


def artifact(argument: str, language: str) -> Artifact:
    """Return the recorded translation, for the cache; it is the same in every language."""
    if argument != "recorded":
        raise LookupError("write <!-- playground: recorded -->")
    return Artifact("playground", argument, code_of(Path(__file__)), _record)


def render(argument: str, t: Translate, page: Page) -> str:
    """Return the recording, and what starts the script that takes its place."""
    steps = json.loads(artifact(argument, page.language).text())
    head = "".join(f'<th scope="col">{text}</th>' for text in (t("it writes"), t("candidates")))
    rows = "".join(_row(step, t) for step in steps)
    without = t("The model needs JavaScript, which is off. What follows was recorded.")
    return (
        f'<div id="machine" data-search-exclude>'
        f"<noscript><p>{without}</p></noscript>"
        f'<p lang="en">{SENTENCE}</p>'
        f"<table><caption>{t('Each step, and the five best candidates')}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        + meanings(page)
        + scripts.load("playground", t, page)
    )


def meanings(page: Page) -> str:
    """Return what the Chinese words mean, for the scripts, where readers need it."""
    if page.language != "en":
        return ""
    return f'<script type="application/json" id="glosses">{json.dumps(glosses())}</script>'


def _row(step: dict[str, list[tuple[str, float]]], t: Translate) -> str:
    cells = [f"{_shown(piece, t)}&nbsp;{_per_cent(share)}" for piece, share in step["best"]]
    written = _shown(step["best"][0][0], t)
    return f'<tr><th scope="row">{written}</th><td>{t(", ").join(cells)}</td></tr>'


def _shown(piece: str, t: Translate) -> str:
    return t("(end)") if piece == "<eos>" else f'<span lang="zh-TW">{escape(piece)}</span>'


def _per_cent(share: float) -> str:
    """The share as the playground's script writes it.

    >>> _per_cent(0.934), _per_cent(0.00021)
    ('93%', '0.02%')
    """
    return f"{share:.0%}" if share >= 0.095 else f"{100 * share:.1g}%"


def _record() -> str:
    import torch  # takes seconds to load

    from transformer import greedy_decode, load_pretrained

    model, tokenizer = load_pretrained()
    src = torch.tensor([tokenizer.encode_source(SENTENCE)])
    tgt = torch.tensor([[model.config.bos_id, *greedy_decode(model, src)[0]]])
    with torch.no_grad():
        probs, ids = model(src, tgt)[0].softmax(dim=-1).topk(SHOWN)
    steps = [
        {"best": list(zip(tokenizer.pieces(row), shares, strict=True))}
        for row, shares in zip(ids.tolist(), probs.tolist(), strict=True)
    ]
    return json.dumps(steps, ensure_ascii=False)
