import type { Sentence, Token } from "./sentences.ts";

const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Words before the verb of a wish, as many as there are. */
const OPENERS = [
  "go ahead and",
  "go ahead",
  "can you",
  "could you",
  "would you please",
  "will you please",
  "i want you to",
  "i need you to",
  "i'd like you to",
  "i would like you to",
  "you may",
  "feel free to",
  "make sure to",
  "be sure to",
  "all right",
  "looks good",
  "that looks good",
  "all good",
  "well done",
  "after that",
  "let's",
  "lets",
  "por favor",
  "s'il te plaît",
  "s'il vous plaît",
].map((words) => words.split(" "));
const OPENING = set(
  "please kindly ok okay yes yeah yep sure alright now then next first second third finally lastly also just so and great good thanks perfect lgtm nice hey hi afterwards bitte 请 并 然后",
);
const POLITE = set("can could would will");

/** Verbs after which the same sentence may go on with another wish: "rebase it and force-push". */
export const VERBS = set(
  "fix update rebase merge commit bump upgrade install build rebuild compile run rerun re-run execute check clean lint format stage tag pull fetch push force-push stop start restart delete remove discard reset hard-reset drop wipe rename move revert squash amend checkout switch stash finish open close refactor tidy regenerate deploy release publish undo throw get go take back save read show look use do try bring put set change edit copy upload print cat truncate empty clear purge erase tell report continue proceed reinstall resolve verify make send give let keep recreate start init initialize initialise clone sync begin",
);
/** Verbs that make something which then holds the words behind them: "write a script that …". */
const WRITING =
  /^(?:write|add|create|document|implement|explain|describe|mention|simulate|translate|draft|generate|teach|pretend|imagine|suppose)$/;

/** In a sentence with one of these nobody is asked to act now: a ban, a condition, a report, or somebody else's words. */
const DENIES = set(
  "no not never without avoid cannot can't don't dont doesn't didn't won't wouldn't shouldn't mustn't isn't aren't wasn't nobody neither nor forbid forbidden forbids refuse refuses unless if when whenever until once except instead rather hypothetically theoretically would should might says said say saying told tells wrote writes suggests suggested suggest recommends recommended example e.g supposedly apparently pretend imagine suppose assuming provided whether ever what-if " +
    "nicht kein keine keinen nie niemals ohne wenn falls nunca jamás jamas sin si sino ne pas jamais sans quand não nunca sem non mai senza se 不要 别 勿 不 如果",
);
/** Between a first verb and a further wish: what follows is part of what is spoken of. */
const SUBORDINATES = set(
  "that which who whose how where why so can could will must may let lets allow allows make makes which's to script function step hook button command target workflow because",
);

/** Whether some word of it forbids, sets a condition or reports. */
function denies(tokens: readonly Token[]): boolean {
  return tokens.some(
    ({ low }) => DENIES.has(low) || low.endsWith("n't") || /^(?:n'|不要|请勿|别|如果)/.test(low),
  );
}

/** The index behind the words that open a wish, and whether it is a polite question. */
function behindOpeners(tokens: readonly Token[], from: number): { at: number; isPolite: boolean } {
  let at = from;
  let isPolite = false;
  for (;;) {
    const words = OPENERS.find((opener) => opener.every((word, i) => tokens[at + i]?.low === word));
    if (words !== undefined) {
      isPolite ||= POLITE.has(words[0] ?? "");
      at += words.length;
    } else if (OPENING.has(tokens[at]?.low ?? "")) at++;
    else return { at, isPolite };
  }
}

/** Before a colon, words that only introduce: "I am alone here: force-push main". */
function introduces(tokens: readonly Token[]): boolean {
  const [first] = tokens;
  if (first === undefined || tokens.length > 8 || tokens.some(({ low }) => REPORTS.has(low))) return false;
  return /^(?:i|i'm|we|we're|please|ok|okay|so|next|now|then|finally|first|task|todo|start)$/.test(first.low);
}
const REPORTS = set(
  "error errors output log issue report example readme docs documentation message got get see saw seen received read found found fix review script command step bug",
);

/**
 * The places in a sentence where a wish may begin: at its start, behind the words that open one, behind a colon that only introduces, and behind
 * "and" or "then" where the sentence began with a wish. Empty where the sentence forbids, asks, reports or sets a condition.
 */
export function wishStarts({ tokens, isQuestion }: Sentence): number[] {
  const { at: first, isPolite } = behindOpeners(tokens, 0);
  if ((isQuestion && !isPolite) || denies(tokens.slice(first))) return [];
  const starts = [first];
  const colon = tokens.findIndex(({ after }) => after === ":");
  if (colon !== -1 && introduces(tokens.slice(0, colon + 1)))
    starts.push(behindOpeners(tokens, colon + 1).at);
  const from = starts.at(-1) ?? 0;
  const verb = tokens[from]?.low ?? "";
  const writes = WRITING.test(verb);
  if (!VERBS.has(verb) && !/^(?:write|add|create|implement|document|draft|generate)$/.test(verb))
    return starts;
  for (let i = from + 1; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined || SUBORDINATES.has(token.low)) break;
    const isJoint = /^(?:and|then|und|dann|y|luego|et|puis)$/.test(token.low) || tokens[i - 1]?.after === ",";
    // "Write a script and run it" may speak of the script; "…, then run it" does not.
    if (isJoint && (!writes || (token.low === "then" && tokens[i - 1]?.after === ",")))
      starts.push(behindOpeners(tokens, /^(?:und|dann|y|luego|et|puis)$/.test(token.low) ? i + 1 : i).at);
  }
  return starts.filter((start) => start < tokens.length);
}

