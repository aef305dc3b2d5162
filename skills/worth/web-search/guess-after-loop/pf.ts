import {
  freshQuery,
  injectContext,
  ProgramFunction,
  tellingWords,
  type ActionType,
  type Intervention,
  type StepContext,
} from "hasp";

/** Searches after which an answer is no find but a way out. */
const MANY_SEARCHES = 4;
/** Searches that repeat an earlier one at least. */
const MOST_REPEATS = 0;
/** Two queries that share this part of their words ask for the same thing. */
const ALIKE = 0.5;
/** Searches that are compared: an agent in a loop may have made a hundred. */
const RECENT = 12;
/** Characters of one text, and of all texts, that are looked at. */
const LOOKED_AT = 600;
const READ_LOOKED_AT = 40_000;
/** Characters of the draft that the policy reads again. */
const LONGEST_QUOTE = 80;

/** The thought ends the search for want of steps, not because it has found the answer. */
const GIVES_UP =
  /\b(?:haven['’]t|have not) (?:solved|found|answered)\b|\bwrap (?:this |it )?up\b|\brun(?:ning)? out of (?:steps|time|tries)\b|\b(?:my|the) best guess\b/i;

export default class GuessAfterLoop extends ProgramFunction {
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL" || ctx.stepCount + 1 >= ctx.maxSteps) return false;
    if (ctx.searchCount < MANY_SEARCHES || repeats(ctx) <= MOST_REPEATS) return false;
    return placesOf(arg, ctx) < 2;
  }

  intervene(ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    const query = freshQuery(ctx, { with: tellingWords(arg.slice(0, LONGEST_QUOTE)).slice(0, 3) });
    const why = `${ctx.searchCount} searches went in a circle, and at most one place has ${quoted(arg)}`;
    const deed =
      query === undefined
        ? "Search for a name that the texts above have and no search has used"
        : `Run SEARCH[${query}] next`;
    return injectContext(`${deed}: ${why}.`, why);
  }
}

/** Searches that say much the same as one before them. */
function repeats({ actionHistory }: StepContext): number {
  const searches = actionHistory
    .filter(({ type }) => type === "SEARCH")
    .slice(-RECENT)
    .map(({ arg }) => new Set(plain(tellingWords(arg).join(" "))));
  return searches.filter((words, at) => searches.slice(0, at).some((past) => overlap(words, past) >= ALIKE))
    .length;
}

/** Common words over all words. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  const all = a.size + b.size - common;
  return all === 0 ? 1 : common / all;
}

/** How often the texts that were read have the answer, a text that came twice once; never where it says nothing. */
function placesOf(answer: string, { allReadContents }: StepContext): number {
  const wanted = plain(answer.slice(0, LOOKED_AT)).join(" ");
  const read = ` ${plain([...new Set(allReadContents)].join(" ").slice(-READ_LOOKED_AT)).join(" ")} `;
  return wanted === "" ? 0 : read.split(` ${wanted} `).length - 1;
}

/** The draft in one line, short enough to be read. */
const quoted = (answer: string): string => `"${answer.slice(0, LONGEST_QUOTE).replace(/\s+/g, " ").trim()}"`;

const plain = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
