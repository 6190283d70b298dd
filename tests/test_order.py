"""Long tests are spread among the others."""

from tests.support.order import spread

FILES = {"a": 10, "b": 20, "c": 30, "d": 60}
OTHERS = [f"{file}{number}" for file, count in FILES.items() for number in range(count)]


def file_of(test: str) -> str:
    return test[0]


def test_long_tests_come_early_each_before_another_file():
    order = spread(["x1", "x2", "x3"], OTHERS, file_of)
    assert [test for test in order if test[0] != "x"] == OTHERS
    assert [order[order.index(test) + 1] for test in ("x1", "x2", "x3")] == ["a0", "b0", "c0"]


def test_more_long_tests_than_files_all_run():
    long = [f"x{number}" for number in range(9)]
    order = spread(long, OTHERS, file_of)
    assert sorted(order) == sorted([*long, *OTHERS])
    assert order[0] == "x0"
    assert order[-1] == OTHERS[-1]


def test_there_may_be_none_of_either_kind():
    assert spread([], OTHERS, file_of) == OTHERS
    assert spread(["x"], [], file_of) == ["x"]
    assert spread([], [], file_of) == []
