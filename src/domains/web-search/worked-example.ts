import type { Action } from "../../model/action.ts";
import type { Notation, Said } from "./notation.ts";

interface ExampleStep extends Said {
  readonly observation?: string;
}

// Its names are invented, so that no question is answered with them.
const QUESTION = 'Which river flows past the town where the painter of "Grey Harvest" was born?';

const act = (type: string, arg: string): Action => ({ type, arg });

const WITH_READ: readonly ExampleStep[] = [
  {
    thought: 'First I need the painter of "Grey Harvest".',
    action: act("SEARCH", "Grey Harvest painter"),
    observation: `doc_0  Grey Harvest: Grey Harvest is an oil painting of 1911 by Ilse Vonderhaar …
doc_1  Harvest festival: A harvest festival is held at the end of …`,
  },
  {
    thought: "Ilse Vonderhaar painted it. Next I need her place of birth.",
    action: act("SEARCH", "Ilse Vonderhaar born"),
    observation:
      "doc_0  Ilse Vonderhaar: Ilse Vonderhaar was a painter of fields and barns. She studied in …",
  },
  {
    thought: "The beginning does not name the place, so I open the document.",
    action: act("READ", "doc_0"),
    observation: `Ilse Vonderhaar
Ilse Vonderhaar was a painter of fields and barns. She studied in Lund and was born in Tarnby.`,
  },
  {
    thought: "She was born in Tarnby. Next I need the river of Tarnby.",
    action: act("SEARCH", "Tarnby river"),
    observation: "doc_0  Tarnby: Tarnby is a market town on the river Osk …",
  },
  { thought: "Tarnby is on the river Osk.", action: act("FINAL", "Osk") },
];

const WITHOUT_READ: readonly ExampleStep[] = [
  {
    thought: 'First I need the painter of "Grey Harvest".',
    action: act("SEARCH", "Grey Harvest painter"),
    observation: "Grey Harvest is an oil painting of 1911 by Ilse Vonderhaar, who was born in Tarnby.",
  },
  {
    thought: "Ilse Vonderhaar was born in Tarnby. Next I need the river of Tarnby.",
    action: act("SEARCH", "Tarnby river"),
    observation: "Tarnby is a market town on the river Osk.",
  },
  { thought: "Tarnby is on the river Osk.", action: act("FINAL", "Osk") },
];

/** One question from its first search to its answer. `hasRead`: documents are opened; else a search brings the text itself. */
export function workedExample(hasRead: boolean, { write }: Pick<Notation, "write">): string {
  const turns = (hasRead ? WITH_READ : WITHOUT_READ).flatMap(({ observation, ...said }) => [
    write(said),
    ...(observation === undefined ? [] : [`Observation: ${observation}`]),
  ]);
  return [`Question: ${QUESTION}`, ...turns].join("\n");
}
