/** A person pressed the back button of a wizard's step. */
export const BACK = Symbol("back");
/** A person left the wizard. */
export const LEFT = Symbol("left");

export type Answer<T> = T | typeof BACK | typeof LEFT;

/** The person did not answer the question. */
export function isLeaving(answer: unknown): answer is typeof BACK | typeof LEFT {
  return answer === BACK || answer === LEFT;
}

/** The place of a question in its wizard. */
export interface Place {
  /** Of the wizard. */
  readonly title: string;
  /** 1-based. */
  readonly step: number;
  readonly total: number;
}

/** One question of a wizard: from what is known so far to what is known after it. */
export type WizardStep<D> = (draft: D, at: Place) => Promise<Answer<D>>;

/** A step whose answer changes the draft by what `toDraft` gives. */
export function step<D, T>(
  ask: (draft: D, at: Place) => Promise<Answer<T>>,
  toDraft: (answer: T, draft: D) => Partial<D> | Promise<Partial<D>>,
): WizardStep<D> {
  return async (draft, at) => {
    const answer = await ask(draft, at);
    return isLeaving(answer) ? answer : { ...draft, ...(await toDraft(answer, draft)) };
  };
}

/**
 * Asks step by step, with a way back; undefined when the person leaves. `stepsFor` is asked anew after each answer, so an
 * answer may bring further questions; it must leave the steps before the present one as they are.
 */
export async function askInTurn<D>(
  title: string,
  draft: D,
  stepsFor: (draft: D) => readonly WizardStep<D>[],
): Promise<D | undefined> {
  let known = draft;
  for (let index = 0; ;) {
    const steps = stepsFor(known);
    const ask = steps[index];
    if (ask === undefined) return known;
    const answer = await ask(known, { title, step: index + 1, total: steps.length });
    if (answer === LEFT) return undefined;
    if (answer === BACK) index = Math.max(0, index - 1);
    else {
      known = answer;
      index += 1;
    }
  }
}
