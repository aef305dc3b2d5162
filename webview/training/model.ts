import { percent } from "../../src/model/outcomes.ts";
import { FAMILIES, type SignalFamily } from "../../src/model/signals.ts";
import type { SignalFigures, SkillFigures } from "../../src/model/signals-report.ts";
import type { TrainingPage } from "../../src/protocol/training.ts";
import type { Failed } from "../shared/failed.ts";

/** Columns of the table by skill. */
export const SKILL_COLUMNS = ["skill", "steps", "over", ...FAMILIES, "mean", "modified"] as const;
export type SkillColumn = (typeof SKILL_COLUMNS)[number];

export interface Sorting {
  readonly column: SkillColumn;
  readonly descending: boolean;
}

/** All that the view draws. */
export interface TrainingState {
  /** Undefined until the host has answered. */
  readonly page: TrainingPage | undefined;
  /** Position of the card that is shown. */
  readonly card: number;
  readonly sorting: Sorting;
  readonly failed: Failed | undefined;
}

export const INITIAL_TRAINING: TrainingState = {
  page: undefined,
  card: 0,
  sorting: { column: "steps", descending: true },
  failed: undefined,
};

export function meanOf({ steps, families }: SignalFigures, family: SignalFamily): number {
  return steps === 0 ? 0 : families[family] / steps;
}

export const meanReward = ({ steps, reward }: SignalFigures): number => (steps === 0 ? 0 : reward / steps);

export const share = (part: number, whole: number): string => percent(part, whole) ?? "–";

function cell(skill: SkillFigures, column: Exclude<SkillColumn, "skill">): number {
  if (column === "steps") return skill.steps;
  if (column === "over") return skill.steps === 0 ? 0 : skill.overFloor / skill.steps;
  if (column === "mean") return meanReward(skill);
  if (column === "modified") return skill.modified;
  return meanOf(skill, column);
}

/** A skill with its position in the report, by which the host knows it. */
export interface PlacedSkill {
  readonly skill: SkillFigures;
  readonly position: number;
}

/** The skills in the order of a column; equal ones by their name. */
export function sortedSkills(skills: readonly SkillFigures[], sorting: Sorting): readonly PlacedSkill[] {
  const { column, descending } = sorting;
  const sign = descending ? -1 : 1;
  const byName = (a: PlacedSkill, b: PlacedSkill): number =>
    a.skill.skillId < b.skill.skillId ? -1 : a.skill.skillId > b.skill.skillId ? 1 : 0;
  const placed = skills.map((skill, position) => ({ skill, position }));
  if (column === "skill") return placed.toSorted((a, b) => sign * byName(a, b));
  return placed.toSorted((a, b) => sign * (cell(a.skill, column) - cell(b.skill, column)) || byName(a, b));
}

/** The order after a press on the head of a column: a name first upwards, a number first downwards; then the other way. */
export function nextSorting(now: Sorting, column: SkillColumn): Sorting {
  if (now.column === column) return { column, descending: !now.descending };
  return { column, descending: column !== "skill" };
}

/** A bar of a histogram. */
export interface Bin {
  /** `0.3 to 0.4`. */
  readonly label: string;
  readonly count: number;
}

/** The bins without the empty ones at both ends; the first begins at `from`, each is a tenth wide. */
export function binsOf(counts: readonly number[], from: number): readonly Bin[] {
  const first = counts.findIndex((count) => count > 0);
  if (first === -1) return [];
  const last = counts.findLastIndex((count) => count > 0);
  const at = (tenth: number): string =>
    (from + tenth / 10)
      .toFixed(1)
      .replace(/^-0\.0$/, "0.0")
      .replace("-", "−");
  return counts
    .slice(first, last + 1)
    .map((count, i) => ({ label: `${at(first + i)} to ${at(first + i + 1)}`, count }));
}

/** A number with a true minus, so that columns align. */
export const decimal = (value: number, digits = 3): string => {
  const text = value.toFixed(digits);
  return (/^-0\.?0*$/.test(text) ? text.slice(1) : text).replace("-", "−");
};
