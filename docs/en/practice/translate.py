# ---
# description: A notebook that makes sentence pairs, trains a tiny Transformer in seconds, translates with it, then opens the shipped model and looks at its attention.
# ---

# %% [markdown]
# # From pairs to a translator { #translate }
#
# What does it take to teach a Transformer to translate? This notebook makes pairs, ids, batches and a model, trains it for a short time, and looks at what came out. Then the model that comes with the package translates longer sentences, and shows where it looks. You should have read [the whole model](../assembly/model.md). [Data](data.md), [Batches](batches.md), [Training](training.md) and [Decoding](decoding.md) explain each step.
#
# Every number, sentence and picture below was made by the cell above it when this page was built. Training differs a little from one processor to another, so on yours the answers of the tiny model may differ too. To run the cells yourself, [open the page as a notebook](../start/setup.md#notebooks). Then change something, and run it again.

# %% [markdown]
# First, the tools: PyTorch, a library that draws, and the package.

# %%
import re
import warnings
from itertools import islice
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import torch
from matplotlib_inline.backend_inline import set_matplotlib_formats

from transformer import (
    Tokenizer,
    TrainingConfig,
    Transformer,
    TransformerConfig,
    batches,
    beam_search,
    count_parameters,
    encode_pairs,
    load_pretrained,
    train,
)
from transformer.data.generator import generate_pairs
from transformer.inference.attention_table import bridge_attention
from transformer.inference.translation import translate
from transformer.training.log import read_log

# Figures as SVG: the browser writes their text, in its own Chinese fonts.
set_matplotlib_formats("svg")
plt.rcParams["svg.fonttype"] = "none"
warnings.filterwarnings("ignore", message="Glyph")

# %% [markdown]
# ## Pairs { #pairs }
#
# A translator learns from a **parallel corpus**: sentences with their translations. The package makes its own, by a [grammar](data.md) that writes English and Chinese at the same time, as many pairs as you like. For a few seconds of training, short sentences are enough: at most five words and the final mark.


# %%
def short_pairs(split, count):
    """The short ones among the first `count` pairs."""
    pairs = islice(generate_pairs(seed=0, split=split), count)
    return [p for p in pairs if len(p.source.split()) <= 6]


train_pairs = short_pairs("train", 20_000)
valid_pairs = short_pairs("validation", 1_000)
test_pairs = short_pairs("test", 1_000)

print(len(train_pairs), "pairs to learn from")
for pair in train_pairs[:5]:
    print(f"{pair.source}\n  {pair.target}")

# %% [markdown]
# The three splits share no sentence. Whatever the model translates below, it has not seen.
#
# ## Ids { #ids }
#
# The model reads ids, not text. A [`Tokenizer`][transformer.data.tokenizer.Tokenizer] learns one vocabulary for both languages, from the training pairs alone. An English word that is frequent enough gets an id of its own, with the space after it; a Chinese word is spelled in characters.

# %%
texts = [t for pair in train_pairs for t in (pair.source, pair.target)]
tokenizer = Tokenizer.train(texts, vocab_size=2000)
vocab_size = tokenizer.vocab_size

pair = test_pairs[0]
source_ids = tokenizer.encode_source(pair.source)
target_ids = tokenizer.encode_target(pair.target)
print(vocab_size, "ids")
print(source_ids, tokenizer.pieces(source_ids))
print(target_ids, tokenizer.pieces(target_ids))

# %% [markdown]
# The source ends with `<eos>`. The target begins with `<bos>` as well, so that the decoder has something to start from.
#
# Sentences of similar length go into one batch, up to <!-- value: notebook.max_tokens --> tokens on each side:


# %%
def ids_of(pairs):
    return encode_pairs([(p.source, p.target) for p in pairs], tokenizer)


train_ids = list(ids_of(train_pairs))


def epoch(number):
    """All pairs once, in an order of their own in each epoch."""
    return batches(train_ids, max_tokens=512, epoch=number)


valid_batches = list(batches(ids_of(valid_pairs), max_tokens=512))
batch = next(epoch(0))
print(tuple(batch.src.shape), tuple(batch.tgt.shape))

# %% [markdown]
# ## A tiny model { #model }
#
# The paper's base model has six layers on each side and 512 numbers a token. This one has a single layer and <!-- value: notebook.d_model -->. It is the same class with a smaller config.

# %%
torch.manual_seed(0)
config = TransformerConfig(
    vocab_size,
    vocab_size,
    d_model=64,
    num_heads=4,
    num_encoder_layers=1,
    num_decoder_layers=1,
    d_ff=128,
    share_embeddings=True,
    tie_output=True,
    max_len=32,
)
model = Transformer(config)
print(f"{count_parameters(model)['total']:,} parameters")

