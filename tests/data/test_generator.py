"""The generated corpus: one right translation, honest splits, Chinese as it is read in Taiwan."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import islice, pairwise

import opencc
import pytest

from tests.refused import refusals
from transformer.data.generator import SPLITS, Pair, generate_pairs, is_reserved
from transformer.data.grammar import Grammar
from transformer.data.grammar.clauses import Action, english
from transformer.data.grammar.determiners import THE, Determiner
from transformer.data.grammar.lexicon import ADJECTIVES, FAMILY, NOUNS, PLACES, VERBS, nouns
from transformer.data.grammar.phrases import NO_CLAUSE, NOTHING, Clause, Phrase
from transformer.data.grammar.sentences import LONGEST

pytestmark = pytest.mark.process

# Many pairs of every split, each from another seed, and what the grammar notes of its sentences;
# made in a process of its own, without the shape checks that slow plain Python down.
SCRIPT = """
import json
from itertools import islice
from tests.refused import refusals
from transformer.data.generator import generate_pairs
from transformer.data.grammar import Grammar

enough = {"train": 50_000, "validation": 2_500, "test": 2_500, "compositional": 4_000}
enough["longer"] = 1_000
pairs = {
    split: [
        (p.source, p.target, sorted(p.constructions))
        for p in islice(generate_pairs(seed, split), n)
    ]
    for seed, (split, n) in enumerate(enough.items())
}
grammar = Grammar(3)
noted = [(grammar.sentence().en, sorted(grammar.combinations)) for _ in range(30_000)]
alike = [
    [p.source for p in islice(generate_pairs(5, split), 1000)]
    for split in ("test", "compositional")
]
print(json.dumps([pairs, noted, alike]))
"""


def run(code):
    env = os.environ | {"PYTHONHASHSEED": "1", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=env, stdout=subprocess.PIPE, check=True).stdout.decode()


@cache
def generated():
    return json.loads(run(SCRIPT))


@cache
def pairs(split):
    rows = generated()[0][split]
    return [Pair(source, target, frozenset(marks)) for source, target, marks in rows]


@cache
def every_pair():
    return tuple(pair for split in SPLITS for pair in pairs(split))


@cache
def chinese_sentences():
    """Each once."""
    return {s for pair in every_pair() for s in re.findall("[^。！？]+[。！？]", pair.target)}


@cache
def words(split):
    return {word for pair in pairs(split) for word in pair.source.split()}


# What is promised of the splits


@pytest.mark.usefixtures("no_shape_checks")  # nine tenths of the time
def test_another_process_gives_the_same_pairs_and_another_seed_others():
    for seed, split in enumerate(SPLITS):
        own, other = (list(islice(generate_pairs(s, split), 40)) for s in (seed, seed + 1))
        assert own == pairs(split)[:40]
        assert own != other


def test_a_sentence_has_one_translation():
    translations = {}
    for pair in every_pair():
        assert translations.setdefault(pair.source, pair.target) == pair.target
    assert len(translations) > 45_000


@pytest.mark.usefixtures("no_shape_checks")
@pytest.mark.parametrize(
    "verb", [verb for verb in VERBS.values() if verb.objects], ids=lambda verb: verb.base
)
def test_an_object_with_a_clause_has_one_translation(verb):
    grammar, translations = Grammar(0), {}
    for _ in range(2000):
        grammar.people.clear()
        thing = grammar.thing(verb, "any", "i", relative=True)
        assert translations.setdefault(thing.en, thing.zh) == thing.zh


def test_splits_share_no_sentence():
    sources = [{pair.source for pair in pairs(split)} for split in SPLITS]
    assert sum(map(len, sources)) == len(set.union(*sources))


def test_reserved_combinations_are_in_every_compositional_sentence_and_in_no_other():
    splits = {split: {pair.source for pair in pairs(split)} for split in SPLITS}
    found = Counter()
    for source, combinations in generated()[1]:
        reserved = any(is_reserved(*combination) for combination in combinations)
        for split, sources in splits.items():
            if source in sources:
                assert reserved == (split == "compositional"), source
                found[split] += 1
    assert min(found[split] for split in SPLITS[:4]) > 100
    assert not found["longer"]


def test_reserved_words_do_not_stand_together_in_training():
    text = {split: " ".join(pair.source for pair in pairs(split)) for split in SPLITS}
    adjective = "|".join(
        f"{a.en} {name}"
        for a in ADJECTIVES
        for noun in a.nouns
        if is_reserved("adjective", a.en, noun.one)
        for name in {noun.one, noun.many}
    )
    verb = "|".join(
        f"(?:{verb.base}|{verb.third}|{verb.past}|{verb.ing}) (?:an?|the|this|that) {noun.one}"
        for verb in VERBS.values()
        for noun in verb.objects
        if is_reserved("verb", verb.base, noun.one) and verb.base != "give"
    )
    relative = "|".join(
        f"{noun.one} (?:who|that) (?:is )?(?:{verb.third}|{verb.past}|{verb.ing})"
        for verb in VERBS.values()
        for noun in verb.subjects
        if is_reserved("relative", noun.one, verb.base)
    )
    for pattern in (adjective, verb, relative):
        pattern = re.compile(rf"\b(?:{pattern})\b")
        assert len(pattern.findall(text["compositional"])) > 50
        for split in ("train", "validation", "test", "longer"):
            assert not pattern.search(text[split])


def test_combinations_are_in_their_sentences():
    forms = {verb.base: {verb.base, verb.third, verb.past, verb.ing} for verb in VERBS.values()}
    forms |= {noun.one: {noun.one, noun.many} for noun in NOUNS}
    for adjective in ADJECTIVES:
        forms[adjective.en] = {adjective.en, adjective.comparative or adjective.en}
    for source, combinations in generated()[1]:
        for word in {word for _, *both in combinations for word in both}:
            assert any(f" {form} " in f" {source}" for form in forms[word]), (word, source)


def test_all_kinds_of_combinations_are_reserved():
    kinds, reserved = Counter(), Counter()
    combinations = {tuple(c) for _, some in generated()[1] for c in some}
    for kind, first, second in combinations:
        kinds[kind] += 1
        reserved[kind] += is_reserved(kind, first, second)
    assert set(kinds) == {"relative", "adjective", "verb"}
    for kind, number in kinds.items():
        assert 0.05 < reserved[kind] / number < 0.15


def test_every_word_and_construction_occurs_in_training():
    for split in SPLITS[1:]:
        assert words(split) <= words("train")
        if split == "longer":
            continue
        for there, here in zip((pairs(split), pairs("train")), (pairs("train"), pairs(split))):
            marks = [set().union(*(pair.constructions for pair in some)) for some in (there, here)]
            assert marks[0] == marks[1]
        characters = [set("".join(p.target for p in pairs(s))) for s in (split, "train")]
        assert characters[0] <= characters[1]


def length(pair):
    """Words, without the marks."""
    return sum(word not in ".?!" for word in pair.source.split())


def test_sizes():
    longer = set(pairs("longer"))
    lengths = [length(pair) for pair in every_pair() if pair not in longer]
    assert min(lengths) == 3
    assert max(lengths) == LONGEST
    assert sum(4 <= length <= 14 for length in lengths) / len(lengths) > 0.8
    assert min(map(length, pairs("longer"))) > LONGEST
    assert 25 <= max(map(length, pairs("longer"))) <= 30
    assert 200 <= len(words("train")) <= 450
    assert 250 <= len(set("".join(pair.target for pair in pairs("train")))) <= 400


def test_unseen_combinations_are_as_long_as_test():
    test, unseen = (
        Counter(max(5, len(source.split())) for source in sources) for sources in generated()[2]
    )
    assert test.total() == 1000
    assert test == unseen


def test_every_construction_is_common():
    counts = Counter(mark for pair in pairs("train") for mark in pair.constructions)
    expected = """measure word, demonstrative, possessive, pronoun, adjective, relative clause,
        negation, question, yes-no question, wh-question, past, future, habitual, progressive,
        modal, comparison, conjunction, cause, condition, time, place, existence, command"""
    assert set(counts) == set(re.split(r",\s+", expected))
    assert min(counts.values()) / len(pairs("train")) >= 0.03


# Form

MARKS = str.maketrans("。？！", ".?!")


def test_form():
    for pair in every_pair():
        assert re.fullmatch(r"([a-z]+( ([a-z]+|'s))+ [.?!] ?)+(?<! )", pair.source)
        assert re.fullmatch(r"([\u4e00-\u9fff]+(，[\u4e00-\u9fff]+)*[。？！])+", pair.target)
        marks = "".join(re.findall(r"[。？！]", pair.target))
        assert re.findall(r"[.?!]", pair.source) == list(marks.translate(MARKS))
        asked = "question" in pair.constructions
        assert (pair.source[-1] == "?") == asked


def test_opencc_changes_nothing():
    convert = opencc.OpenCC("s2tw").convert
    text = "\n".join(pair.target for pair in every_pair())
    assert convert(text).replace("臺", "台") == text


def verb_after_do(source: str) -> str | None:
    """The first verb after do, does or did; None where a relative clause may come before it."""
    forms = {form for verb in VERBS.values() for form in (verb.base, verb.third, verb.past)}
    after = re.search(r"\b(?:do|does|did) (.*)", source)
    if after is None or re.search(r"\b(that|who)\b", after[1]):
        return None
    return next((word for word in after[1].split() if word in forms), None)


def test_english_is_grammatical():
    bases = {verb.base for verb in VERBS.values()} | {"be"}
    finite = {verb.third for verb in VERBS.values()}
    subjects = r"(i|you|he|she|it|we|they)"
    agreement = {"i": "am|was", "he": "is|was", "she": "is|was", "it": "is|was"}
    for pair in every_pair():
        source = pair.source
        assert not re.search(r"\ba [aeiou]|\ban [^aeiou]", source)
        assert not re.search(r"\b(\w+) \1\b", source.replace("her her", "")), source
        for first, second in pairwise(source.split()):
            if first in ("will", "should", "to", "not") and second in bases | finite:
                assert second in bases
        for subject, be in re.findall(rf"(?:^| that ){subjects} (am|is|are|was|were)\b", source):
            assert re.fullmatch(agreement.get(subject, "are|were"), be), source
        assert verb_after_do(source) in bases | {None}, source


def test_nobody_is_named_twice_and_no_relative_is_younger():
    people = [{noun.one, noun.many} for noun in nouns("person animal")]
    younger = re.compile(rf"(?:^| )(?:{'|'.join(FAMILY)}) is (?:[a-z]+ ){{0,2}}younger than ")
    for pair in every_pair():
        if "comparison" not in pair.constructions:
            said = pair.source.split()
            for forms in people:
                assert sum(word in forms for word in said) <= 1, pair
            for name in FAMILY:
                assert pair.source.count(f" {name} ") <= 1, pair
        else:  # and nobody's mother is younger
            assert not younger.search(pair.source), pair


@pytest.mark.parametrize(
    ("base", "aspect", "be", "plain", "supported"),
    [
        ("go", "past", "is", " went", "did go"),
        ("go", "habitual", "is", " goes", "does go"),
        ("go", "habitual", "are", " go", "do go"),
        ("go", "habitual", "am", " go", "do go"),
        ("write", "progressive", "am", "am writing", "am writing"),
        ("write", "future", "is", "will write", "will write"),
        ("write", "should", "are", "should write", "should write"),
        ("eat", "want", "is", " wants to eat", "does want to eat"),
        ("eat", "want", "are", " want to eat", "do want to eat"),
    ],
)
def test_english_verbs(base, aspect, be, plain, supported):
    assert " ".join(english(VERBS[base], aspect, be)) == plain
    assert " ".join(english(VERBS[base], aspect, be, support=True)) == supported


# Chinese

# Written by hand, not read from the package.
MEASURES = {
    "隻": "貓 狗 兔子 鳥 猴子 蝴蝶",
    "匹": "馬",
    "頭": "牛",
    "條": "魚 裙子",
    "位": "農夫 醫生 護理師 司機 演員 歌手 老師 老闆 學生",
    "個": "女孩 男孩 孩子 蛋糕 便當 三明治 故事 背包 箱子 盤子",
    "顆": "蘋果 芒果 鳳梨 芭樂 番茄 馬鈴薯 蛋 水餃",
    "根": "香蕉",
    "本": "書 小說 雜誌",
    "份": "報紙 禮物",
    "封": "信",
    "首": "詩",
    "件": "外套 襯衫 毛衣 洋裝",
    "頂": "帽子",
    "輛": "車 腳踏車 機車",
    "張": "桌子 椅子 床",
    "台": "冰箱 電腦 相機",
    "支": "手機 筆",
    "把": "雨傘",
    "朵": "花",
    "棵": "樹",
    "間": "房子",
    "杯": "咖啡 茶 牛奶 豆漿 珍珠奶茶 果汁 水",
    "瓶": "牛奶 豆漿 果汁 水",
    "碗": "牛肉麵",
    "盤": "炒飯",
}


def test_measure_words_suit_their_nouns():
    allowed = {(m, noun) for m, some in MEASURES.items() for noun in some.split()}
    assert {noun.zh for noun in NOUNS} == {noun for _, noun in allowed}
    before = sorted({a.attribute for a in ADJECTIVES}, key=len, reverse=True)
    names = sorted({noun for _, noun in allowed}, key=len, reverse=True)
    pattern = re.compile(
        rf"(?:十二|哪一|[一兩三四五十這那幾])([{''.join(MEASURES)}])"
        rf"(?:{'|'.join(before)})?({'|'.join(names)})"
    )
    plain = [p.target for p in every_pair() if "relative clause" not in p.constructions]
    found = Counter(match for target in plain for match in pattern.findall(target))
    assert set(found) <= allowed
    assert len(found) == len(allowed)


def test_two_is_兩():
    text = "".join(pair.target for pair in every_pair())
    assert "兩" in text
    assert not re.search("(?<!十)二", text)


def test_constructions_show():
    shows = {
        "yes-no question": ("^(is|are|am|do|does|did|will|should) .*[?]$", "嗎？$"),
        "wh-question": ("^(who|what|which|how|where|when|why) ", "誰|什麼|哪|幾"),
        "relative clause": (" (who|that) ", "的"),
        "negation": (" (not|no) ", "不|沒"),
        "progressive": ("ing ", "在"),
        "comparison": (" (than|as) ", "比|一樣"),
        "cause": (r"\bbecause ", "因為.+，所以"),
        "condition": (r"\bif ", "如果.+，.*就"),
        "conjunction": (r"\b(and|but|because|if) ", "和|，"),
        "measure word": ("", f"[{''.join(MEASURES)}]"),
        "place": (" (in|at|on|under) ", "在|[上下裡面](有|沒有)"),
        "existence": ("there ", "[上下裡面](有|沒有)"),
    }
    for pair in every_pair():
        for mark, (en, zh) in shows.items():
            if mark in pair.constructions:
                assert re.search(en, pair.source), (mark, pair)
                assert re.search(zh, pair.target), (mark, pair)
    for mark in ("yes-no question", "negation", "cause", "condition", "existence"):
        for pair in every_pair():
            if re.search(shows[mark][0], pair.source):
                assert mark in pair.constructions, pair


def test_negation_by_aspect():
    for pair in every_pair():
        parts = re.split(r"\b(?:and|but|because|that|who|if)\b|[.] \w", pair.source)
        if len(parts) > 1 or "not" not in pair.source or pair.source.startswith("why"):
            continue
        if "did not" in pair.source:
            assert "沒有" in pair.target
            assert "了" not in pair.target
        elif re.search(r"(do|does|will|should) not", pair.source):
            assert "不" in pair.target
            assert "沒有" not in pair.target


PEOPLE = "|".join(noun.zh for noun in nouns("person"))
MEASURED = f"[這那一兩三四五十][二]?[兩三四五十]?[{''.join(MEASURES)}]"


@pytest.mark.parametrize(
    "odd",
    [
        "不會(?:唱歌|跳舞|游泳|跑步)",  # that is what one cannot do
        "(?<!不)應該(?!要)[^？]*[。！]",  # that is "probably" too
        "每(?:天|個星期)[^都，。？！]*[，。？！]",
        "做[^。，]*水餃",
        "洗[^。，的]*(?:狗|貓)。",
        "做什麼？",  # that is what one does
        "要(?:看見|找到)",  # nobody means to
        "為什麼(?:(?!沒有)[^？])*了",
        "請幫[^助]",  # waits for a verb
        "[那這]位喜歡(?:老師|老闆)的",  # that is one's own
        "^(?:農夫|男孩|醫生|學生)喜歡",
        "和[^，。]*(?<!都)(?:(?<!小)說|覺得)",  # that is said to somebody
        "(?:昨天|上星期)[這那][^。，了]*(?<!開)(?:忙|累|餓|生氣)。",  # yesterday's teacher
        "(?:昨天|上星期)[這那](?:(?!了|沒有|和)[^。，])*(?:睡覺|休息|工作|跑步|游泳|唱歌|跳舞)。",
        "騎[^。，]*(?:一些|[兩三四五]輛|[兩三四五]匹)",
        "包了?[這那]",
        "但是[^，。]*沒有。",  # that is who has none
        "(?<!正在)餵的[這那]|穿的[這那]",  # that is who does so now
        "寫了?[^，。]{1,6}的(?:書|小說)",  # that is a book about somebody
        "^(?:男孩|女孩)[^，。]{1,4}的[這那]",
        "馬上|[個這那]他媽",
        f"(?:看見|洗|餵|畫|幫|找到|買|賣|借|看|需要|喜歡)[^，。]?{MEASURED}(?<=[位個])(?:[我你他她牠]|貓|狗)",
        "什麼時候會",
        "有工作嗎",
        "就不會在",
        "那把(?:你|我|他|她)",
        "都(?:游泳|跑步|唱歌|跳舞|工作)[。，嗎]",
        "(?<!正在)修的[這那]",
        "(?:你|我|他|她)去(?:學校|公園|市場)嗎",
        "小(?:貓|狗|鳥)",
        "一些(?:好吃的)?(?:牛肉麵|炒飯)",
        "沒有在[^。，]*(?:公園|學校|家裡)[^。，]*正",
        "不有趣",
        f"(?:看見|找到|認識|幫|畫|餵|買|賣|借)了?(?:{PEOPLE})[^，。]{{1,6}}的[這那]",
        f"{MEASURED}(?<![位個])(?:{PEOPLE})(?:正在)?(?:看見|找到|喜歡|需要|買|賣|餵|修|畫|洗)的",
        "給了?(?:我|你|他|她)(?:[^，。]*)(?:那|這)[^，。]*。$",
        "(?:昨天|今天早上|上星期)[^，。了]{1,5}(?:看見|找到|買|賣|洗|修|寫|畫)的[這那]",
    ],
)
def test_nobody_says_so(odd):
    pattern = re.compile(odd)
    assert [sentence for sentence in chinese_sentences() if pattern.search(sentence)] == []


def test_what_will_be_done_says_when():
    """會 alone says that one can, or that one does now and then."""
    for pair in every_pair():
        if "will" in pair.source and not pair.constructions & {"condition", "wh-question"}:
            assert re.search("tomorrow|tonight|next week", pair.source), pair


# Sentences as they are generated, translated by hand.
TRANSLATIONS = """
who is crying ? | 誰正在哭？
where are you ? | 你在哪裡？
where do you want to go tonight ? | 你今天晚上想去哪裡？
where will you go next week ? | 你下星期要去哪裡？
where did you go last week ? | 你上星期去了哪裡？
where will you swim ? | 你要在哪裡游泳？
where do you swim ? | 你都在哪裡游泳？
what are you eating ? | 你正在吃什麼？
what did you see ? | 你看見了什麼？
who do you want to help ? | 你想幫誰？
are you busy ? | 你忙嗎？
are you crying ? | 你正在哭嗎？
is the letter long ? | 那封信長嗎？
you are not tired . | 你不累。
they are very hungry . | 他們非常餓。
cows eat apples . | 牛會吃蘋果。
birds like me . | 鳥都喜歡我。
this cake is sweeter than that cake . | 這個蛋糕比那個蛋糕甜。
this dog is not smarter than that dog . | 這隻狗沒有比那隻狗聰明。
she is as kind as him . | 她跟他一樣親切。
is this skirt longer than that skirt ? | 這條裙子比那條裙子長嗎？
there is a cat under the table . | 桌子下面有一隻貓。
there is an actor at the restaurant . | 餐廳裡有一位演員。
there are no plates in the kitchen . | 廚房裡沒有盤子。
are there any dogs under the table ? | 桌子下面有狗嗎？
how many chairs are there in the kitchen ? | 廚房裡有幾張椅子？
the cup of bubble tea is delicious . | 那杯珍珠奶茶很好喝。
the bowl of beef noodles is very delicious . | 那碗牛肉麵非常好吃。
the bottle of water is hot . | 那瓶水是熱的。
the student is in the library . | 那位學生在圖書館。
you did not run because you were tired . | 你因為很累，所以沒有跑步。
my novel is much longer than their novel . | 我的小說比他們的小說長很多。
we will borrow an umbrella if it rains . | 如果下雨，我們就會借一把雨傘。
you will not go to tainan if you are tired . | 你如果很累，就不會去台南。
i was angry because you found the rabbit . | 因為你找到了那隻兔子，所以我很生氣。
they like fried rice but you do not . | 他們喜歡炒飯，但是你不喜歡。
every week i sing . | 我每個星期都會唱歌。
please help the boy ! | 請幫助那個男孩！
this cake is as sweet as that cake . | 這個蛋糕跟那個蛋糕一樣甜。
why did you not go to tainan ? | 你為什麼沒有去台南？
"""


def test_translations():
    found = {pair.source: pair.target for pair in every_pair()}
    for line in TRANSLATIONS.strip().splitlines():
        source, target = line.split(" | ")
        assert found[source] == target


# Sentences put together by hand from the grammar's rules.

CAT_SAW = Clause("that the cat saw", "貓看見的", doer=True)
TEACHER_WROTE = Clause("that the teacher wrote", "老師寫的", doer=True)
OLD, HIS = Phrase("old", "老"), Determiner("his", "他的", measured=False)
THREE, THE_THREE = Determiner("three", "三", True), Determiner("the three", "那三", True)
A, SOME = Determiner("a", "一"), Determiner("some", "一些", True, False)
YESTERDAY, TOMORROW = Phrase("yesterday", "昨天"), Phrase("tomorrow", "明天")


def noun(name, word=THE, adjective=NOTHING, clause=NO_CLAUSE):
    return Grammar(0).determined(nouns(name)[0], word, adjective, clause, inside=True)


@pytest.mark.parametrize(
    ("subject", "verb", "thing", "aspect", "negative", "place", "time", "first", "en", "zh"),
    [
        (
            noun("farmer", adjective=OLD), "buy", noun("fish", THE_THREE, clause=CAT_SAW),
            "past", True, None, YESTERDAY, True,
            "yesterday the old farmer did not buy the three fish that the cat saw .",
            "昨天那位老農夫沒有買那三條貓看見的魚。",
        ),
        (
            noun("student"), "read", noun("book", A, clause=TEACHER_WROTE),
            "future", False, None, TOMORROW, False,
            "the student will read a book that the teacher wrote tomorrow .",
            "那位學生明天會看一本老師寫的書。",
        ),
        (
            noun("girl", Determiner("these two", "這兩", True)), "drink",
            noun("tea", THREE, Phrase("hot", "熱")),
            "progressive", False, "night_market", NOTHING, True,
            "these two girls are drinking three cups of hot tea at the night market .",
            "這兩個女孩正在夜市喝三杯熱茶。",
        ),
        (
            noun("boss", HIS), "sell", noun("umbrella", A, OLD._replace(zh="舊")),
            "past", False, "taipei", YESTERDAY, False,
            "his boss sold an old umbrella in taipei yesterday .",
            "他的老闆昨天在台北賣了一把舊雨傘。",
        ),
        (
            Phrase("they", "他們", "are"), "ride", noun("scooter", HIS),
            "want", True, "beach", NOTHING, True,
            "they do not want to ride his scooter at the beach .",
            "他們不想在海邊騎他的機車。",
        ),
        (
            Phrase("she", "她"), "eat", noun("pineapple", SOME),
            "progressive", True, "home", NOTHING, True,
            "she is not eating some pineapples at home .", "她沒有在家裡吃一些鳳梨。",
        ),
        (
            Phrase("i", "我", "am"), "make", noun("bento", THREE),
            "should", False, "kitchen", TOMORROW, True,
            "tomorrow i should make three bentos in the kitchen .",
            "明天我應該要在廚房做三個便當。",
        ),
    ],
)  # fmt: skip
def test_word_order(subject, verb, thing, aspect, negative, place, time, first, en, zh):
    grammar = Grammar(0)
    action = Action(VERBS[verb], thing.en, thing.zh, place=PLACES[place] if place else None)
    said = grammar.predicate(action, aspect, subject.be, negative)
    assert grammar.at(time, subject, said, first)[:2] == (en, zh)


# Errors

test_refuses = refusals(
    (lambda: generate_pairs(-1), ValueError, "seed must be at least 0: got -1"),
    *((lambda seed=seed: generate_pairs(seed), TypeError, f"seed must be an integer: got {seed!r}")
      for seed in (1.0, "1", True, None)),
    *((lambda split=split: generate_pairs(0, split), ValueError,
       f"split must be one of train, validation, test, compositional, longer: got {split!r}")
      for split in ("dev", "", ["test"])),
)  # fmt: skip
