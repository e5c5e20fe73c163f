# ---
# description: 一份筆記本：造出句對，花幾秒訓練一個很小的 Transformer 來翻譯，再載入隨附模型，看它的注意力落在哪裡。
# translated:
#   (top): 8cdaba5
#   translate: 68cbf90
#   pairs: ebca28c
#   ids: 4f2bbee
#   model: c6b7670
#   training: a3f0825
#   loss: c89bdfb
#   translating: f142018
#   shipped: ab7994c
#   bridge: ec0692f
#   try-it: 80526cb
#   in-short: a5cb5dc
# ---

# %% [markdown]
# # 從句子到翻譯模型 { #translate }
#
# 要教會一個 Transformer 翻譯，需要哪些東西？這份筆記本（notebook）從頭做一遍：先準備句子、編號、批次（batch）和模型，訓練一下子，再看看它學到什麼。接著換套件隨附的模型上場，翻譯更長的句子，順便看看它翻譯時都注意哪裡。請先讀過[整個模型](../assembly/model.md)；每一步的細節，在[資料](data.md)、[批次](batches.md)、[訓練](training.md)和[解碼](decoding.md)四章。
#
# 下面的每個數字、每個句子、每張圖，都是建置這一頁時，由上方那一格程式碼跑出來的。換一顆處理器，訓練的結果會差一點，小模型在你的電腦上答的可能不一樣。想自己跑跑看，就[用筆記本打開這一頁](../start/setup.md#notebooks)。改個地方，再執行一次，看看有什麼不同。

# %% [markdown]
# 先把工具備齊：PyTorch、一個畫圖的函式庫，還有這個套件。

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

# 圖存成 SVG，文字交給瀏覽器顯示，才有中文字型可用。
set_matplotlib_formats("svg")
plt.rcParams["svg.fonttype"] = "none"
warnings.filterwarnings("ignore", message="Glyph")

# %% [markdown]
# ## 句子 { #pairs }
#
# 翻譯模型是從**平行語料**（parallel corpus）學來的：一個個句子，配上各自的譯文。本套件自己造句：有一套[文法](data.md)同時寫出英文和中文，要多少有多少。我們只打算訓練幾秒鐘，所以用短句就好：最多五個單字，加上句尾的標點。


# %%
def short_pairs(split, count):
    """前 `count` 對句子裡的短句。"""
    pairs = islice(generate_pairs(seed=0, split=split), count)
    return [p for p in pairs if len(p.source.split()) <= 6]


train_pairs = short_pairs("train", 20_000)
valid_pairs = short_pairs("validation", 1_000)
test_pairs = short_pairs("test", 1_000)

print(len(train_pairs), "對句子可以學")
for pair in train_pairs[:5]:
    print(f"{pair.source}\n  {pair.target}")

# %% [markdown]
# 三份資料之間，沒有任何相同的句子。後面要模型翻譯的，都是它沒看過的。
#
# ## 編號 { #ids }
#
# 模型讀的不是文字，是編號。[`Tokenizer`][transformer.data.tokenizer.Tokenizer] 是斷詞器（tokenizer），只用訓練的句子，學出一份兩種語言共用的詞彙表。夠常見的英文單字，連同後面的空格，自成一個編號；中文的詞則是一個字一個字拼出來的。

# %%
texts = [t for pair in train_pairs for t in (pair.source, pair.target)]
tokenizer = Tokenizer.train(texts, vocab_size=2000)
vocab_size = tokenizer.vocab_size

pair = test_pairs[0]
source_ids = tokenizer.encode_source(pair.source)
target_ids = tokenizer.encode_target(pair.target)
print(vocab_size, "個編號")
print(source_ids, tokenizer.pieces(source_ids))
print(target_ids, tokenizer.pieces(target_ids))