# %% [markdown]
# So far its weights are random numbers. Ask it all the same:

# %%
questions = [pair.source for pair in test_pairs[:5]]
before = translate(model, tokenizer, questions)
for question, answer in zip(questions, before):
    print(f"{question}\n  {answer[:12]}")

# %% [markdown]
# Nonsense, as it should be, and the same tokens again and again. To write one group of tokens on and on is called [degenerate repetition](errors-and-attention.md#failure-modes). It comes easily to an untrained model whose output layer shares its rows with the embedding: its favourite is [often the token that it has just read](../assembly/output-layer.md#copies).
#
# ## Training { #training }
#
# Training takes <!-- value: notebook.steps --> steps, each on one batch. For every position of the target the model says which token comes next; cross-entropy measures how wrong it was, and [`train`][transformer.training.loop.train] moves the weights. The learning rate climbs for <!-- value: notebook.warmup --> steps, then falls.
#
# A real training smooths the labels. Here we leave that out, so that the loss has a plain meaning: it is $-\log p$, averaged, where $p$ is the probability that the model gave to the right token.

# %%
training = TrainingConfig(
    steps=500, warmup=120, label_smoothing=0.0, evaluate_every=25
)
with TemporaryDirectory() as folder:
    train(model, epoch, training, Path(folder), valid_batches)
    records = read_log(Path(folder))

# %% [markdown]
# ### The loss { #loss }
#
# A model that has no idea gives each of the $V$ tokens the probability $1/V$, and its loss is $\log V$. That is the dashed line. Training starts above it, because random weights do not guess evenly.

# %% alt="Two curves over 500 steps. The training loss starts above the dashed line of guessing, falls to about 1 within the first 150 steps and comes close to 0. The validation loss falls together with it."
steps = [r["step"] for r in records if "loss" in r]
losses = [r["loss"] for r in records if "loss" in r]
valid = [r for r in records if "validation_loss" in r]

fig, ax = plt.subplots(figsize=(6, 3))
ax.plot(steps, losses, label="training")
ax.plot(
    [r["step"] for r in valid],
    [r["validation_loss"] for r in valid],
    marker="o",
    markersize=3,
    label="validation",
)
ax.axhline(log(vocab_size), linestyle="--", color="C2", label="guessing")
ax.set(xlabel="step", ylabel="loss", ylim=0)
ax.set_title("Most is learned in the first 150 steps")
ax.legend()
plt.show()

# %% [markdown]
# The two curves fall together: what the model learns from the training pairs holds for sentences that it has not seen. Most of it is learned early.
#
# ## Translating { #translating }
#
# The same questions again, now to the trained model:

# %%
after = translate(model, tokenizer, questions)
for pair, answer in zip(test_pairs, after):
    mark = "✓" if answer == pair.target else "✗"
    print(f"{pair.source}\n  {answer} {mark}")

# %% [markdown]
# Five sentences prove little. So take all short sentences of the test split, compare character for character, and sort what is wrong by a rough rule into three kinds:


# %%
def kind(answer, right):
    """What is wrong with an answer."""
    if re.search(r"(.+)\1\1", answer):
        return "repeats itself"
    shorter = len(answer) < len(right)
    return "leaves something out" if shorter else "writes something else"


answers = translate(model, tokenizer, [p.source for p in test_pairs])
wrong = {}
for pair, answer in zip(test_pairs, answers):
    if answer != pair.target:
        group = wrong.setdefault(kind(answer, pair.target), [])
        group.append((pair, answer))
right = len(test_pairs) - sum(map(len, wrong.values()))
print(f"{right} of {len(test_pairs)} are right")
for name, [(pair, answer), *others] in wrong.items():
    print(f"{name}: {1 + len(others)}, for example")
    print(f"  {pair.source}\n  {answer[:20]} → {pair.target}")

# %% [markdown]
# A few seconds, and most sentences come out right. Read the examples: left of the arrow is what the model wrote (at most its first twenty characters), right of it the reference. What is rare among so few pairs had no time to be learned: it is left out, or another word takes its place.
#
# What repeats itself is degenerate repetition again, now in a trained model. Words that double a character, such as 奶奶 (grandmother) and 常常 (often), invite it: after the first 奶 another 奶 is right, and after the second the model sees nearly the same thing.
#
# ## The shipped model { #shipped }
#
# The package comes with a model of the same kind: two layers a side, <!-- value: shipped.d_model --> numbers a token, and minutes of training instead of seconds ([its card](../reference/model-card.md)). It was trained on the whole grammar, with sentences of up to <!-- value: default.longest_sentence --> words. [Longer ones](errors-and-attention.md#longer) it mostly gets wrong.

