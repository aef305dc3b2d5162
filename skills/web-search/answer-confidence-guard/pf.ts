import {
  injectContext,
  noop,
  ProgramFunction,
  type ActionType,
  type Intervention,
  type StepContext,
  type Teacher,
} from "hasp";

/** Characters that the teacher sees of the question, the thought, and of what was read last. */
const SHOWN_TO_TEACHER = 600;
/** Characters of a question that are looked at. */
const QUESTION_LOOKED_AT = 2_000;
/** Characters of a word that can stand in a query. */
const LONGEST_WORD = 40;
/** Words of a query; more and its telling ones drown. */
const LONGEST_QUERY = 12;
/** Words that hold a question together and say nothing of what it is about. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the and or but not of in on at by for from to into with as than then is are was were be been being do does did has have had " +
    "who whom whose which what when where why how that this these those it its he his she her they their there both also same name named called " +
    "between during while about can many much s q"
  ).split(" "),
);

/** The answer says that there is none. "None", "No" and "Unknown Pleasures" are answers. */
const NO_ANSWER =
  /^\W*(?:unknown|unsure|unclear|undetermined|unspecified|n\/a|not (?:sure|known|found|available|clear|specified|mentioned|provided|stated|given|enough)|no (?:answer|information|results?|data))\W*$|\b(?:could ?n[o'’]t|cannot|can['’]t|unable to|was not able to) (?:be )?(?:find|found|determined?|answer(?:ed)?|identify|identified|locate|say|tell)\b|\b(?:no|not enough|insufficient) (?:\p{L}+ )?information\b|\b(?:i am|i['’]m|am) (?:not sure|unsure)\b|\b(?:does|do|did) ?n(?:o|['’])t (?:provide|mention|specify|contain|know)\b|\bis not (?:known|specified|mentioned|provided|available)\b|\bi (?:do not|don['’]t) have\b|\bi need to (?:search|find|look)\b|\bi (?:think|guess|believe)\b|\b(?:probably|possibly|perhaps|maybe)\b/iu;

/** The thought says that the search has not told, or that the answer is a guess. */
const DOUBT =
  /\bi(?: am|['’]m)? (?:not sure|unsure|guess|assume)\b|\bi (?:think|suppose) (?:it|the answer|that|this) (?:is|was|might|may|could)\b|\b(?:probably|perhaps|maybe|presumably)\b|\b(?:could|might|may) be (?:the answer|it|the one)\b|\b(?:cannot|can['’]t|could ?n[o'’]t|could not|unable to|was not able to|have not been able to|did not|didn['’]t) (?:find|determine|answer|identify|locate)\b|\b(?:no|not enough|insufficient) (?:\p{L}+ )?information\b|\bstill (?:do(?:es)? not|don['’]t|need)\b|\b(?:results?|observation|search|page|text|paragraph|article)\b[^.]{0,40} (?:does|do|did) not (?:\p{L}+ )?(?:provide|mention|specify|contain|give|say|state)\b/iu;

/** The thought ends the search for want of steps, not because it has found the answer. */
const GIVES_UP =
  /\b(?:haven['’]t|have not) (?:solved|found|answered)\b|\bwrap (?:this |it )?up\b|\brun(?:ning)? out of (?:steps|time|tries)\b|\b(?:my|the) best guess\b/i;

export default class AnswerConfidenceGuard extends ProgramFunction {
  override needsTeacher = true;
  /** Said at every FINAL, it would keep the episode from ending. */
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL") return false;
    // On the last step a SEARCH would leave the episode without any answer, and an unsure one is better than none.
    if (ctx.stepCount + 1 >= ctx.maxSteps) return false;
    return whyUnsure(ctx, arg) !== undefined;
  }

  async intervene(
    ctx: StepContext,
    _actionType: ActionType,
    arg: string,
    teacher?: Teacher,
  ): Promise<Intervention> {
    const why = whyUnsure(ctx, arg) ?? "the answer is unsure";
    const said = teacher === undefined ? undefined : await ask(teacher, ctx, arg);
    if (said === "enough") return noop(`${why}; the teacher finds it well founded`);
    const query = said !== undefined && isNew(said.query, ctx) ? said.query : newQuery(ctx);
    const deed =
      query === undefined ? "Search with another name for what is asked" : `Run SEARCH[${query}] next`;
    return injectContext(`${deed}: ${why.replace(/\s+/g, " ")}.`, why);
  }
}

/** The sign of doubt that was found, in words; undefined where there is none. */
function whyUnsure(ctx: StepContext, arg: string): string | undefined {
  if (NO_ANSWER.test(arg.slice(0, 400))) return "the answer itself says that it is not known";
  if (isChosen(ctx.question.slice(0, QUESTION_LOOKED_AT), arg.slice(0, 400))) return undefined;
  const thought = ctx.thought.slice(0, 2_000);
  const doubt = DOUBT.exec(thought)?.[0];
  if (doubt === undefined && !GIVES_UP.test(thought)) return undefined;
  if (isRead(arg, ctx.allReadContents.at(-1) ?? ctx.lastSearchResultsText)) return undefined;
  return doubt === undefined
    ? "the thought gives up without having found it"
    : `the thought doubts it ("${doubt}")`;
}

/** "Yes", "no" and a choice that the question offers: there a careful word in the thought weighs, and doubts nothing. */
function isChosen(question: string, answer: string): boolean {
  if (/^\W*(?:yes|no)\b/i.test(answer)) return true;
  const offersChoice = /\b(?:or|between|both|older|younger|first|more|larger|closer|further)\b/i.test(
    question,
  );
  return offersChoice && plain(question).includes(plain(answer));
}

/** The text read last has the answer word for word: it was found there, whatever the thought says. */
function isRead(answer: string, text: string): boolean {
  const wanted = plain(answer.slice(0, 400));
  return wanted.trim() !== "" && plain(text.slice(0, 20_000)).includes(wanted);
}

/** " in lower case, without accents and signs ": a phrase is in a text when its form is in the text's. */
function plain(text: string): string {
  return ` ${wordsIn(text).join(" ")} `;
}

/** In lower case and without accents. Ranges, since property classes take ten times as long on a long text. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  return /[\u0080-\uffff]/.test(lower) ? lower.normalize("NFKD").replace(/[\u0300-\u036f]+/g, "") : lower;
}

/** Letters and figures of any script, without punctuation; of a folded text. */
function wordsIn(text: string): readonly string[] {
  return folded(text).match(/[a-z0-9\u00aa-\u1fff\u2c00-\u2fff\u3040-\uffff]+/g) ?? [];
}

/** The question in at most LONGEST_QUERY telling words, in a form that did not run yet. */
function newQuery(ctx: StepContext): string | undefined {
  const asked = tellingWords(ctx.question.slice(0, QUESTION_LOOKED_AT));
  const names = asked.filter((word) => /^[\p{Lu}\d]/u.test(word));
  const forms = [
    strongest(asked, LONGEST_QUERY),
    asked.slice(-8),
    asked.slice(0, 8),
    names.slice(0, LONGEST_QUERY),
  ];
  return forms.map((words) => words.join(" ")).find((query) => isNew(query, ctx));
}

/** Names and numbers first, then the others, in the order in which they stand. */
function strongest(words: readonly string[], room: number): readonly string[] {
  const strong = words.filter((word) => /^[\p{Lu}\d]/u.test(word));
  const weak = words.filter((word) => !strong.includes(word));
  const kept = [...strong, ...weak].slice(0, room);
  return words.filter((word) => kept.includes(word));
}

/** Two queries of the same words find the same. One word is no query. */
function isNew(query: string, ctx: StepContext): boolean {
  const wanted = wordSet(query);
  return (
    wanted.includes(" ") &&
    !ctx.actionHistory.some(({ type, arg }) => type === "SEARCH" && wordSet(arg) === wanted)
  );
}

function wordSet(query: string): string {
  const words = plain(query).trim().split(" ");
  return words
    .filter((word, at) => !EMPTY_WORDS.has(word) && words.indexOf(word) === at)
    .sort()
    .join(" ");
}

function tellingWords(text: string): readonly string[] {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}&.'’-]*/gu) ?? [];
  const bare = words.map((word) => word.replace(/['’]s$|[.'’-]+$/gu, ""));
  return bare.filter(
    (word, at) =>
      word !== "" &&
      word.length <= LONGEST_WORD &&
      !EMPTY_WORDS.has(word.toLowerCase()) &&
      bare.indexOf(word) === at,
  );
}

/** What the teacher says: enough, or a query that would settle it; undefined where it failed or said neither. */
async function ask(
  teacher: Teacher,
  ctx: StepContext,
  answer: string,
): Promise<"enough" | { readonly query: string } | undefined> {
  const prompt = [
    "An agent that searches the web is about to answer, and its words are unsure.",
    `Question: ${ctx.question.slice(0, SHOWN_TO_TEACHER)}`,
    `Read last: ${(ctx.allReadContents.at(-1) ?? ctx.lastSearchResultsText).slice(0, SHOWN_TO_TEACHER)}`,
    `Thought: ${ctx.thought.slice(0, SHOWN_TO_TEACHER)}`,
    `Answer: ${answer.slice(0, 300)}`,
    "Reply with one line: ENOUGH if the answer is well founded after all, or SEARCH[query of 3 to 12 words] with the search that would settle it.",
  ].join("\n");
  try {
    return readReply(await teacher.ask(prompt, { maxTokens: 60, temperature: 0 }));
  } catch {
    // No judgement: the signs of doubt decide.
    return undefined;
  }
}

function readReply(reply: string): "enough" | { readonly query: string } | undefined {
  const query = /^\W*search\s*(?:\[|:|\()\s*["“]?([^\]\n)"”]{3,200})/im.exec(reply)?.[1]?.trim();
  if (query !== undefined) {
    return query.split(/\s+/).length <= LONGEST_QUERY ? { query } : undefined;
  }
  return /^\W*enough\b/i.test(reply) ? "enough" : undefined;
}
