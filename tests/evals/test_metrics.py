"""Metrics against values worked out by hand."""

import math

import pytest

from yinji.evals.metrics import bootstrap, mean, ndcg_at, percentile, recall_at, reciprocal_rank, says, says_all

pytestmark = pytest.mark.req("E1")

RANKED = [{"a"}, {"b", "x"}, {"c"}, {"d"}]


@pytest.mark.parametrize(
    ("gold", "k", "share"),
    [
        ([{"a"}], 1, 1.0),
        ([{"b"}], 1, 0.0),
        ([{"b"}, {"c"}], 2, 0.5),
        ([{"b"}, {"c"}], 5, 1.0),
        ([{"missing"}, {"d"}], 10, 0.5),
        ([{"missing", "c"}], 3, 1.0),
    ],
)
def test_recall_is_the_share_of_gold_groups_found_by_the_first_k(gold: list[set[str]], k: int, share: float) -> None:
    assert recall_at(RANKED, gold, k) == share


def test_reciprocal_rank_is_that_of_the_first_gold_hit_and_0_without_one() -> None:
    assert reciprocal_rank(RANKED, [{"c"}, {"d"}]) == pytest.approx(1 / 3)
    assert reciprocal_rank(RANKED, [{"missing"}]) == 0.0


def test_ndcg_discounts_by_rank_and_counts_each_group_once() -> None:
    second_and_third = 1 / math.log2(3) + 1 / math.log2(4)
    assert ndcg_at(RANKED, [{"b"}, {"c"}], 10) == pytest.approx(second_and_third / (1 + 1 / math.log2(3)))
    assert ndcg_at([{"b"}, {"b"}], [{"b"}], 10) == 1.0
    assert ndcg_at([{"b"}, {"c"}], [{"b", "c"}], 10) == 1.0


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("用户 对 芒果 过敏", "芒果过敏"),
        ("首付是３６万", "36万"),
        ("他住在光谷东 两室一厅", "光谷东两室一厅"),
        ("密码箱编号HS-2207放在里面", "hs-2207"),
        ("现在开四号线。", "四号线"),
        ("The user is allergic to Mangoes.", "mangoes"),
        ("She lives on\n a houseboat", "on a houseboat"),
        ("serial NV-88213.", "NV-88213"),
        ("Paid 1,450 in cash", "1,450"),
        ("the Saturdays show at nine", "Saturdays"),
    ],
)
def test_an_answer_is_found_whatever_its_width_case_and_spaces(text: str, answer: str) -> None:
    assert says(text, answer)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("用户喜欢芒果", "过敏"),
        ("尾号是158", "58"),
        ("编号 A12", "A1"),
        ("number 614b", "614"),
        ("She sells carpets", "car"),
        ("blueprint", "blue"),
    ],
)
def test_part_of_a_word_or_number_is_not_the_answer(text: str, answer: str) -> None:
    assert not says(text, answer)


def test_every_part_must_be_there_or_every_part_of_another_wording() -> None:
    assert says_all("芒果和牛奶", ["芒果", "牛奶"])
    assert not says_all("只有芒果", ["芒果", "牛奶"])
    assert says_all("mango and milk", ["芒果", "牛奶"], [["mango", "milk"]])
    assert not says_all("anything", [], [])


def test_percentiles_interpolate() -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], 0.5) == 2.5
    assert percentile([7.0], 0.95) == 7.0


def test_the_bootstrap_surrounds_the_mean_and_repeats_itself() -> None:
    values = [0.0, 1.0] * 50
    first, again = bootstrap(values), bootstrap(values)
    assert first == again
    assert first.mean == mean(values) == 0.5
    # A proportion of one half over 100 has a standard error of 0.05.
    assert first.low == pytest.approx(0.5 - 1.96 * 0.05, abs=0.015)
    assert first.high == pytest.approx(0.5 + 1.96 * 0.05, abs=0.015)


def test_values_that_are_all_alike_leave_no_doubt() -> None:
    sure = bootstrap([0.25] * 4)
    assert (sure.low, sure.mean, sure.high, sure.n) == (0.25, 0.25, 0.25, 4)
