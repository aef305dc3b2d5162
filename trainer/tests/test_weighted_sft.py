"""The weighted loss against hand-made numbers and against TRL's own."""

from __future__ import annotations

import copy
import math
from typing import Any

import pytest
import torch
from datasets import Dataset
from scene import messages, sft_row
from tiny import three_steps, tiny_model
from transformers import Qwen2Config, Qwen2ForCausalLM
from trl import SFTConfig, SFTTrainer

from hasp_trainer.weighted_sft import LOSS, WeightedCollator, WeightedSFTTrainer, loss_weights


def settings(folder: Any, **changes: Any) -> SFTConfig:
    return SFTConfig(**three_steps(folder) | {"max_length": None} | changes)


def rows(weights: list[float] | None = None) -> Dataset:
    made = [sft_row(i) for i in range(8)]
    for i, row in enumerate(made):
        del row["run"]
        if weights is None:
            del row["sample_weight"]
        else:
            row["sample_weight"] = weights[i]
    return Dataset.from_list(made)


def trained(cls: type, tokenizer: Any, folder: Any, data: Dataset, **changes: Any) -> Any:
    """A trainer after a few steps; all begin with the same model."""
    args = settings(folder, **changes)
    trainer = cls(tiny_model(len(tokenizer)), args, train_dataset=data, processing_class=tokenizer)
    trainer.train()
    return trainer


def logs(trainer: Any, name: str) -> list[float]:
    return [one[name] for one in trainer.state.log_history if name in one]


def weights_of(trainer: Any) -> torch.Tensor:
    return torch.cat([one.detach().flatten() for one in trainer.model.parameters()])


# Two tokens. Whatever it reads, the model gives token 0 a quarter and token 1 three quarters: its layers add nothing,
# each token has the same embedding, and the head's rows differ by ln 3.
def coin() -> Qwen2ForCausalLM:
    config = Qwen2Config(
        vocab_size=2,
        hidden_size=4,
        intermediate_size=4,
        num_hidden_layers=1,
        num_attention_heads=1,
        num_key_value_heads=1,
        tie_word_embeddings=False,
        rms_norm_eps=0.0,
        bos_token_id=None,
        eos_token_id=0,
        pad_token_id=0,
    )
    model = Qwen2ForCausalLM(config)
    with torch.no_grad():
        model.model.embed_tokens.weight.fill_(1.0)
        model.model.layers[0].self_attn.o_proj.weight.zero_()
        model.model.layers[0].mlp.down_proj.weight.zero_()
        model.lm_head.weight.copy_(torch.tensor([[0.0] * 4, [math.log(3) / 4] * 4]))
    return model


# Prompt 0, answer 1 0, weight 1/2; prompt 1 1, answer 1, weight 2. Three target tokens.
COINS = [
    {"input_ids": [0, 1, 0], "labels": [-100, 1, 0], "sample_weight": 0.5},
    {"input_ids": [1, 1, 1], "labels": [-100, -100, 1], "sample_weight": 2.0},
]


def coin_trainer(tokenizer: Any, folder: Any, data: list[dict[str, Any]]) -> WeightedSFTTrainer:
    return WeightedSFTTrainer(
        coin(), settings(folder), train_dataset=Dataset.from_list(data), processing_class=tokenizer
    )


def step(trainer: WeightedSFTTrainer, count: int) -> tuple[float, torch.Tensor]:
    """Loss of all rows as one batch of `count` target tokens, and its gradient on the head."""
    batch = trainer.data_collator([trainer.train_dataset[i] for i in range(len(trainer.train_dataset))])
    trainer.model.zero_grad()
    loss = trainer.compute_loss(trainer.model, batch, num_items_in_batch=torch.tensor(count))
    loss.backward()
    return loss.item(), trainer.model.lm_head.weight.grad


def test_closed_form_on_two_tokens(tokenizer, tmp_path):
    """By hand: 1/3 (1/2 (ln 4/3 + ln 4) + 2 ln 4/3); on the head's second row 1/3 (1/2 (-1/4 + 3/4) - 2/4) = -1/12."""
    loss, gradient = step(coin_trainer(tokenizer, tmp_path, COINS), 3)
    assert loss == pytest.approx((0.5 * (math.log(4 / 3) + math.log(4)) + 2 * math.log(4 / 3)) / 3, abs=1e-6)
    assert gradient[1].tolist() == pytest.approx([-1 / 12] * 4, abs=1e-6)
    assert gradient[0].tolist() == pytest.approx([1 / 12] * 4, abs=1e-6)