# %% [markdown]
# 來源句以 `<eos>` 結尾。目標句的開頭還多一個 `<bos>`，讓解碼器（decoder）有個起點。
#
# 長度差不多的句子放進同一個批次，來源和目標兩邊都不超過 <!-- value: notebook.max_tokens --> 個詞元（token）：


# %%
def ids_of(pairs):
    return encode_pairs([(p.source, p.target) for p in pairs], tokenizer)


train_ids = list(ids_of(train_pairs))


def epoch(number):
    """每一對句子都輪一次，每一輪的順序都不同。"""
    return batches(train_ids, max_tokens=512, epoch=number)


valid_batches = list(batches(ids_of(valid_pairs), max_tokens=512))
batch = next(epoch(0))
print(tuple(batch.src.shape), tuple(batch.tgt.shape))

# %% [markdown]
# ## 很小的模型 { #model }
#
# 論文的 base 模型，兩邊各有六層，每個詞元用 512 個數字表示。這一個只有一層、<!-- value: notebook.d_model --> 個數字。用的是同一個類別，只是設定（config）裡的數字小得多。

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
print(f"{count_parameters(model)['total']:,} 個參數")

# %% [markdown]
# 它的權重現在還全是隨機的數字。照樣考考它：

# %%
questions = [pair.source for pair in test_pairs[:5]]
before = translate(model, tokenizer, questions)
for question, answer in zip(questions, before):
    print(f"{question}\n  {answer[:12]}")

# %% [markdown]
# 胡言亂語，本來就該這樣，而且同樣的字一寫再寫，這叫[退化性重複](errors-and-attention.md#failure-modes)（degenerate repetition）。沒訓練過、輸出層又和嵌入（embedding）共用同一張表的模型，很容易這樣，因為它最看好的，[常常是自己剛讀到的那個詞元](../assembly/output-layer.md#copies)。
#
# ## 訓練 { #training }
#
# 一共 <!-- value: notebook.steps --> 步，一步一個批次。在目標句的每個位置，模型都要說出下一個詞元是什麼；交叉熵（cross-entropy）量它錯得多離譜，[`train`][transformer.training.loop.train] 再據此調整權重。學習率先爬升 <!-- value: notebook.warmup --> 步，然後慢慢下降。
#
# 正式訓練會做標籤平滑（label smoothing），這裡先不用，好讓損失（loss）的意思單純一點：它就是 $-\log p$ 的平均，$p$ 是模型給正確詞元的機率。

# %%
training = TrainingConfig(
    steps=500, warmup=120, label_smoothing=0.0, evaluate_every=25
)
with TemporaryDirectory() as folder:
    train(model, epoch, training, Path(folder), valid_batches)
    records = read_log(Path(folder))

# %% [markdown]
# ### 損失 { #loss }
#
# 什麼都不懂的模型，會給 $V$ 個詞元一樣的機率，各是 $1/V$，損失就是 $\log V$，也就是圖上的虛線。訓練的起點比虛線還高，因為權重隨機，不等於猜得平均。

# %% alt="五百步的兩條曲線。訓練的損失從代表瞎猜的虛線上方開始，不到 150 步就降到 1 附近，最後接近 0。驗證的損失跟著一起下降。"
steps = [r["step"] for r in records if "loss" in r]
losses = [r["loss"] for r in records if "loss" in r]
valid = [r for r in records if "validation_loss" in r]

fig, ax = plt.subplots(figsize=(6, 3))
ax.plot(steps, losses, label="訓練")
ax.plot(
    [r["step"] for r in valid],
    [r["validation_loss"] for r in valid],
    marker="o",
    markersize=3,
    label="驗證",
)
ax.axhline(log(vocab_size), linestyle="--", color="C2", label="瞎猜")
ax.set(xlabel="步數", ylabel="損失", ylim=0)
ax.set_title("大部分是在前 150 步學會的")
ax.legend()
plt.show()

# %% [markdown]
# 兩條曲線一起往下掉：從訓練的句子學到的東西，對沒看過的句子也管用。大部分很早就學會了。
#
# ## 翻譯 { #translating }
#
# 同樣的題目，再考一次訓練好的模型：

