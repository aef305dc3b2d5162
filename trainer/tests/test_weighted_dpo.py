"""The weighted loss of pairs against hand-made numbers and against TRL's own."""

from __future__ import annotations

import copy
import math
from typing import Any

import pytest
import torch
from datasets import Dataset
from peft import LoraConfig, get_peft_model
from scene import dpo_row
from test_weighted_sft import coin, logs
from tiny import three_steps, tiny_model
from trl import DPOConfig, DPOTrainer

from hasp_trainer.weighted_dpo import ROW, WeightedDPOTrainer


def settings(folder: Any, **changes: Any) -> DPOConfig:
    return DPOConfig(**three_steps(folder) | changes)


def pairs(weights: list[float] | None = None) -> Dataset:
    made = [dpo_row(i, 1.0 if weights is None else weights[i]) for i in range(6)]
    if weights is None:
        for row in made:
            del row["sample_weight"]
    return Dataset.from_list(made)


def trained(cls: type, tokenizer: Any, folder: Any, data: Dataset, **changes: Any) -> Any:
    model = get_peft_model(
        tiny_model(len(tokenizer)), LoraConfig(r=4, target_modules="all-linear", task_type="CAUSAL_LM")
    )
    trainer = cls(model, args=settings(folder, **changes), train_dataset=data, processing_class=tokenizer)
    trainer.train()
    return trainer


def coin_step(tokenizer: Any, folder: Any, weights: list[float]) -> tuple[float, torch.Tensor]:
    """Pairs that prefer token 1 to token 0, from a model that is its own reference: each has the loss ln 2."""
    data = [
        {"prompt_ids": [0], "chosen_ids": [1], "rejected_ids": [0], "sample_weight": weight}
        for weight in weights
    ]
    model = coin()
    trainer = WeightedDPOTrainer(
        model,
        ref_model=copy.deepcopy(model),
        args=settings(folder, beta=0.1),
        train_dataset=Dataset.from_list(data),
        processing_class=tokenizer,
    )
    batch = trainer.data_collator([trainer.train_dataset[i] for i in range(len(data))])
    loss = trainer.compute_loss(model, batch)
    loss.backward()
    return loss.item(), model.lm_head.weight.grad


def test_closed_form_on_two_tokens(tokenizer, tmp_path):
    """By hand, weights 1/2 and 2: ln 2 (1/2 + 2) / 2; on the head's second row -beta/2 (1/2 + 2) / 2 = -1/16."""
    loss, gradient = coin_step(tokenizer, tmp_path, [0.5, 2.0])
    assert loss == pytest.approx(math.log(2) * 1.25, abs=1e-6)
    assert gradient[1].tolist() == pytest.approx([-1 / 16] * 4, abs=1e-6)
    assert gradient[0].tolist() == pytest.approx([1 / 16] * 4, abs=1e-6)


def test_a_weight_of_zero_leaves_no_gradient(tokenizer, tmp_path):
    loss, gradient = coin_step(tokenizer, tmp_path, [0.0, 0.0])
    assert loss == 0
    assert torch.all(gradient == 0)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({}, marks=pytest.mark.thorough),
        {"gradient_accumulation_steps": 2},
        pytest.param({"precompute_ref_log_probs": True}, marks=pytest.mark.thorough),
    ],
)
def test_equals_trl_at_weight_one(tokenizer, tmp_path, changes):
    """All that DPOTrainer logs, and every weight of the adapter after three steps."""
    own = trained(WeightedDPOTrainer, tokenizer, tmp_path, pairs([1.0] * 6), **changes)
    trl = trained(DPOTrainer, tokenizer, tmp_path, pairs(), **changes)
    names = {
        name for one in trl.state.log_history for name in one if name != "step" and "runtime" not in name
    }
    names = {name for name in names if "per_second" not in name}
    assert {
        "loss",
        "entropy",
        "rewards/margins",
        "mean_token_accuracy",
        "num_tokens",
        "logits/chosen",
    } <= names
    for name in names:
        assert logs(own, name) == pytest.approx(logs(trl, name), abs=1e-6), name
    for one, other in zip(own.model.parameters(), trl.model.parameters(), strict=True):
        assert torch.allclose(one, other, atol=1e-6)


def test_weights_change_the_step(tokenizer, tmp_path):
    """One of two pairs has the weight 0: half the loss that both have at first, ln 2."""
    own = trained(WeightedDPOTrainer, tokenizer, tmp_path, pairs([1.0, 0.0] * 3), max_steps=1, data_seed=1)
    batch = [own.train_dataset[i] for i in range(2)]
    assert own.data_collator(batch)[ROW].tolist() == [1.0, 0.0]
    everything = trained(
        WeightedDPOTrainer,
        tokenizer,
        tmp_path,
        pairs([1.0, 0.0] * 3),
        max_steps=1,
        per_device_train_batch_size=6,
    )
    assert logs(everything, "loss") == pytest.approx([math.log(2) / 2], abs=1e-5)


@pytest.mark.parametrize("weight", [math.nan, -1.0])
def test_a_weight_that_is_none_is_refused(tokenizer, tmp_path, weight):
    with pytest.raises(ValueError, match="a weight must be a number of 0 or more"):
        trained(WeightedDPOTrainer, tokenizer, tmp_path, pairs([weight] * 6))


def test_other_losses_are_refused(tokenizer, tmp_path):
    with pytest.raises(ValueError, match="weights go with the plain loss of DPO alone"):
        trained(WeightedDPOTrainer, tokenizer, tmp_path, pairs(), loss_type=["ipo"])
