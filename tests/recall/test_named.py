"""What a message names is shown for itself: a word finds what has it, advice what is known of somebody (SPEC R2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tests.conftest import StandingClock
from yinji import Memory, Settings
from yinji.model import Scope
from yinji.recall.analyse import analyse
from yinji.recall.named import asks_for_meal, asks_what_to_do, is_bare

READING = Settings.load(environment={})
TOLD = {
    "zh": (
        "我每周二晚上去合唱团",
        "我女儿叫小满，今年四岁。",
        "我对花生过敏",
        "我在字节跳动做后端开发",
        "上周末我和老王去了莫干山爬山",
    ),
    "en": (
        "I sing in a choir on Tuesday evenings",
        "My daughter Nora is five",
        "I'm allergic to peanuts",
        "I work as a backend developer at Spotify",
        "Last weekend I hiked Mount Tamalpais with Dave",
    ),
}
OF_HER = {"zh": "女儿", "en": "Nora"}


@pytest.fixture(params=[2, 5])
def told(open_memory: Callable[..., Memory], request: pytest.FixtureRequest) -> Callable[[str], Memory]:
    """A memory that was told the first few things in a language, or all."""

    def tell(language: str) -> Memory:
        memory = open_memory(settings=READING)
        for line in TOLD[language][: request.param]:
            memory.remember(line, wait=True)
        return memory

    return tell


def contents(memory: Memory, query: str) -> list[str]:
    return [hit.memory.content for hit in memory.recall(query).hits]


@pytest.mark.req("R2", "R6")
@pytest.mark.parametrize(
    ("language", "word", "of"),
    [
        ("zh", "合唱团", "合唱团"),
        ("zh", "合唱团 周二", "合唱团"),
        ("zh", "小满", "女儿"),
        ("zh", "女儿", "女儿"),
        ("zh", "我闺女", "女儿"),
        ("en", "choir", "choir"),
        ("en", "the choir", "choir"),
        ("en", "Nora", "Nora"),
        ("en", "my daughter", "Nora"),
    ],
)
def test_a_bare_word_finds_what_has_it_and_nothing_else(
    told: Callable[[str], Memory], language: str, word: str, of: str
) -> None:
    found = contents(told(language), word)
    assert found
    assert all(of in one for one in found)


@pytest.mark.req("R2", "R6")
@pytest.mark.parametrize(
    ("told_of_it", "word"),
    [
        ("我家的猫叫年糕", "猫"),
        ("我家的猫叫年糕", "我的猫"),
        ("我妈喜欢吃辣的", "妈妈"),
        ("Our cat is called Biscuit", "my cat"),
        ("My mother loves spicy food", "mum"),
        ("My flights to Lisbon leave on Friday", "Lisbon flight"),
    ],
)
def test_a_word_is_found_as_it_is_meant(open_memory: Callable[..., Memory], told_of_it: str, word: str) -> None:
    memory = open_memory(settings=READING)
    added = memory.remember(told_of_it, wait=True).added
    for line in (*TOLD["zh"][2:], *TOLD["en"][2:]):
        memory.remember(line, wait=True)
    assert memory.recall(word).hits[0].memory in added


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("language", "query"),
    [
        ("zh", "钢琴"),
        ("zh", "合唱团的地址在哪里？"),
        ("zh", "女儿在哪上学？"),
        ("zh", "女儿的血型"),
        ("en", "piano"),
        ("en", "Where does my daughter go to school?"),
        ("en", "my daughter's blood type"),
        ("en", "What is quantum mechanics?"),
    ],
)
def test_what_no_memory_has_or_tells_is_still_met_with_silence(
    told: Callable[[str], Memory], language: str, query: str
) -> None:
    assert not contents(told(language), query)


@pytest.mark.req("R2", "R6")
@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("zh", "今晚给女儿读什么书？"),
        ("zh", "给女儿买什么生日礼物好？"),
        ("zh", "周末带女儿去哪儿玩？"),
        ("zh", "闺女发烧了该怎么办？"),
        ("zh", "小满适合学什么乐器？"),
        ("en", "What book should I read to my daughter tonight?"),
        ("en", "What should I get my daughter for her birthday?"),
        ("en", "Where could I take Nora this weekend?"),
        ("en", "Recommend a film for my daughter and me"),
        ("en", "Which toy would my daughter like?"),
    ],
)
def test_advice_about_somebody_gets_first_what_is_known_of_them(
    told: Callable[[str], Memory], language: str, question: str
) -> None:
    memory = told(language)
    assert OF_HER[language] in contents(memory, question)[0]
    context = memory.context(question)
    assert context.needed
    assert OF_HER[language] in context.hits[0].memory.content


AT_TABLE = {
    "zh": ("我不吃香菜", "我老婆吃素", "我喜欢喝手冲咖啡", "我爱看科幻电影", "我住在杭州滨江"),
    "en": (
        "I hate eating coriander",
        "My wife is vegetarian",
        "I love strong tea",
        "I love sci-fi films",
        "I live in Leeds",
    ),
}


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("zh", "晚上我们去哪儿吃？"),
        ("zh", "今晚做什么菜好"),
        ("zh", "中午吃啥"),
        ("zh", "推荐个餐厅吧"),
        ("en", "Where should we eat tonight?"),
        ("en", "What shall I cook for dinner?"),
        ("en", "Recommend a restaurant for Friday"),
        ("en", "Any dinner ideas for tonight?"),
    ],
)
def test_what_or_where_to_eat_gets_what_must_not_be_eaten_and_what_is_liked(
    open_memory: Callable[..., Memory], language: str, question: str
) -> None:
    memory = open_memory(settings=READING)
    for line in AT_TABLE[language]:
        memory.remember(line, wait=True)
    found = " ".join(contents(memory, question))
    assert {"zh": "香菜", "en": "coriander"}[language] in found
    assert {"zh": "电影", "en": "films"}[language] not in found
    assert memory.context(question).needed


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("question", "of_meals"),
    [
        ("周末带女儿去哪儿玩？", False),
        ("我昨晚吃了什么", False),
        ("头疼该吃什么药", False),
        ("请小李吃饭去哪好", True),
        ("Which toy would my daughter like?", False),
        ("What did I have for dinner last night?", False),
        ("Where should I go for lunch?", True),
    ],
)
def test_advice_on_meals_is_told_from_other_advice_and_from_what_was_eaten(
    clock: StandingClock, question: str, of_meals: bool
) -> None:
    asked = analyse(question, scope=Scope(owner="me"), now=clock(), past=False, language=None)
    assert asks_for_meal(asked) is of_meals


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("told_of_her", "question", "liking"),
    [
        (("我女儿叫小满", "小满特别喜欢恐龙"), "给女儿买什么生日礼物好？", "恐龙"),
        (
            ("My daughter is called Nora", "Nora loves dinosaurs"),
            "What should I get my daughter for her birthday?",
            "dinosaurs",
        ),
    ],
)
def test_advice_gets_what_is_known_under_another_name(
    open_memory: Callable[..., Memory], told_of_her: Sequence[str], question: str, liking: str
) -> None:
    memory = open_memory(settings=READING)
    for line in (*TOLD["zh"][2:], *TOLD["en"][2:], *told_of_her):
        memory.remember(line, wait=True)
    assert liking in " ".join(contents(memory, question)[:2])


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("zh", "女儿生日送什么"),
        ("zh", "我妈来了带她去哪儿逛"),
        ("zh", "帮我给老婆挑个礼物"),
        ("zh", "老公生日怎么过"),
        ("zh", "怎么哄孩子睡觉"),
        ("zh", "猫换什么粮比较好"),
        ("en", "Any gift ideas for mum?"),
        ("en", "Help me pick a present for my boss"),
        ("en", "How do I cheer up my best friend?"),
        ("en", "What sport might suit my son?"),
        ("en", "Plan a birthday party for my son"),
        ("en", "What tyres should my car have?"),
    ],
)
def test_what_asks_what_to_do_is_told(language: str, question: str) -> None:
    assert asks_what_to_do(question, language)


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("zh", "我女儿几岁"),
        ("zh", "我给女儿买了什么"),
        ("zh", "上次送老婆的是什么"),
        ("zh", "女儿在学什么"),
        ("zh", "我和小王去哪儿玩过"),
        ("zh", "谁给我推荐的那本书"),
        ("zh", "我和老公结婚是哪天"),
        ("en", "How old is my daughter?"),
        ("en", "What did I get my daughter for her birthday?"),
        ("en", "What does my sister like?"),
        ("en", "What present did I give Dave?"),
        ("en", "Where have I been with Dave?"),
        ("en", "Does Nora like dinosaurs?"),
        ("en", "What was the best film we saw?"),
    ],
)
def test_what_asks_for_a_fact_is_no_advice(language: str, question: str) -> None:
    assert not asks_what_to_do(question, language)


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("query", "bare"),
    [
        ("健身房 密码", True),
        ("我的猫", True),
        ("今天升职了", False),
        ("江边是个好地方", False),
        ("猫叫什么", False),
        ("dentist appointment", True),
        ("my cat", True),
        ("My sister is on nights again", False),
        ("I got promoted", False),
        ("where is the choir", False),
    ],
)
def test_a_name_or_a_few_words_are_told_from_a_sentence(clock: StandingClock, query: str, bare: bool) -> None:
    asked = analyse(query, scope=Scope(owner="me"), now=clock(), past=False, language=None)
    assert is_bare(asked) is bare


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("said", "question", "content"),
    [
        ("我女儿叫米粒", "我有孩子吗？", "用户的女儿叫米粒"),
        ("我养了一只布偶叫年糕", "我有没有养宠物", "用户养了一只布偶叫年糕"),
        ("我养了只布偶叫芝士", "我的猫叫什么", "用户养了只布偶叫芝士"),
        ("女婿老周是跑船的", "女婿叫什么名字", "用户的女婿老周是跑船的"),
        ("我老公是俄罗斯人", "我结婚了吗", "用户的老公是俄罗斯人"),
        ("My daughter's called Millie", "Do I have children?", "The user's daughter is called Millie"),
        ("I have a beagle called Waffles", "Do I have any pets?", "The user has a beagle called Waffles"),
        ("I have a ragdoll called Brie", "Do I have a cat?", "The user has a ragdoll called Brie"),
        ("my son-in-law Joe is a sailor", "What's my son-in-law's name?", "The user's son-in-law Joe is a sailor"),
        ("My husband is Russian", "Am I married?", "The user's husband is Russian"),
        ("我叫王浩，28岁", "我多大了", "用户28岁"),
        ("我在杭州当老师", "我是做什么工作的", "用户在杭州当老师"),
        ("I'm a vet", "What do I do for a living?", "The user is a vet"),
        ("I'm Priya, 34", "how old am I", "The user is 34"),
    ],
)
def test_whom_one_has_is_told_by_what_is_known_of_them(
    open_memory: Callable[..., Memory], said: str, question: str, content: str
) -> None:
    memory = open_memory(settings=READING)
    memory.remember(said, wait=True)
    assert contents(memory, question)[:1] == [content]


@pytest.mark.req("R2")
@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("我女儿叫米粒", "我养了什么宠物？"),
        ("我养了只柯基叫豆豆", "我有猫吗"),
        ("My daughter's called Millie", "Do I have any pets?"),
        ("I have a beagle called Bo", "Do I have a cat?"),
    ],
)
def test_of_a_sort_of_which_nobody_is_known_nothing_is_said(
    open_memory: Callable[..., Memory], said: str, question: str
) -> None:
    memory = open_memory(settings=READING)
    memory.remember(said, wait=True)
    assert contents(memory, question) == []