# %%
after = translate(model, tokenizer, questions)
for pair, answer in zip(test_pairs, after):
    mark = "✓" if answer == pair.target else "✗"
    print(f"{pair.source}\n  {answer} {mark}")

# %% [markdown]
# 只看五句，看不出什麼。把測試集裡的短句全部考一遍，一個字都不能錯，再把錯的粗略分成三種：


# %%
def kind(answer, right):
    """譯文錯在哪裡。"""
    if re.search(r"(.+)\1\1", answer):
        return "一直重複"
    shorter = len(answer) < len(right)
    return "漏了東西" if shorter else "寫成別的"


answers = translate(model, tokenizer, [p.source for p in test_pairs])
wrong = {}
for pair, answer in zip(test_pairs, answers):
    if answer != pair.target:
        group = wrong.setdefault(kind(answer, pair.target), [])
        group.append((pair, answer))
right = len(test_pairs) - sum(map(len, wrong.values()))
print(f"{len(test_pairs)} 句對了 {right} 句")
for name, [(pair, answer), *others] in wrong.items():
    print(f"{name}：{1 + len(others)} 句，例如")
    print(f"  {pair.source}\n  {answer[:20]} → {pair.target}")

# %% [markdown]
# 才訓練幾秒鐘，大多數的句子就翻對了。再讀讀那些例子，箭頭左邊是模型寫的（最多印二十個字），右邊是參考譯文。訓練的句子這麼少，少見的詞還來不及學會，不是漏掉，就是換成別的。
#
# 一直重複的那一種，又是退化性重複，這次出現在訓練過的模型上。「奶奶」、「常常」這種疊字特別容易出事：寫了第一個「奶」，再寫一個「奶」是對的；寫完第二個，模型看到的幾乎還是一樣。
#
# ## 隨附模型 { #shipped }
#
# 套件附了一個訓練好的模型，就叫它隨附模型（shipped model）。用的也是同一個類別：兩邊各兩層，每個詞元 <!-- value: shipped.d_model --> 個數字，訓練花的不是幾秒，而是幾分鐘（見[模型卡](../reference/model-card.md)）。整套文法它都學過，句子最長 <!-- value: default.longest_sentence --> 個單字；[再長的](errors-and-attention.md#longer)，大多會翻錯。

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
# 看看哪些地方動過。「three books」的數字和名詞之間，補上了量詞。英文接在 magazine 後面的那一串，中文搬到前面，用「的」收尾。問句的語序和直述句一樣，只在句尾加一個「嗎」。
#
# ## 它在看哪裡 { #bridge }
#
# 解碼器透過**交叉注意力**（cross-attention）看來源句。[`bridge_attention`][transformer.inference.attention_table.bridge_attention] 把一個句子連同模型自己的譯文交給模型，取出最後一層交叉注意力的權重。


# %% alt="一張熱圖：一列是一個寫出來的中文詞元，一欄是一個英文單字。大多數的列都有一格特別亮。亮的格子不是沿著對角線排的：關係子句那幾列排在最前面，看的是右邊；名詞寫在後面，看的卻是左邊。"
def draw_bridge(sentence):
    (answer,) = translate(shipped, words, [sentence])
    source, target, weights = bridge_attention(
        shipped, words, sentence, answer
    )
    fig, ax = plt.subplots(figsize=(6, 4.5))
    image = ax.imshow(weights, vmin=0, vmax=1)
    ax.set_xticks(range(len(source)), map(str.strip, source), rotation=90)
    ax.set_yticks(range(len(target)), target)
    ax.set(xlabel="來源句", ylabel="譯文")
    ax.set_title("大多數詞元都看著自己要翻的詞")
    fig.colorbar(image, label="權重")
    plt.show()


draw_bridge("the magazine that his mother bought is interesting .")

