import { PROGRAMS } from "./programs.ts";
import type { Sentence, Token } from "./sentences.ts";

const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Words before the verb of a wish, as many as there are. */
const OPENERS = [
  "go ahead and",
  "go ahead with",
  "go ahead",
  "yes to",
  "go for it",
  "do it",
  "of course",
  "no problem",
  "no objections",
  "sounds good",
  "i agree",
  "i approve",
  "i confirm",
  "i authorize",
  "you have permission to",
  "i give you permission to",
  "you have my permission to",
  "you have my ok to",
  "you are allowed to",
  "you're allowed to",
  "it is time to",
  "it's time to",
  "time to",
  "can you",
  "can you please",
  "can you",
  "could you",
  "would you please",
  "would you mind",
  "would you kindly",
  "will you please",
  "would you",
  "will you",
  "i want you to",
  "i need you to",
  "i'd like you to",
  "i would like you to",
  "i want to",
  "i'd like to",
  "i would like to",
  "i want",
  "i need",
  "i'd like",
  "i would like",
  "we need to",
  "we have to",
  "we want to",
  "we need",
  "you may",
  "you can",
  "you should",
  "you must",
  "you need to",
  "you have to",
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
  "kannst du",
  "könntest du",
  "würdest du",
  "können sie",
  "könnten sie",
  "puedes",
  "puede usted",
  "peux-tu",
  "pouvez-vous",
].map((words) => words.split(" "));
/** The agent itself is to be done first: an order of its deeds, and no condition of the world. */
const DONE = ["when", "once"].flatMap((when) =>
  ["you're done", "you are done", "you're finished", "you are finished", "you have finished"].map((done) =>
    `${when} ${done}`.split(" "),
  ),
);
const OPENING = set(
  "please pls plz kindly … claude codex copilot gemini cursor agent assistant @claude @codex @copilot @agent ok okay yes yeah yep yup sure alright right correct agreed approved confirmed fine done definitely absolutely now then next first second third finally lastly also just so i.e. ie and great good thanks perfect lgtm nice hey hi afterwards simply quickly hier einmal ja gut gerne jetzt dann mal bitte 请 并 然后",
);
const POLITE = set(
  "can could would will kannst könntest würdest können könnten puedes puede peux-tu pouvez-vous",
);

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

/** The phrase of a list that begins at a token. */
function phraseAt(
  phrases: readonly (readonly string[])[],
  tokens: readonly Token[],
  at: number,
): readonly string[] | undefined {
  return phrases.find((phrase) => phrase.every((word, i) => tokens[at + i]?.low === word));
}

