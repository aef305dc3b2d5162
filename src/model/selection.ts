import { counted } from "./counted.ts";

/** Whose selection decides which Program Functions judge a record: its own, the one by code, or nobody's, so that all are asked. */
export const SELECTIONS = ["recorded", "by code", "every PF"] as const;
export type Selection = (typeof SELECTIONS)[number];

const WORDS: Readonly<Record<Selection, (episodes: string) => string>> = {
  recorded: (episodes) => `the PFs that the run selected, in ${episodes}`,
  "by code": (episodes) => `the PFs that code selects for the question, in ${episodes}`,
  "every PF": (episodes) => `every PF, in ${episodes} without a recorded selection`,
};

/** Says which Program Functions were asked for the figures of a backtest; `selections` counts episodes. */
export function selectionWords(selections: Readonly<Record<Selection, number>>): string {
  const used = SELECTIONS.filter((selection) => selections[selection] > 0);
  const parts = used.map((selection) => WORDS[selection](counted(selections[selection], "episode")));
  return parts.length === 0 ? "none" : parts.join("; ");
}