# %% [markdown]
# 從最上面一列往下讀。英文的「that his mother bought」跟在名詞後面，中文卻要先說。所以亮的格子先從右邊開始，再跳回來：模型要寫哪個詞，就去看對應的英文，不管它在哪裡。程式碼裡沒有任何一條規則叫它這麼做，這是訓練出來的，因為這樣比較容易猜中下一個詞元。至於「的」這種英文裡沒有對應單字的詞元，權重會分散開來。「誌」是「雜誌」的第二個字，看的是 `<eos>`，根本不是詞，這叫[注意力匯集點](errors-and-attention.md#row)（attention sink）。
#
# 熱圖只是線索，[證明不了什麼](errors-and-attention.md#not-proof)。它畫的只是某一層的權重怎麼分配，而且是各個頭平均過的。拿來混合的那些值，早就在編碼器（encoder）裡互相看過，每一個裝的都不只一個詞。
#
# ## 動手試試 { #try-it }
#
# **1.** 換掉句子裡的一個詞，換之前、換之後各翻譯一次。除了那個詞，中文還有哪裡跟著變？

# %% answer="解答"
variations = [
    "she bought the book .",
    "she bought the fish .",
    "she did not buy the fish .",
]
for answer in translate(shipped, words, variations):
    print(answer)

# %% [markdown] answer="解答"
# 量詞跟著名詞變：書用「本」，魚用「條」。過去的事一否定，「了」就不見了，改用「沒有」。

# %% [markdown]
# **2.** 小模型只學過五個單字以內的句子。給它長一點的，它會怎麼翻？

# %% answer="解答"
longer = ["the magazine that his mother bought is interesting ."]
print("小模型　", translate(model, tokenizer, longer)[0])
print("隨附模型", translate(shipped, words, longer)[0])

# %% [markdown] answer="解答"
# 小模型只學會了短句。名詞後面接著子句的句子，它從來沒見過；來源句一長，後面那些位置，它也從來沒讀過。超出訓練的領域，答案可能讀起來像中文，卻漏了東西，或是寫出來源句沒有的意思，後者就是[幻覺](errors-and-attention.md#failure-modes)（hallucination）。前面的測試考的全是短句，看不出這個毛病：考過哪一種句子，成績只能說明哪一種。

# %% [markdown]
# **3.** 模型有多大的把握？第二順位又是什麼？請 [`beam_search`][transformer.inference.decoding.beam_search] 多給幾個譯文。

# %% answer="解答"
src = torch.tensor([words.encode_source("the cat is sleeping .")])
for hypothesis in beam_search(shipped, src, num_best=4)[0]:
    text = words.decode(hypothesis.ids)
    print(f"{hypothesis.log_probability:6.1f}  {text}")

# %% [markdown] answer="解答"
# 左邊的數字是對數機率：每少 1，句子的機率就只剩大約 2.7 分之一。第一名遙遙領先，其他幾句和它只差一兩個詞。（搜尋排名時也會考慮[長度](decoding.md)，所以分數相近的兩句可能前後對調。）

# %% [markdown]
# ## 重點整理 { #in-short }
#
# - 要做出會翻譯的模型，需要五樣東西：句對、斷詞器、批次、模型，還有訓練的迴圈。
# - 還沒訓練時，損失在 $\log V$ 附近；模型只要開始學，損失馬上就降到這條線以下。
# - 測試要用訓練時沒看過的句子，而且必須是你真正在乎的那一種。錯的要分一分：漏了東西、寫成別的、一直重複。
# - 從交叉注意力的權重，大致看得出模型往哪裡看，連語序在哪裡交錯都看得到；至於模型是不是真的需要某個詞，[把它遮住](errors-and-attention.md#not-proof)試試；[遊樂場](../start/playground.md#hide=6)在瀏覽器裡就能遮。
#
# API：[`transformer.inference.evaluation`](../reference/api/inference/evaluation.md)、[`transformer.training.loop`](../reference/api/training/loop.md)。