def test_token_weights_closed_form(tokenizer, tmp_path):
    """Weight 1/2 of the row, 1 and 4 of its tokens: 1/2 (1/2 ln 4/3 + 2 ln 4), and 1/2 (1/2 (-1/4) + 2 (3/4)) = 11/16."""
    row = {**COINS[0], "token_weights": [1.0, 4.0]}
    loss, gradient = step(coin_trainer(tokenizer, tmp_path, [row]), 2)
    assert loss == pytest.approx((0.5 * math.log(4 / 3) + 2 * math.log(4)) / 2, abs=1e-6)
    assert gradient[1].tolist() == pytest.approx([11 / 16] * 4, abs=1e-6)


def test_a_weight_of_zero_leaves_no_gradient(tokenizer, tmp_path):
    loss, gradient = step(
        coin_trainer(tokenizer, tmp_path, [{**one, "sample_weight": 0.0} for one in COINS]), 3
    )
    assert loss == 0
    assert torch.all(gradient == 0)


def test_weights_scale_the_gradient_linearly(tokenizer, tmp_path):
    _, one = step(coin_trainer(tokenizer, tmp_path, COINS), 3)
    tripled = [{**row, "sample_weight": 3 * row["sample_weight"]} for row in COINS]
    _, three = step(coin_trainer(tokenizer, tmp_path, tripled), 3)
    assert torch.allclose(three, 3 * one, atol=1e-7)


def test_prompt_tokens_are_masked(tokenizer, tmp_path):
    trainer = WeightedSFTTrainer(
        tiny_model(len(tokenizer)),
        settings(tmp_path),
        train_dataset=rows([0.5] * 8),
        processing_class=tokenizer,
    )
    for row, made in zip(rows(), trainer.train_dataset, strict=True):
        prompt = tokenizer.apply_chat_template(row["prompt"], add_generation_prompt=True, return_dict=True)
        start = len(prompt["input_ids"])
        assert made[LOSS] == [0.0] * start + [0.5] * (len(made["input_ids"]) - start)
        assert made["labels"][:start] == [-100] * start
        answer = row["completion"][0]["content"] + "<|im_end|>\n"
        assert tokenizer.decode(made["labels"][start:]) == answer


CASES = {
    "plain": {},
    "truncated": {"max_length": 50},
    "accumulated": {"gradient_accumulation_steps": 2},
    "packed": {"packing": True, "max_length": 120},
    "packed and accumulated": {"packing": True, "max_length": 120, "gradient_accumulation_steps": 2},
    "wrapped": {"packing": True, "packing_strategy": "wrapped", "max_length": 100},
    "split": {"packing": True, "packing_strategy": "bfd_split", "max_length": 45},
    "padding-free": {"padding_free": True},
    "shuffled": {"shuffle_dataset": True, "packing": True, "max_length": 120},
}


# Each case is two trainings: the others are thorough.
MIXED = ("plain", "packed and accumulated", "split")


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=() if case in MIXED else pytest.mark.thorough) for case in CASES],
)
def test_equals_trl_at_weight_one(tokenizer, tmp_path, case):
    """Losses, metrics of whole batches, and every weight of the model after three steps."""
    own = trained(WeightedSFTTrainer, tokenizer, tmp_path, rows([1.0] * 8), **CASES[case])
    trl = trained(SFTTrainer, tokenizer, tmp_path, rows(), **CASES[case])
    assert len(logs(trl, "loss")) == 3
    assert logs(own, "loss") == pytest.approx(logs(trl, "loss"), abs=1e-6)
    assert logs(own, "num_tokens") == logs(trl, "num_tokens")
    assert torch.allclose(weights_of(own), weights_of(trl), atol=1e-6)
    if "gradient_accumulation_steps" not in CASES[case]:
        for name in ("entropy", "mean_token_accuracy"):
            assert logs(own, name) == pytest.approx(logs(trl, name), abs=1e-6)


