import {
  FAMILIES,
  FAMILY_SLOTS,
  familyWeights,
  ONLY_FINAL_NOTE,
  type SignalWeights,
  type StepSignals,
} from "../model/signals.ts";
import {
  canOnlyAnswer,
  REWARD_FLOOR,
  type SignalFigures,
  type SignalsReport,
  type SkillFigures,
} from "../model/signals-report.ts";
import { counted } from "../model/counted.ts";
import { formatAction } from "../model/action.ts";
import { percent } from "../model/outcomes.ts";
import { renderTable, right } from "./table.ts";

const BAR = 10;
const number = (value: number): string => value.toFixed(4);
const mean = (sum: number, steps: number): string => (steps === 0 ? "–" : (sum / steps).toFixed(3));

/** A bar for a value in [−1, 1]; a negative one is drawn with another character. */
function bar(value: number): string {
  const filled = Math.min(BAR, Math.round(Math.abs(value) * BAR));
  return (value < 0 ? "▒" : "█").repeat(filled).padEnd(BAR);
}

/** One step: its reward, and under each family its slots with the rule that gave their value. */
export function stepLines(step: StepSignals, weights: SignalWeights): readonly string[] {
  const { t, proposed, executed, correction, reward, fine, families, values } = step;
  const by = familyWeights(weights);
  const ran = formatAction(executed);
  const action = correction === "none" ? ran : `${formatAction(proposed)} → ${ran}  ${correction}`;
  const head = `step ${t + 1}  ${action}`;
  const rows = FAMILIES.flatMap((family) => [
    [family, bar(families[family]), number(families[family]), `× ${by[family].toFixed(4)}`, ""],
    ...FAMILY_SLOTS[family].map((slot) => {
      const { value, reason } = values[slot];
      return [
        `  ${slot}`,
        bar(Math.sign(weights.slots[slot]) * value),
        number(value),
        `× ${weights.slots[slot]}`,
        reason,
      ];
    }),
  ]);
  const table = renderTable(["signal", "", right("value"), "weight", "rule"], rows);
  return [head, ...table.map((line) => `  ${line}`), `  A ${number(reward)}  fine ${number(fine)}`, ""];
}

/** The limits of these signals in a domain whose episodes have one step; no line for other domains. */
export function limitLines(report: SignalsReport): readonly string[] {
  return canOnlyAnswer(report) ? [ONLY_FINAL_NOTE] : [];
}

/** The signals that the interventions of one skill earn: the mean of each family and each slot over its steps. */
export function skillLines(skill: SkillFigures, weights: SignalWeights): readonly string[] {
  const { skillId, steps, modified, families, slots, reward, best, worst } = skill;
  const by = familyWeights(weights);
  const rows = FAMILIES.flatMap((family) => [
    [family, bar(families[family] / steps), mean(families[family], steps), `× ${by[family].toFixed(4)}`],
    ...FAMILY_SLOTS[family].map((slot) => {
      const weight = weights.slots[slot];
      const value = slots[slot] / steps;
      return [`  ${slot}`, bar(Math.sign(weight) * value), value.toFixed(3), `× ${weight}`];
    }),
  ]);
  return [
    `${skillId}: ${counted(steps, "step")}, ${modified} modified, mean A ${mean(reward, steps)}`,
    ...renderTable(["signal", "", right("mean"), "weight"], rows).map((line) => `  ${line}`),
    `  best step ${best.episode}#${best.t + 1} of ${best.run}, worst ${worst.episode}#${worst.t + 1} of ${worst.run}`,
  ];
}

function figureCells({ steps, overFloor, reward, families }: SignalFigures): string[] {
  return [
    String(steps),
    `${overFloor} (${percent(overFloor, steps)})`,
    ...FAMILIES.map((family) => mean(families[family], steps)),
    mean(reward, steps),
  ];
}

const FIGURES = ["steps", `A ≥ ${REWARD_FLOOR}`, ...FAMILIES, "mean A"].map(right);

function skillRow(skill: SkillFigures): string[] {
  const { best, worst } = skill;
  return [
    skill.skillId,
    ...figureCells(skill),
    String(skill.modified),
    `${best.episode}#${best.t + 1}`,
    `${worst.episode}#${worst.t + 1}`,
  ];
}

/** How rewards spread, a tenth a line, without the empty tenths at both ends. */
function histogram(bins: readonly number[]): readonly string[] {
  const first = bins.findIndex((count) => count > 0);
  const last = bins.findLastIndex((count) => count > 0);
  const most = Math.max(1, ...bins);
  return bins.slice(Math.max(0, first), last + 1).map((count, i) => {
    const from = (Math.max(0, first) + i - 10) / 10;
    const width = Math.ceil((count / most) * 40);
    return `  ${from.toFixed(1).padStart(4)}  ${"█".repeat(width).padEnd(40)}  ${count}`;
  });
}

/** The report of `hasp signals` for people. */
export function reportLines(report: SignalsReport): readonly string[] {
  const { episodes, unjudged, diverged, behindDivergence, all, modified, revised, judged, skills } = report;
  const { sum, episodes: rewarded } = report.episodeReward;
  const notes = [
    unjudged > 0 && `${counted(unjudged, "episode")} without a verdict: their outcome counts as 0`,
    diverged > 0 &&
      `${counted(diverged, "episode")} diverged from the record: no outcome, and ${counted(behindDivergence, "step")} behind are left out`,
    judged < all.steps &&
      `s3.semantic: ${judged} of ${counted(all.steps, "step")} judged by a teacher, the rest by the fallback`,
  ];
  const bySkill = [right("modified"), "best step", "worst step"];
  return [
    ...renderTable(["", ...FIGURES], [["all steps", ...figureCells(all)]]),
    `${counted(episodes, "episode")}, ${modified} modified and ${revised} revised steps, mean episode reward ${mean(sum, rewarded)}`,
    ...notes.filter((note) => note !== false),
    ...limitLines(report),
    "",
    "rewards A of the steps:",
    ...histogram(report.bins),
    "",
    ...(skills.length === 0
      ? ["No skill changed an action or added a context."]
      : renderTable(["skill", ...FIGURES, ...bySkill], skills.map(skillRow))),
  ];
}
