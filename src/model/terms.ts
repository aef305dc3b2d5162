import type { HelpAnchor, HelpPlace } from "./help-page.ts";
import { FAMILIES, FAMILY_SLOTS, SLOT_MEANINGS, type SignalSlot } from "./signals.ts";

/** A word of HASP: its meaning in one sentence, and the place of the help that says more. */
export interface Term {
  readonly sentence: string;
  readonly help: HelpPlace;
}

function explained<W extends string>(
  helpOf: (word: NoInfer<W>) => HelpPlace,
  sentences: Readonly<Record<W, string>>,
): Readonly<Record<W, Term>> {
  const entries = Object.entries<string>(sentences).map(([word, sentence]) => [
    word,
    { sentence, help: helpOf(word as W) },
  ]);
  return Object.fromEntries(entries) as Record<W, Term>;
}

const inReplay = (anchor: HelpAnchor) => (): HelpPlace => ({ page: "replay", anchor });

const inSignals = (anchor: HelpAnchor) => (): HelpPlace => ({ page: "signals", anchor });

/** The page of the signals has a heading for each family. */
const ofFamily = (slot: SignalSlot): HelpPlace => {
  const anchor = FAMILIES.find((family) => FAMILY_SLOTS[family].includes(slot));
  return anchor === undefined ? { page: "signals" } : { page: "signals", anchor };
};

/** The page of the replay has a heading of its own for each of these. */
const ownHeading = (word: HelpAnchor): HelpPlace => ({ page: "replay", anchor: word });

/**
 * Statuses, outcomes, settings and words of the paper, in a sentence each: the one source of tooltips in the editor and its views.
 */
export const TERMS = {
  ...explained(ownHeading, {
    fired: "The PF's condition held and it answered: its status is applied, overridden or noop.",
    applied: "The PF fired and got its way: its action ran, or the policy read its text.",
    overridden: "The PF fired and wanted another action, but the change of another PF won the step.",
    limited: "A limit kept the PF from acting: its number of fires, the room for contexts, or a budget.",
    skipped: "The PF had nothing to do: its condition did not hold, or it was not asked on this step.",
    noop: "The PF fired and changed nothing: it abstained, or asked for what was there already.",
    error: "The PF failed on this step; the agent went on as if the PF were not there.",
  }),
  ...explained(ownHeading, {
    proposed: "The action that the policy chose, before any Program Function was asked.",
    executed: "The action that ran, after the Program Functions were asked.",
    diverged:
      "Another action would have run earlier today, so the recorded steps from here on are another path.",
    observation: "The text that came back from the executed action; the policy reads it next.",
  }),
  ...explained(ownHeading, {
    correct: "The answer matches an accepted answer.",
    wrong: "An answer was given, and it matches no accepted answer.",
    halted: "The episode ended without an answer; its stop reason says why.",
    unjudged: "No accepted answer is known, so nobody can say whether the answer is right.",
    abandoned:
      "A person took these steps back and went on from an earlier place, so nothing judges them and no training data is made of them.",
    gold: "The accepted answers of the question; no policy and no PF ever sees them.",
  }),
  ...explained(inReplay("prompt-and-completion"), {
    "read leniently": "The action stood in another form than the prompt asks for, and was read all the same.",
    "cut off": "The reply reached its longest length, so its end is missing.",
    rendered: "A recorded or scripted proposal, in the form that the domain asks of models.",
  }),
  ...explained(inReplay("applied"), {
    injected: "A PF added a text that the policy reads with the next observation.",
  }),
  ...explained(inReplay("executed"), {
    modified: "Another action ran than the policy proposed.",
    "did not run":
      "The action was chosen and did not run: its budget was used up and the policy read so, or the episode ended there.",
  }),
  ...explained(inReplay("proposed"), {
    "held back": "A FINAL waited once, so that the policy could read an injected text and propose again.",
    fixed: "The draft that was held back was wrong, and the answer that came of it is right.",
    broken: "The draft that was held back was right, and the answer that came of it is wrong.",
    same: "The draft that was held back and the answer that came of it are both right, or both wrong.",
  }),
  ...explained(inReplay("decisions"), {
    reminded: "Phase instructions of a skill, which the policy read before it proposed.",
    switches: "The layers of HASP that the setting and the switches of the run leave on.",
    "difficulty gate": "Questions that the teacher rates below the difficulty threshold run without skills.",
    "skill selector": "It chooses the skills whose summary stands in the system prompt.",
    "PF selector":
      "The teacher selects Program Functions for the question; without a teacher, all are asked.",
    "observation selector": "It chooses the phase instructions of the phase that the last action opened.",
    "step selector": "It chooses the phase instructions that come before an answer.",
    "snippet mode": "The search tool has no READ, so a READ that a PF wants becomes a SEARCH.",
    "handler vote": "Handlers vote on a FINAL that would stand; enough votes turn it into a SEARCH.",
    "answer format": "The teacher brings the final answer into the form that the question asks for.",
    retry: "An answer that the teacher rejects is followed by another round.",
  }),
  ...explained(() => ({ page: "hooks" }), {
    "answer to the host": "The verdict on an event of a coding agent, with the text that went out.",
    "what the host cannot do": "The action that the Program Functions wanted and the host cannot carry out.",
    "PFs not asked": "No Program Function was asked about this step.",
    "what the host did": "Whether the host did what it was asked, as its next event shows.",
    "prompt of a program": "A prompt that no person wrote: a wake-up, a poll, or a message of another agent.",
    "ends of tasks in the background":
      "Tasks of which the host told the agent that they had passed or failed.",
  }),
  ...explained(inReplay("prompt-equivalent"), {
    modifies: "The PF can replace the proposed action, which no prompt can do.",
    "builds text":
      "The PF changes no action, but writes its texts from the step, which a fixed prompt cannot do.",
    "prompt-equivalent":
      "A prompt could replace the PF: it never changes an action, and all its texts are constants.",
  }),
  ...explained(ownHeading, {
    full: "Everything that the switches leave on.",
    "pf-only":
      "Every Program Function is asked and takes its code path; no teacher, no LLM handler, no difficulty gate.",
    "teacher-only": "No skills; the teacher formats answers and decides on retries.",
    "prompt-only": "Every skill as text in the prompt, without a limit; no code, no teacher.",
    "ra-agent": "Neither skills nor teacher: the agent with its tools.",
  }),
  ...explained(ofFamily, SLOT_MEANINGS),
  ...explained((family) => ({ page: "signals", anchor: family }), {
    timing: "Whether Program Functions activated at the risky steps, and only there.",
    modality: "Whether something was added or changed, and at which moment of the step.",
    correctness: "Whether the executed action is valid and sensible.",
    outcome: "The worth of the change, the answer of the episode, and its length.",
  }),
  ...explained(inSignals("step-reward"), {
    "step reward": "A_t: the four families of signals, each by its weight; training weighs the step by it.",
  }),
  ...explained(inSignals("fine-score"), {
    "fine score": "All signals of the step in one sum, divided by the sum of their weights without sign.",
  }),
  ...explained(inSignals("episode-reward"), {
    "mean reward": "A(τ): the mean of the step rewards of the episode.",
    "episode reward": "Half the mean of the step rewards, half the outcome.",
  }),
  ...explained(inSignals("corrections"), {
    revised: "The policy itself proposed another action, after a context that it read.",
  }),
} as const;

export type TermWord = keyof typeof TERMS;

/** The term of a word that comes from data, such as the setting of an episode. */
export function isTerm(word: string): word is TermWord {
  return Object.hasOwn(TERMS, word);
}
