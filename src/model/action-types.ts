/** The part of an episode's facts that names its final action. */
interface NamesFinal {
  readonly finalAction?: string | undefined;
}

/** The two actions whose executions a step context counts (SPEC §1): a search, and the reading of one of its documents. */
export const SEARCH = "SEARCH";
export const READ = "READ";

/** The final action of a record that names no other, and of the domains that came first. */
export const FINAL = "FINAL";

/** The action type that gives the answer and ends the episode. */
export function finalActionOf({ finalAction = FINAL }: NamesFinal): string {
  return finalAction;
}

/** Whether an episode can do nothing but answer: its environment executes the final action alone. */
export function hasOnlyFinal(facts: NamesFinal & { readonly actionTypes: readonly string[] }): boolean {
  const final = finalActionOf(facts);
  return facts.actionTypes.length > 0 && facts.actionTypes.every((type) => type === final);
}

/** The final action as facts name it: only where it is another than FINAL, so that old records and new ones say the same. */
export function namedFinal({ finalAction = FINAL }: NamesFinal): NamesFinal {
  return finalAction === FINAL ? {} : { finalAction };
}

/** Whether the policy can do nothing but answer: its episodes have one step, unless an answer is sent back. */
export function isOnlyFinal(facts: NamesFinal & { readonly actionTypes: readonly string[] }): boolean {
  const [only, ...more] = facts.actionTypes;
  return only === finalActionOf(facts) && more.length === 0;
}
