import { guessTokens } from "../llm/tokens.ts";
import type { GroupRows, SampleRow } from "../model/data-card.ts";
import { FAMILIES, type FamilyNumbers } from "../model/signals.ts";
import type { RowPlace } from "../model/train-data.ts";
import type { Message } from "./encode-row.ts";

/** Rows that a card shows. */
const SAMPLE_ROWS = 10;
const BINS = 10;
/** Characters of a text that a card shows. */
const SHOWN = 600;

/** A row as its card counts it. */
export interface CountedRow {
  readonly place: RowPlace;
  readonly weight: number;
  readonly skills: readonly string[];
  readonly correction: string;
  /** Absent in objective B. */
  readonly families?: FamilyNumbers;
  readonly prompt: readonly Message[];
  readonly target: string;
  readonly rejected?: string;
  readonly rendered: boolean;
  /** The prompt is that of a transcript. */
  readonly isTranscript: boolean;
}

/** TRL 1.16: `max_length` of SFTConfig and DPOConfig; what is over it is cut at the end, where the target is. */
export const TRL_MAX_LENGTH = 1024;

/** Tokens of the parts of a row, guessed. */
export function tokensOf({
  prompt,
  target,
  rejected = "",
}: Pick<CountedRow, "prompt" | "target" | "rejected">) {
  return {
    prompt: prompt.reduce((sum, { content }) => sum + guessTokens(content), 0),
    target: guessTokens(target),
    rejected: guessTokens(rejected),
  };
}

interface Group {
  rows: number;
  weight: number;
}

type Groups = Map<string, Group>;

function addTo(groups: Groups, name: string, weight: number): void {
  const group = groups.get(name) ?? { rows: 0, weight: 0 };
  group.rows += 1;
  group.weight += weight;
  groups.set(name, group);
}

/** Groups with their mean weight, the largest first. */
function listed(groups: ReadonlyMap<string, Group>): readonly GroupRows[] {
  return [...groups]
    .map(([name, { rows, weight }]) => ({ name, rows, weight: weight / rows }))
    .toSorted((a, b) => b.rows - a.rows || (a.name < b.name ? -1 : 1));
}

const cut = (text: string): string =>
  (text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1)}…`).toWellFormed();
const endOf = (text: string): string =>
  (text.length <= SHOWN ? text : `…${text.slice(1 - SHOWN)}`).toWellFormed();

function sampleRow(line: number, row: CountedRow): SampleRow {
  return {
    ...row.place,
    line,
    weight: row.weight,
    skills: row.skills.join(", "),
    correction: row.correction,
    prompt: endOf(row.prompt.at(-1)?.content ?? ""),
    target: cut(row.target),
    ...(row.rejected !== undefined && { rejected: cut(row.rejected) }),
  };
}

/** Counts the rows of one file as they are written. */
export function cardTally() {
  const [bySkill, byCorrection, byFamily]: [Groups, Groups, Groups] = [new Map(), new Map(), new Map()];
  const byRun = new Map<string, number>();
  const families = { timing: 0, modality: 0, correctness: 0, outcome: 0 };
  const histogram = Array.from({ length: BINS }, () => 0);
  const tokens = { prompt: 0, target: 0, longestRow: 0 };
  const sample: SampleRow[] = [];
  let [rows, rendered, transcripts, overDefault] = [0, 0, 0, 0];
  return {
    add(row: CountedRow): void {
      rows += 1;
      const { weight, skills, correction, place } = row;
      const bin = Math.min(BINS - 1, Math.max(0, Math.floor(weight * BINS + 1e-9)));
      histogram[bin] = (histogram[bin] ?? 0) + 1;
      for (const skill of skills) addTo(bySkill, skill, weight);
      addTo(byCorrection, correction, weight);
      byRun.set(place.run, (byRun.get(place.run) ?? 0) + 1);
      for (const family of FAMILIES) {
        const value = row.families?.[family] ?? 0;
        families[family] += value;
        if (value > 0) addTo(byFamily, family, weight);
      }
      const { prompt, target, rejected } = tokensOf(row);
      const whole = prompt + Math.max(target, rejected);
      tokens.prompt += prompt;
      tokens.target += target + rejected;
      tokens.longestRow = Math.max(tokens.longestRow, whole);
      if (whole > TRL_MAX_LENGTH) overDefault += 1;
      if (row.rendered) rendered += 1;
      if (row.isTranscript) transcripts += 1;
      if (sample.length < SAMPLE_ROWS) sample.push(sampleRow(rows, row));
    },
    /** Rows that TRL's trainers cut where nobody sets another `max_length`. */
    overDefault: (): number => overDefault,
    rowsOf: (run: string): number => byRun.get(run) ?? 0,
    end() {
      const mean = (sum: number): number => (rows === 0 ? 0 : sum / rows);
      const means = Object.fromEntries(FAMILIES.map((family) => [family, mean(families[family])]));
      return {
        rows,
        rendered,
        transcripts,
        bySkill: listed(bySkill),
        byCorrection: listed(byCorrection),
        ...(byFamily.size > 0 && { byFamily: listed(byFamily) }),
        families: means as FamilyNumbers,
        histogram,
        tokens,
        sample,
      };
    },
  };
}

export type CardTally = ReturnType<typeof cardTally>;
