import { clip } from "./clip.ts";
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

/** A setting in which two runs differ, for a message; of the prompt with both versions. */
export function differenceWords(key: string, one: unknown, other: unknown): string {
  const isNamed = key === "prompt" && typeof one === "string" && typeof other === "string";
  return isNamed ? `prompt: ${clip(one, 80)}, ${clip(other, 80)}` : key;
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
