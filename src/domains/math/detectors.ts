import type { Detectors } from "../detectors/detectors.ts";
import type { Detector, Shown } from "../detectors/episode-view.ts";
import { lastDraft } from "./last-draft.ts";
import type { MathDraft } from "./math-types.d.ts";
import { MOST_LISTED } from "./draft/limits.ts";

interface Draft {
  readonly draft: MathDraft;
  readonly thought: string;
}

/** The detector of a draft by the reason that it gives; undefined where it finds nothing. */
function onDraft(reasonOf: (about: Draft) => string | undefined): Detector {
  return ({ episode, steps, final, finalAction }): Shown | undefined => {
    const step = final === undefined ? undefined : steps[final]?.step;
    const about = step && lastDraft(episode.question, step, finalAction);
    const reason = about && reasonOf(about);
    return reason === undefined || final === undefined ? undefined : { steps: [final], reason };
  };
}

/** An equation or inequality of any kind: what derives a number. */
const hasWorking = ({ draft: { equations, solved }, thought }: Draft): boolean =>
  equations.length + solved.length > 0 || /[=≈<>≤≥]|\\(?:approx|leq?|geq?)(?![a-z])/.test(thought);

const prematureFinal = onDraft((about) =>
  hasWorking(about) ? undefined : "an answer without an equation in its working",
);

function isKnown({ given, numbers, equations, solved, puzzle }: MathDraft, value: string): boolean {
  return (
    puzzle !== undefined ||
    // A longer draft may derive a number that is not listed.
    numbers.length >= MOST_LISTED ||
    given.some((one) => one.value === value) ||
    numbers.some((one) => one.value === value && one.from !== "nowhere") ||
    equations.some(({ makes }) => makes === value) ||
    solved.some(({ solution }) => solution === value)
  );
}

const reasoningHallucination = onDraft((about) => {
  const { value, text } = about.draft.answer;
  if (value === undefined || !hasWorking(about) || isKnown(about.draft, value)) return undefined;
  return `neither the question nor the working has ${JSON.stringify(text.slice(0, 60))}`;
});

const formatMismatch = onDraft(({ draft: { asked, answer } }) => {
  if (asked.form === undefined || answer.form === "none" || asked.form.wanted.includes(answer.form))
    return undefined;
  return `the question asks for ${JSON.stringify(asked.form.words)}, and the answer is of the form "${answer.form}"`;
});

const wrongQuantity = onDraft(({ draft: { asked, answer } }) => {
  const [wanted, given] = [asked.unitName, answer.unitName];
  if (wanted === undefined || given === undefined || measuredIn(wanted) === measuredIn(given))
    return undefined;
  return `the question asks for ${asked.unit}, and the answer is in ${answer.unit}`;
});

/** Of a rate what is measured: "$12" answers "how many dollars per hour". */
const measuredIn = (unitName: string): string => unitName.split("/")[0] ?? unitName;

/** The detectors of SPEC §10.8 that need one draft alone; those about searches and steps do not run. */
export const MATH_DETECTORS: Detectors = {
  premature_final: {
    detect: prematureFinal,
    pattern: {
      group: "termination",
      abstraction: "The agent states an answer and shows no calculation that leads to it.",
      trigger: "A final answer whose working has no equation that derives a number.",
      hint: "Hold the answer back, and have it derived step by step from the numbers of the question.",
    },
  },
  reasoning_hallucination: {
    detect: reasoningHallucination,
    pattern: {
      group: "evidence",
      abstraction: "The answer is a number that comes from nowhere: no calculation of the working makes it.",
      trigger: "The number of a final answer is neither in the question nor the result of an equation.",
      hint: "Name the number of the answer, and have the equation written down that makes it.",
    },
  },
  format_mismatch: {
    detect: formatMismatch,
    pattern: {
      group: "format",
      abstraction: "The answer is not in the form that the question asks for.",
      trigger: "The question names a form, such as a fraction or an integer, and the answer has another one.",
      hint: "Quote the words of the question that name the form, and have the same value written so.",
    },
  },
  wrong_entity_focus: {
    detect: wrongQuantity,
    pattern: {
      group: "entity",
      abstraction: "The agent answers with another quantity than the one the question asks for.",
      trigger: "The unit of a final answer is not the one that the question asks for.",
      hint: "Quote what the question asks for beside what the answer gives, and have the step between them done.",
    },
  },
};
