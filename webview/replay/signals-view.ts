import { html, nothing, type TemplateResult } from "lit";
import { hasOnlyFinal } from "../../src/model/action-types.ts";
import type { Step } from "../../src/model/episode.ts";
import {
  FAMILIES,
  FAMILY_SLOTS,
  ONLY_FINAL_NOTE,
  type Correction,
  type ShownSignals,
  type SignalFamily,
  type SignalSlot,
  type StepSignals,
} from "../../src/model/signals.ts";
import { count } from "../shared/format.ts";
import { icon } from "../shared/icon.ts";
import { term } from "../shared/terms.ts";
import type { Controller } from "./controller.ts";
import { detailSection } from "./detail-section.ts";
import { failureView } from "./notices.ts";
import { shownOf, valueOf, type ReplayState } from "./state.ts";

/** `0.62`, `−0.10`; what rounds to zero has no sign. */
function decimal(value: number): string {
  const text = value.toFixed(2);
  return Number(text) === 0 ? "0.00" : text.replace("-", "−");
}

/** `0.2875`, `0.62`: as many of four digits as say something. */
function exact(value: number): string {
  return String(Number(value.toFixed(4))).replace("-", "−");
}

/** To the right of the zero line, or hatched and to its left, where it ends at −0.5; `share` is in [−1, 1]. */
function barView(share: number, label: string): TemplateResult {
  const length = Math.min(Math.abs(share), 1);
  const fill =
    length === 0
      ? nothing
      : html`<span class="fill ${share < 0 ? "penalty" : ""}" style="--length: ${length}"></span>`;
  return html`<span class="signal-bar" role="img" aria-label=${label}>${fill}</span>`;
}

interface Row {
  readonly word: SignalFamily | SignalSlot;
  /** The sum that the weight belongs to. */
  readonly within: string;
  readonly bar: TemplateResult;
  readonly value: number;
  /** 0 for a part that is dropped. */
  readonly weight: number;
  readonly reason: string;
}

function rowView({ word, within, bar, value, weight, reason }: Row): TemplateResult {
  const why = weight === 0 ? [reason, "dropped"].filter((text) => text !== "").join("; ") : reason;
  return html`<span class="signal-name">${term(word)}</span>
    ${bar}
    <span class="number">${decimal(value)}</span>
    <span class="number quiet" title="Weight of ${word} in ${within}">× ${decimal(weight)}</span>
    ${why === "" ? nothing : html`<bdi class="reason">${why}</bdi>`}`;
}

/** The rule of a slot; a long one that an earlier slot of the family has as well is there already. */
function ruleOf({ values }: StepSignals, family: SignalFamily, slot: SignalSlot): string {
  const { reason } = values[slot];
  const first = FAMILY_SLOTS[family].find((other) => values[other].reason === reason);
  const reference = `as ${first ?? slot}`;
  return first === slot || reason.length <= reference.length ? reason : reference;
}

/** The bars of the slots of a family add up to the bar of the family. */
function slotView(signals: ShownSignals, step: StepSignals, family: SignalFamily, slot: SignalSlot) {
  const { slotWeights } = signals;
  const { value } = step.values[slot];
  const weight = slotWeights[slot];
  const total = FAMILY_SLOTS[family].reduce((sum, each) => sum + Math.abs(slotWeights[each]), 0);
  const share = total === 0 ? 0 : (weight * value) / total;
  const effect =
    share === 0
      ? "adds nothing to"
      : share < 0
        ? `takes ${decimal(-share)} from`
        : `adds ${decimal(share)} to`;
  const bar = barView(share, `${slot} ${effect} ${family}`);
  return html`<li class="signal slot ${share === 0 ? "idle" : ""}" data-slot=${slot}>
    ${rowView({ word: slot, within: family, bar, value, weight, reason: ruleOf(step, family, slot) })}
  </li>`;
}

function familyView(signals: ShownSignals, step: StepSignals, family: SignalFamily): TemplateResult {
  const value = step.families[family];
  const weight = signals.weights[family];
  const bar = barView(value, `${family} ${decimal(value)} on a scale from −1 to 1`);
  return html`<li data-family=${family}>
    <div class="signal family">
      ${rowView({ word: family, within: "A_t", bar, value, weight, reason: "" })}
    </div>
    <ul>
      ${FAMILY_SLOTS[family].map((slot) => slotView(signals, step, family, slot))}
    </ul>
  </li>`;
}

const CORRECTIONS: Readonly<Record<Correction, unknown>> = {
  none: html`<span class="quiet">not corrected</span>`,
  modified: html`${icon("triangle-up", "changed")} ${term("modified")}`,
  revised: term("revised"),
};

function stepSum({ reward, fine, correction }: StepSignals): TemplateResult {
  return html`<p class="signal-sum" data-sum="step">
    ${term("step reward", "A_t")} <span class="number">${exact(reward)}</span> · ${term("fine score")}
    <span class="number">${exact(fine)}</span> · ${CORRECTIONS[correction]}
  </p>`;
}

function episodeSum({ steps, mean, reward, divergedAt }: ShownSignals): TemplateResult {
  const counted = divergedAt === undefined ? steps : steps.filter(({ t }) => t <= divergedAt);
  const of = divergedAt === undefined ? "" : " up to the divergence";
  const outcome =
    reward === undefined
      ? html`<span class="quiet">no episode reward: the outcome is unknown</span>`
      : html`${term("episode reward")} <span class="number">${exact(reward)}</span>`;
  return html`<p class="signal-sum" data-sum="episode">
    ${term("mean reward", "A(τ)")} <span class="number">${exact(mean)}</span>
    <span class="quiet">mean of ${count(counted.length, "step")}${of}</span> · ${outcome}
  </p>`;
}

function divergenceView({ divergedAt }: ShownSignals, { t }: StepSignals): unknown {
  if (divergedAt === undefined || t <= divergedAt) return nothing;
  return html`<p class="quiet">
    ${icon("info")} Behind the divergence at step ${divergedAt + 1}: no outcome.
  </p>`;
}

function onlyFinalView(state: ReplayState): unknown {
  const episode = valueOf(state.episode);
  if (episode === undefined || !hasOnlyFinal(episode.facts)) return nothing;
  return html`<p class="quiet">${icon("info")} ${ONLY_FINAL_NOTE}</p>`;
}

function signalsBody(state: ReplayState, { t }: Step, controller: Controller): unknown {
  if (state.index === undefined)
    return html`<p class="quiet">The signals are computed when the episode has ended.</p>`;
  if (state.signals.state === "failed") return failureView(state.signals.failure, controller);
  const signals = shownOf(state.signals);
  if (signals === undefined) return html`<p class="quiet">Computing the signals…</p>`;
  const step = signals.steps.find((one) => one.t === t);
  if (step === undefined) return html`<p class="quiet">This step has no signals: it records no proposal.</p>`;
  return html`<ul class="signals" aria-label="Signals of step ${t + 1}">
      ${FAMILIES.map((family) => familyView(signals, step, family))}
    </ul>
    ${stepSum(step)} ${divergenceView(signals, step)} ${episodeSum(signals)} ${onlyFinalView(state)}`;
}

/** The signals of the step with the rules that gave them, and the rewards that come of them. */
export function signalsView(state: ReplayState, step: Step, controller: Controller): TemplateResult {
  const reward = shownOf(state.signals)?.steps.find(({ t }) => t === step.t)?.reward;
  const extra = reward === undefined ? "" : decimal(reward);
  return detailSection(
    "signals",
    "Signals",
    extra,
    signalsBody(state, step, controller),
    (open) => controller.setSignalsOpen(open),
    state.signalsOpen,
  );
}