/** Whether some word of it forbids, sets a condition or reports. */
function denies(tokens: readonly Token[]): boolean {
  return tokens.some(
    ({ low }, i) =>
      (DENIES.has(low) && phraseAt(DONE, tokens, i) === undefined) ||
      low.endsWith("n't") ||
      /^(?:n'|不要|请勿|别|如果)/.test(low),
  );
}

const CHANGES =
  "(?:(?:any|all|the|my|our|these|those|of|uncommitted|local|unstaged|untracked) )*(?:changes|files|edits|work|stuff|data|history|branch|commits)";
const FINE =
  "fine|ok|okay|good|safe|scratch|junk|disposable|throwaway|garbage|stale|ready|done|green|merged|committed|saved|backed up|only a test|a scratch (?:repo|branch|folder|project|database)";
/** Clauses before a comma or a colon that agree, or say why the wish behind them may be had. */
const GRANTS = new RegExp(
  `^(?:(?:yes|ok|okay|so|well) )?(?:(?:it|that|this|everything|all|ci|all of (?:it|this)|everything here|the (?:tree|branch|repo|build|version|release|package|database|folder))(?:'s| is| are) (?:all )?(?:${FINE})|(?:i'm|i am|we're|we are) (?:sure|done|ready|alone here|the only (?:one|user) here|certain)|(?:all )?tests pass|(?:do|run) (?:it|that|this)|i (?:allow|permit|approve|want) (?:it|that|this)|i trust you|trust me|i know what i'm doing|(?:i|we) have a backup|first of all|for now|before (?:you (?:start|begin|continue|do anything|go on)|that|anything else))$`,
);
const GIVES_UP = new RegExp(
  `^(?:(?:i|we) (?:don't|do not|dont) need ${CHANGES}(?: anymore| any more| any longer)?|(?:i|we) have no use for (?:it|them|that|this|these|those|any of (?:it|them)|${CHANGES})(?: [a-z]+)?|nothing (?:here )?(?:is )?(?:important|of value|worth keeping|to keep|to lose)(?: here| in it)?|no need to keep (?:anything|it|them|${CHANGES})|(?:nobody|no one) else (?:uses|needs|works on|works in) (?:it|this|this branch|the branch|this repo))$`,
);

/** A statement before a comma: "the branch is merged, run …". */
const STATES =
  /^(?:the|tests|ci|my|our|this|that|these|those|i|we|it|all|everything|they|i've|we've|it's|that's) (?:.* )?(?:is|are|am|have|has|checked|reviewed|merged|tested|looked|want|need|changed|decided|finished)(?: |$)|^(?:i've|we've|it's|that's) /;
const SAYS_HOW = /(?:^| )(?:what|how|why|which|who|where|like)(?: |$)/;

/** The index behind a clause at the beginning that grants what follows, or that only states something before "run …". */
function behindGrant(tokens: readonly Token[]): number {
  const end = tokens.slice(0, 10).findIndex(({ after }) => after !== "");
  if (end === -1) return 0;
  const words = tokens.slice(0, end + 1);
  const clause = wordsIn(words);
  if (GRANTS.test(clause)) return end + 1;
  if (tokens[end]?.after !== ",") return 0;
  const isStatement =
    STATES.test(clause) &&
    !SAYS_HOW.test(clause) &&
    !denies(words) &&
    !words.some(({ low }) => REPORTS.has(low)) &&
    /^(?:please|now|so|go|run|execute|do)$/.test(tokens[end + 1]?.low ?? "");
  return isStatement || GIVES_UP.test(clause) ? end + 1 : 0;
}

const wordsIn = (tokens: readonly Token[]): string => tokens.map(({ low }) => low).join(" ");

const ASKS_NOTHING = new RegExp(
  `^(?:no need to (?:ask|check|confirm|worry)(?: me)?(?: first| again)?|no questions asked|without (?:asking|confirmation|hesitation|further ado)(?: me)?(?: first| again)?|(?:don't|do not|dont) (?:ask|worry|wait|hesitate)(?: me)?(?: first| again| for confirmation)?)$`,
);

/** A sentence without an end that denies nothing: "…, no need to ask", "… without asking", "…, I don't need the changes". */
export function withoutAssurance(sentence: Sentence): Sentence {
  const { tokens, text } = sentence;
  if (!denies(tokens)) return sentence;
  for (let i = Math.max(1, tokens.length - 12); i < tokens.length; i++) {
    const end = wordsIn(tokens.slice(i));
    const isClause = tokens[i - 1]?.after === ",";
    if (ASKS_NOTHING.test(end) || (isClause && GIVES_UP.test(end)))
      return { ...sentence, tokens: tokens.slice(0, i), text: text.slice(0, tokens[i]?.start) };
  }
  return sentence;
}

/** The index behind the words that open a wish, and whether it is a polite question. */
function behindOpeners(tokens: readonly Token[], from: number): { at: number; isPolite: boolean } {
  let at = from === 0 ? behindGrant(tokens) : from;
  let isPolite = false;
  for (;;) {
    const words = phraseAt(OPENERS, tokens, at) ?? phraseAt(DONE, tokens, at);
    if (words !== undefined) {
      isPolite ||=
        POLITE.has(words[0] ?? "") && (words.length > 2 || !ASKS_BACK.test(words[0] ?? "") || isKind(tokens));
      at += words.length;
    } else if (OPENING.has(tokens[at]?.low ?? "")) at++;
    else return { at, isPolite };
  }
}

/** "Would you run it?" asks for an opinion, "would you run it for me?" for the deed. */
const ASKS_BACK = /^(?:would|will)$/;
const isKind = (tokens: readonly Token[]): boolean => / (?:please|for me)(?: |$)/.test(wordsIn(tokens));

/** Before a colon, words that only introduce: "I am alone here: force-push main", "ok, now: …", "command to run: …". */
function introduces(tokens: readonly Token[]): boolean {
  if (tokens.length > 8) return false;
  const words = wordsIn(tokens);
  if (INTRODUCES.test(words) || behindOpeners(tokens, 0).at === tokens.length) return true;
  if (tokens.some(({ low }) => REPORTS.has(low) || /\wing$/.test(low))) return false;
  return /^(?:i'm|i am|we're|we are) |^(?:i want|i need|i'd like) (?:this|that|it|the following)$|^(?:go|start)(?: over)?(?: again| afresh| from scratch)?$/.test(
    words,
  );
}
const INTRODUCES =
  /^(?:(?:the )?(?:next )?(?:command|commands|step)(?: to (?:run|execute)| is)|(?:the )?(?:next|last) (?:command|step)|to (?:run|execute)|(?:this|here)(?:'s| is) (?:the command|what)(?: that)?(?: (?:i|we) (?:want|need|would like)(?: you)?(?: to (?:run|execute))?| to (?:run|execute))(?: now)?)$/;
const REPORTS = set(
  "error errors output log issue report example readme docs documentation message got get see saw seen received read found found fix review script command step bug",
);

/**
 * The places in a sentence where a wish may begin: at its start, behind the words that open one, behind a colon that only introduces, and behind
 * "and" or "then" where the sentence began with a wish. Empty where the sentence forbids, asks, reports or sets a condition.
 */
export function wishStarts({ tokens, isQuestion, bare }: Sentence): number[] {
  const { at: first, isPolite } = behindOpeners(tokens, 0);
  if ((isQuestion && !isPolite) || denies(tokens.slice(first)) || teaches(tokens)) return [];
  const starts = [first];
  const colon = tokens.findIndex(({ after }) => after === ":");
  if (colon !== -1 && introduces(tokens.slice(0, colon + 1)))
    starts.push(behindOpeners(tokens, colon + 1).at);
  const from = starts.at(-1) ?? 0;
  const verb = tokens[from]?.low ?? "";
  const writes = WRITING.test(verb);
  if (
    !VERBS.has(verb) &&
    !(bare && PROGRAMS.has(verb)) &&
    !/^(?:write|add|create|implement|document|draft|generate)$/.test(verb)
  )
    return starts;
  for (let i = from + 1; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined || SUBORDINATES.has(token.low)) break;
    // A list of code spans is one object of the verb before it.
    if (token.kind === "code" && tokens.slice(from, i).some(({ kind }) => kind === "code")) continue;
    const isJoint = /^(?:and|then|und|dann|y|luego|et|puis)$/.test(token.low) || tokens[i - 1]?.after === ",";
    // "Write a script and run it" may speak of the script; "…, then run it" does not.
    if (isJoint && (!writes || (token.low === "then" && tokens[i - 1]?.after === ",")))
      starts.push(behindOpeners(tokens, /^(?:und|dann|y|luego|et|puis)$/.test(token.low) ? i + 1 : i).at);
  }
  return starts.filter((start) => start < tokens.length);
}

/** "You can run X to undo it" tells how, "I want X to fail" what X is like; "you can run X now" lets it be done. */
function teaches(tokens: readonly Token[]): boolean {
  const words = wordsIn(tokens);
  return / to(?: |$)/.test(words.replace(MAY, "")) && MAY.test(words);
}
const MAY =
  /^(?:you (?:can|should|must|need to|have to)|(?:i|we) (?:want|need|would like)|i'd like)(?! you to| to)(?= |$)/;

/** Verbs that hand over a text: what follows in the prompt is that text. */
const HANDS_OVER =
  /^(?:translate|explain|summari[sz]e|rephrase|paraphrase|proofread|spell-?check|classify|interpret|übersetze|erkläre|traduce|explica|traduis|explique|翻译|解释|请翻译|请解释)$/;

/** Whether the sentences behind this one are material and no wishes. */
export function handsOver({ tokens }: Sentence): boolean {
  const { at } = behindOpeners(tokens, 0);
  return HANDS_OVER.test(tokens[at]?.low ?? "");
}

const TAKES_BACK =
  /^(?:wait|stop|no|scratch that|never ?mind|forget (?:that|it)|on second thoughts?|(?:just )?kidding|hold on|cancel|ask|confirm|check with me|(?:actually,? )?(?:keep|leave) (?:it|that|them|everything|all|my|these|this)|i(?:'ve| have)? changed my mind|changed my mind|oh wait|actually,? (?:no|don't)|nein|halt|non|sorry|oops|wrong (?:window|chat|repo)|不)(?![\w'-])/i;

/** Whether a sentence takes back a wish that was said before it: "wait, don't do that". */
export function takesBack({ text, tokens }: Sentence, verb: string): boolean {
  if (TAKES_BACK.test(text.trim())) return true;
  if (denies(tokens) && tokens.length <= 3) return true;
  return denies(tokens) && tokens.some(({ low }) => low === verb || /^(?:that|it|this|so|yet)$/.test(low));
}

const ADVERBS = set(
  "first now please again too pls plz here immediately afterwards anyway directly completely entirely permanently thanks thank thx cheers aus ausführen machen laufen lassen bitte danke mal jetzt ahora maintenant",
);
const TAILS = [
  "for me",
  "as well",
  "thank you",
  "go",
  "is fine with me",
  "is ok with me",
  "is okay with me",
  "is fine by me",
  "is approved",
  "go for it",
  "go ahead",
  "do it",
  "that's all",
  "in this project",
  "in the repo",
  "from the root",
  "straight away",
  "at once",
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
    if (after === "," && !reports(tokens.slice(at))) {
      if (isCommand(tokens.slice(at))) return true;
      if (GOES_ON.test(low) && low !== "and" && low !== "then") return true;
      if (VERBS.has(low)) return true;
    }
    if (after === ":") return false;
    const words = phraseAt(TAILS, tokens, at) ?? phraseAt(DONE, tokens, at);
    if (words !== undefined) at += words.length;
    else if (ADVERBS.has(low)) at++;
    else return opensMore(tokens, at);
    after = tokens[at - 1]?.after ?? "";
  }
  return true;
}

const REPORTED =
  /^(?:gone|lost|lose|loses|deleted|deletes|removed|broke|broken|fails|failed|crashed|crashes|hangs|hung|happened|happens|wrong|threw|said|printed|prints|stopped|error|mistake)$/;

/** Whether words behind a command tell what came of it. */
function reports(tokens: readonly Token[]): boolean {
  return tokens.some(({ low }) => REPORTED.test(low));
}

/** Whether these words are another command and nothing more: in a sentence about commands there is a verb. */
function isCommand(tokens: readonly Token[]): boolean {
  return (
    PROGRAMS.has(tokens[0]?.text ?? "") && !tokens.some(({ low }) => SPEAKS.test(low) || REPORTED.test(low))
  );
}
const SPEAKS = /^(?:is|are|was|were|be|been|do|does|did|has|have|had|both|which|who|why|how|what)$/;

/** "and commit it", "then …", "to start over", "because …". */
function opensMore(tokens: readonly Token[], at: number): boolean {
  const low = tokens[at]?.low ?? "";
  if (REASONS.has(low)) return true;
  if (/^(?:then|dann|luego|puis)$/.test(low))
    return !SUBJECT.test(tokens[at + 1]?.low ?? "") && !reports(tokens.slice(at));
  if (low === "followed") return tokens[at + 1]?.low === "by";
  if (low === "so") return /^(?:that|we|i|it)$/.test(tokens[at + 1]?.low ?? "");
  if (low === "to") return VERBS.has(tokens[at + 1]?.low ?? "") || tokens[at + 1]?.low === "free";
  if (!/^(?:and|&|plus|und|y|et)$/.test(low) || reports(tokens.slice(at))) return false;
  const { at: next } = behindOpeners(tokens, at + 1);
  const { low: verb = "", kind = "word" } = tokens[next] ?? {};
  if (VERBS.has(verb) || kind === "code" || WRITING.test(verb) || isCommand(tokens.slice(next))) return true;
  return next > at + 1 && !SUBJECT.test(verb);
}

/** "Delete .git and you lose the history" is no wish. */
const SUBJECT =
  /^(?:|you|you'll|it|it'll|they|we|i|everything|all|nothing|the|a|your|my|our|this|that|there)$/;