# %%
shipped, words = load_pretrained()
fresh = [
    "the cat is sleeping .",
    "yesterday my grandmother bought three books .",
    "is your phone more expensive than my phone ?",
    "the magazine that his mother bought is interesting .",
]
for answer in translate(shipped, words, fresh):
    print(answer)

# %% [markdown]
# Look at what had to move. "Three books" needs a measure word between number and noun. What follows "magazine" in English comes before it in Chinese, and ends in 的. A Chinese question keeps the order of a statement and takes 嗎.
#
# ## Where it looks { #bridge }
#
# The decoder looks at the source through **cross-attention**. [`bridge_attention`][transformer.inference.attention_table.bridge_attention] gives the model a sentence and its own translation, and keeps the weights of its last cross-attention.


# %% alt="A heatmap: a row for each written Chinese token, a column for each English word. In most rows one cell is bright. The bright cells do not follow the diagonal: the rows of the relative clause come first and look to the right, and the noun that comes last looks back to the left."
def draw_bridge(sentence):
    (answer,) = translate(shipped, words, [sentence])
    source, target, weights = bridge_attention(
        shipped, words, sentence, answer
    )
    fig, ax = plt.subplots(figsize=(6, 4.5))
    image = ax.imshow(weights, vmin=0, vmax=1)
    ax.set_xticks(range(len(source)), map(str.strip, source), rotation=90)
    ax.set_yticks(range(len(target)), target)
    ax.set(xlabel="source", ylabel="translation")
    ax.set_title("Most tokens look at the word they translate")
    fig.colorbar(image, label="weight")
    plt.show()


draw_bridge("the magazine that his mother bought is interesting .")

# %% [markdown]
# Read it row by row, from the top. In English, "that his mother bought" follows its noun; in Chinese it comes first. So the bright cells start at the right and come back: to write a word, the model looks at its English partner, wherever that is. No rule in the code says so. Training found it, because it makes the next token easier to predict. A token without an English word of its own, such as 的, spreads its weight. And 誌, the second half of *magazine*, looks at `<eos>`, which is no word at all: an [attention sink](errors-and-attention.md#row).
#
# A heatmap is a hint and [no proof](errors-and-attention.md#not-proof). It shows the weights of one layer, averaged over its heads. The values that they mix have passed through the encoder and carry more than one word.
#
# ## Try it { #try-it }
#
# **1.** Change one word of a sentence and translate both. What else changes in the Chinese?

# %% answer="Answer"
variations = [
    "she bought the book .",
    "she bought the fish .",
    "she did not buy the fish .",
]
for answer in translate(shipped, words, variations):
    print(answer)

# %% [markdown] answer="Answer"
# The measure word follows the noun: 本 for books, 條 for fish. And 了 disappears when something past is negated with 沒有.

# %% [markdown]
# **2.** The tiny model learned from sentences of at most five words. What does it make of a longer one?

# %% answer="Answer"
longer = ["the magazine that his mother bought is interesting ."]
print("tiny   ", translate(model, tokenizer, longer)[0])
print("shipped", translate(shipped, words, longer)[0])

# %% [markdown] answer="Answer"
# The tiny model has learned short sentences and no more. It has never read a noun with a clause after it, nor the later positions of a long source. Outside the domain of its training, its answer may sound like Chinese and still leave something out, or say what the source does not: a [hallucination](errors-and-attention.md#failure-modes). The test above could not show this, since all its sentences are short: a test speaks only for the kind of sentence that is in it.

# %% [markdown]
# **3.** How sure is the model, and what is its second choice? Ask [`beam_search`][transformer.inference.decoding.beam_search] for more than one translation.

# %% answer="Answer"
src = torch.tensor([words.encode_source("the cat is sleeping .")])
for hypothesis in beam_search(shipped, src, num_best=4)[0]:
    text = words.decode(hypothesis.ids)
    print(f"{hypothesis.log_probability:6.1f}  {text}")

# %% [markdown] answer="Answer"
# The numbers are log-probabilities: each unit less makes a sentence 2.7 times less probable. The first is far ahead of the others, which differ from it in a word or two. (The search ranks by [length](decoding.md) as well, so neighbours may change places.)

# %% [markdown]
# ## In short { #in-short }
#
# - A translator is pairs, a tokenizer, batches, a model and a loop.
# - Without training the loss lies near $\log V$; a model that learns leaves that line at once.
# - Test on sentences that training has not seen, and on the kind that you care about. Sort the errors: left out, another word, repetition.
# - The weights of cross-attention suggest where the model looked, crossings included. To find out what it needs, [hide a word](errors-and-attention.md#not-proof); [the playground](../start/playground.md#hide=6) does it in your browser.
#
# API: [`transformer.inference.evaluation`](../reference/api/inference/evaluation.md), [`transformer.training.loop`](../reference/api/training/loop.md).
