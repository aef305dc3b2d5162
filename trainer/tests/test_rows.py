"""Rows of training data: each mistake with its file and line."""

from __future__ import annotations

import json

import pytest
from scene import dpo_row, sft_row

from hasp_trainer.errors import Refused
from hasp_trainer.rows import read_rows


def written(tmp_path, *lines: object, name: str = "a-sft.jsonl") -> tuple[str]:
    file = tmp_path / name
    texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    file.write_text("".join(text + "\n" for text in texts), "utf-8")
    return (str(file),)


def refused(files: tuple[str, ...], kind: str = "sft", weights: str = "row") -> str:
    with pytest.raises(Refused) as error:
        read_rows(files, kind, weights)
    assert error.value.next
    return error.value.message.removeprefix(files[0])


def test_rows_of_several_files(tmp_path):
    one = written(tmp_path, sft_row(0, 0.5), sft_row(1, 0))
    two = written(tmp_path, {**sft_row(2, 3), "token_weights": [1, 0.5]}, name="b-sft.jsonl")
    rows = read_rows(one + two, "sft")
    assert [row.weight for row in rows] == [0.5, 0.0, 3.0]
    assert [row.place for row in rows] == [f"{one[0]}:1", f"{one[0]}:2", f"{two[0]}:1"]
    assert rows[2].token_weights == [1.0, 0.5]
    assert rows[0].answers == {"completion": [{"role": "assistant", "content": "abab"}]}


def test_only_a_line_feed_ends_a_line(tmp_path):
    text = "one\u2028two\u2029three\x85four\u000bfive"
    row = sft_row(0)
    row["completion"][0]["content"] = text
    rows = read_rows(written(tmp_path, row, sft_row(1)), "sft")
    assert [row.answers["completion"][0]["content"] for row in rows][0] == text
    assert rows[1].place.endswith(":2")


def test_a_row_without_its_answer(tmp_path):
    broken = sft_row(1)
    del broken["completion"]
    assert refused(written(tmp_path, sft_row(0), broken)) == ":2: `completion` is missing or has no message"
    assert (
        refused(written(tmp_path, {**sft_row(0), "prompt": []}))
        == ":1: `prompt` is missing or has no message"
    )
    lacks = {**sft_row(0), "completion": [{"role": "assistant"}]}
    assert refused(written(tmp_path, lacks)) == ":1: a message of `completion` lacks its role or content"
    assert (
        refused(written(tmp_path, dpo_row(0), sft_row(1)), "dpo")
        == ":2: `chosen` is missing or has no message"
    )


@pytest.mark.parametrize("shown", ["NaN", "Infinity", "-0.5", '"1"', "true", "null", "[1]"])
def test_a_weight_that_is_none(tmp_path, shown):
    line = json.dumps(sft_row(0)).replace('"sample_weight": 1.0', f'"sample_weight": {shown}')
    files = written(tmp_path, sft_row(1), line)
    assert refused(files) == f":2: `sample_weight` must be a number of 0 or more, not {shown}"
    assert [row.weight for row in read_rows(files, "sft", "none")] == [1.0, 1.0]


def test_a_weight_that_is_missing(tmp_path):
    row = sft_row(0)
    del row["sample_weight"]
    files = written(tmp_path, row)
    assert refused(files) == ":1: `sample_weight` is missing"
    assert read_rows(files, "sft", "none")[0].weight == 1.0


def test_broken_lines(tmp_path):
    assert refused(written(tmp_path, sft_row(0), '{"prompt": [')) == ":2:13: Expecting value"
    assert refused(written(tmp_path, "[]")) == ":1: not a row of keys and values"
    assert refused(written(tmp_path, sft_row(0), "", sft_row(1))) == ":2:1: Expecting value"
    assert refused(written(tmp_path, "[" * 100_000)).startswith(":1")
    file = tmp_path / "latin.jsonl"
    file.write_bytes(b"\xff\n")
    assert refused((str(file),)) == ": not UTF-8 text"


def test_files_without_rows(tmp_path):
    assert refused(written(tmp_path)) == ": no rows"
    assert refused((str(tmp_path / "none.jsonl"),)) == ": no such file"
    assert refused((str(tmp_path),)) == ": Is a directory"
    zeros = written(tmp_path, sft_row(0, 0), sft_row(1, 0))
    assert refused(zeros) == ": every row has a weight of 0, so there is nothing to learn"