/** Verbs that hand over a text: what follows in the prompt is that text. */
const HANDS_OVER =
  /^(?:translate|explain|summari[sz]e|rephrase|paraphrase|proofread|spell-?check|classify|interpret|übersetze|erkläre|traduce|explica|traduis|explique|翻译|解释|请翻译|请解释)$/;

/** Whether the sentences behind this one are material and no wishes. */
export function handsOver({ tokens }: Sentence): boolean {
  const { at } = behindOpeners(tokens, 0);
  return HANDS_OVER.test(tokens[at]?.low ?? "");
}

const TAKES_BACK =
  /^(?:wait|stop|no|scratch that|never ?mind|forget (?:that|it)|on second thoughts?|(?:just )?kidding|hold on|cancel|ask|confirm|check with me|nein|halt|non|不)(?![\w'-])/i;

/** Whether a sentence takes back a wish that was said before it: "wait, don't do that". */
export function takesBack({ text, tokens }: Sentence, verb: string): boolean {
  if (TAKES_BACK.test(text.trim())) return true;
  if (denies(tokens) && tokens.length <= 3) return true;
  return denies(tokens) && tokens.some(({ low }) => low === verb || /^(?:that|it|this|so|yet)$/.test(low));
}

const ADVERBS = set(
  "first now please again too here immediately afterwards anyway directly completely entirely permanently aus bitte ahora maintenant",
);
const TAILS = [
  "for me",
  "as well",
  "right now",
  "right away",
  "after that",
  "in this repo",
  "in this folder",
  "in this repository",
  "from the repo",
  "once more",
  "s'il te plaît",
  "s'il vous plaît",
  "por favor",
].map((words) => words.split(" "));
const REASONS = set("because since before");
const GOES_ON =
  /^(?:it|it's|its|i|i'm|we|we're|we've|i've|that|that's|this|there|there's|they're|the|then|so|and|because|since|please|before|no|which)$/;

/**
 * Whether what follows a wish leaves it as it is: nothing, "first", "please", "and then …", "to free some space". Anything else could
 * change what the wish is about.
 */
export function isTail(tokens: readonly Token[], follows: Token["after"]): boolean {
  let at = 0;
  let after: Token["after"] = follows;
  while (at < tokens.length) {
    const { low = "" } = tokens[at] ?? {};
    if (after === ",") {
      if (GOES_ON.test(low) && low !== "and") return true;
      if (VERBS.has(low)) return true;
    }
    if (after === ":") return false;
    const words = TAILS.find((tail) => tail.every((word, i) => tokens[at + i]?.low === word));
    if (words !== undefined) at += words.length;
    else if (ADVERBS.has(low)) at++;
    else return opensMore(tokens, at);
    after = tokens[at - 1]?.after ?? "";
  }
  return true;
}

/** "and commit it", "then …", "to start over", "because …". */
function opensMore(tokens: readonly Token[], at: number): boolean {
  const low = tokens[at]?.low ?? "";
  if (REASONS.has(low)) return true;
  if (/^(?:then|dann|luego|puis)$/.test(low)) return !SUBJECT.test(tokens[at + 1]?.low ?? "");
  if (low === "so") return /^(?:that|we|i|it)$/.test(tokens[at + 1]?.low ?? "");
  if (low === "to") return VERBS.has(tokens[at + 1]?.low ?? "") || tokens[at + 1]?.low === "free";
  if (!/^(?:and|&|und|y|et)$/.test(low)) return false;
  const { at: next } = behindOpeners(tokens, at + 1);
  const { low: verb = "", kind = "word" } = tokens[next] ?? {};
  if (VERBS.has(verb) || kind === "code" || WRITING.test(verb)) return true;
  return next > at + 1 && !SUBJECT.test(verb);
}

/** "Delete .git and you lose the history" is no wish. */
const SUBJECT =
  /^(?:|you|you'll|it|it'll|they|we|i|everything|all|nothing|the|a|your|my|our|this|that|there)$/;