@pytest.mark.parametrize(
    "changes", [pytest.param({}, marks=pytest.mark.thorough), {"packing": True, "max_length": 120}]
)
def test_data_that_is_streamed(tokenizer, tmp_path, changes):
    weights = [0.5, 1.0] * 4
    stream = trained(WeightedSFTTrainer, tokenizer, tmp_path, rows(weights).to_iterable_dataset(), **changes)
    assert len(logs(stream, "loss")) == 3
    full = {"max_steps": 1, "per_device_train_batch_size": 8} | changes
    one = trained(WeightedSFTTrainer, tokenizer, tmp_path, rows(weights).to_iterable_dataset(), **full)
    other = trained(WeightedSFTTrainer, tokenizer, tmp_path, rows(weights), **full)
    assert logs(one, "loss") == pytest.approx(logs(other, "loss"), abs=1e-6)


def test_rows_without_weights_count_as_one(tokenizer, tmp_path):
    own = trained(WeightedSFTTrainer, tokenizer, tmp_path, rows())
    trl = trained(SFTTrainer, tokenizer, tmp_path, rows())
    assert logs(own, "loss") == pytest.approx(logs(trl, "loss"), abs=1e-6)


LAYOUTS = {
    "bfd": {"packing": True, "max_length": 60},
    "bfd cuts": {"packing": True, "max_length": 45},
    "bfd_split": {"packing": True, "packing_strategy": "bfd_split", "max_length": 45},
    "wrapped": {"packing": True, "packing_strategy": "wrapped", "max_length": 45},
    "keep_start": {"max_length": 45},
    "keep_end": {"max_length": 20, "truncation_mode": "keep_end"},
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_weights_stay_beside_their_tokens(tokenizer, tmp_path, layout):
    """Each target token has its id as its weight, times a half for the row, so that a shift would show."""
    made = []
    for row in rows([0.5] * 8):
        labels = tokenizer(row["completion"][0]["content"] + "<|im_end|>\n")["input_ids"]
        made.append({**row, "token_weights": [float(one) for one in labels]})
    trainer = WeightedSFTTrainer(
        tiny_model(len(tokenizer)),
        settings(tmp_path, **LAYOUTS[layout]),
        train_dataset=Dataset.from_list(made),
        processing_class=tokenizer,
    )
    targets = 0
    for row in trainer.train_dataset:
        assert row[LOSS] == [0.0 if label == -100 else label / 2 for label in row["labels"]]
        targets += sum(label != -100 for label in row["labels"])
    assert targets > 0
    batch = next(iter(trainer.get_train_dataloader()))
    shown = batch["labels"] != -100
    assert torch.equal(batch[LOSS][shown], batch["labels"][shown] / 2)


def test_packing_does_not_change_the_loss(tokenizer, tmp_path):
    """All rows in one step, side by side or one after the other: rows of a pack do not see each other."""
    weights = [0.25 * (i + 1) for i in range(8)]
    side = {"max_steps": 1, "per_device_train_batch_size": 8}
    one = trained(WeightedSFTTrainer, tokenizer, tmp_path, rows(weights), **side)
    packed = trained(
        WeightedSFTTrainer, tokenizer, tmp_path, rows(weights), **side, packing=True, max_length=120
    )
    assert len(packed.train_dataset) < 8
    assert logs(packed, "loss") == pytest.approx(logs(one, "loss"), abs=1e-5)


def test_the_split_into_batches_does_not_change_the_step(tokenizer, tmp_path):
    """One batch of eight rows, or four of two: same loss, entropy, accuracy and weights. Rows differ in length."""
    weights = [0.0, 0.5, 1.0, 2.0, 0.1, 0.2, 0.3, 3.0]
    plain = {"max_steps": 1, "optim": "sgd", "learning_rate": 0.5, "max_grad_norm": 0.0}
    one = trained(
        WeightedSFTTrainer, tokenizer, tmp_path, rows(weights), **plain, per_device_train_batch_size=8
    )
    four = trained(
        WeightedSFTTrainer, tokenizer, tmp_path, rows(weights), **plain, gradient_accumulation_steps=4
    )
    for name in ("loss", "entropy", "mean_token_accuracy", "num_tokens"):
        assert logs(four, name) == pytest.approx(logs(one, name), abs=1e-6)
    assert torch.allclose(weights_of(one), weights_of(four), atol=1e-6)
    assert not torch.allclose(weights_of(one), weights_of_start(tokenizer), atol=1e-6)


def weights_of_start(tokenizer: Any) -> torch.Tensor:
    return torch.cat([one.detach().flatten() for one in tiny_model(len(tokenizer)).parameters()])


def test_entropy_and_accuracy_on_target_tokens_alone(tokenizer, tmp_path):
    """Against the model's own logits, over the tokens of the answers."""
    own = trained(
        WeightedSFTTrainer, tokenizer, tmp_path, rows([0.5] * 8), max_steps=1, per_device_train_batch_size=8
    )
    entropy, right, count = 0.0, 0, 0
    model = tiny_model(len(tokenizer))
    for row in own.train_dataset:
        logits = model(input_ids=torch.tensor([row["input_ids"]])).logits[0, :-1].detach()
        for scores, label in zip(logits, row["labels"][1:], strict=True):
            if label != -100:
                share = torch.softmax(scores, 0)
                entropy -= float((share * share.log()).sum())
                right += int(scores.argmax()) == label
                count += 1
    assert logs(own, "entropy") == pytest.approx([entropy / count], abs=1e-5)
    assert logs(own, "mean_token_accuracy") == pytest.approx([right / count], abs=1e-6)
    assert logs(own, "num_tokens") == [sum(len(row["input_ids"]) for row in own.train_dataset)]


def test_evaluation_weighs_too(tokenizer, tmp_path):
    args = settings(tmp_path, per_device_eval_batch_size=8)
    model = tiny_model(len(tokenizer))
    trainer = WeightedSFTTrainer(
        model, args, train_dataset=rows(), eval_dataset=rows([2.0] * 8), processing_class=tokenizer
    )
    twice = trainer.evaluate()["eval_loss"]
    assert twice == pytest.approx(2 * trainer.evaluate(rows())["eval_loss"], abs=1e-5)


@pytest.mark.parametrize("weight", [math.nan, math.inf, -0.5, "1", True, None])
def test_a_weight_that_is_none_is_refused(weight):
    with pytest.raises(ValueError, match="a weight must be a number of 0 or more"):
        loss_weights({"labels": [-100, 1], "sample_weight": weight})


def test_token_weights_of_another_number_are_refused():
    with pytest.raises(ValueError, match="1 token weights for 2 target tokens"):
        loss_weights({"labels": [-100, 1, 2], "token_weights": [1.0]})


def test_other_losses_are_refused(tokenizer, tmp_path):
    with pytest.raises(ValueError, match="weights go with the loss `nll` alone"):
        WeightedSFTTrainer(
            tiny_model(len(tokenizer)),
            settings(tmp_path, loss_type="dft"),
            train_dataset=rows(),
            processing_class=tokenizer,
        )


def test_a_collator_without_weights_is_refused(tokenizer, tmp_path):
    trainer = WeightedSFTTrainer(
        tiny_model(len(tokenizer)), settings(tmp_path), train_dataset=rows(), processing_class=tokenizer
    )
    batch = trainer.data_collator([trainer.train_dataset[0]])
    assert isinstance(trainer.data_collator, WeightedCollator)
    without = copy.copy(batch)
    del without[LOSS]
    with pytest.raises(ValueError, match="extend WeightedCollator"):
        trainer.compute_loss(trainer.model, without)


def test_prompts_of_several_messages(tokenizer, tmp_path):
    """A system message and earlier turns belong to the prompt."""
    row = {
        "prompt": messages("system", "s")
        + messages("user", "u")
        + messages("assistant", "a")
        + messages("user", "v"),
        "completion": messages("assistant", "answer"),
        "sample_weight": 0.5,
    }
    trainer = WeightedSFTTrainer(
        tiny_model(len(tokenizer)),
        settings(tmp_path),
        train_dataset=Dataset.from_list([row, row]),
        processing_class=tokenizer,
    )
    made = trainer.train_dataset[0]
    assert tokenizer.decode([one for one in made["labels"] if one != -100]) == "answer<|im_end|>\n"
