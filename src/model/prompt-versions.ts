import { clip } from "./clip.ts";
import { TRIGGERS } from "./shipped-lists.ts";
import { START_OF_FILE, type Diagnostic } from "./diagnostic.ts";
import { isRecorded } from "./recorded-policy.ts";

/** A run or an episode, with its recorded settings. */
export interface Asked {
  readonly title: string;
  readonly settings: Readonly<Record<string, unknown>> | undefined;
}

/** The version of the prompt that the model of a run read; undefined where the record does not say, and where no model read one. */
function promptRead(settings: Asked["settings"]): string | undefined {
  const { prompt, policy } = settings ?? {};
  return typeof prompt === "string" && !isRecorded(policy) ? prompt : undefined;
}

/** Settings that a message names with both values. */
const NAMED: ReadonlySet<string> = new Set(["prompt", TRIGGERS]);

/** A setting in which two runs differ, for a message; of some with both values. */
export function differenceWords(key: string, one: unknown, other: unknown): string {
  const isNamed = NAMED.has(key) && typeof one === "string" && typeof other === "string";
  return isNamed ? `${key}: ${clip(one, 80)}, ${clip(other, 80)}` : key;
}

/** Older records name no list of shipped skills, nor do runs of skills by their folders: there the texts of the skills decide. */
export function isUnnamedList(key: string, one: unknown, other: unknown): boolean {
  return key === TRIGGERS && (one === undefined || other === undefined);
}

/** A warning (HASP865) where models read prompts of different versions: the difference of two results is then also that of the prompts. */
export function otherPrompts(a: Asked, b: Asked): readonly Diagnostic[] {
  const [one, other] = [promptRead(a.settings), promptRead(b.settings)];
  if (one === undefined || other === undefined || one === other) return [];
  const named = ({ title }: Asked, version: string): string => `${clip(version, 80)} in ${clip(title, 80)}`;
  return [
    {
      code: "HASP865",
      severity: "warning",
      message: `The models read prompts of different versions: ${named(a, one)}, ${named(b, other)}. A part of the difference may come from the prompt.`,
      next: "Run the questions of the older version again, then compare.",
      range: START_OF_FILE,
    },
  ];
}
