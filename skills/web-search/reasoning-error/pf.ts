import {
  injectContext,
  noop,
  ProgramFunction,
  type ActionType,
  type Intervention,
  type StepContext,
  type Teacher,
} from "hasp";

/** Characters of what was read that are compared word by word: a whole book must not cost a second. */
const LOOKED_AT = 20_000;
/** An answer of so many characters stands in no text by chance. */
const TELLING_LENGTH = 6;
/** Characters of a question, and of an answer, that are looked at. */
const QUESTION_LOOKED_AT = 2_000;
const ANSWER_LOOKED_AT = 600;
/** Characters of a word that can stand in a query. */
const LONGEST_WORD = 40;
/** Characters that the teacher sees of the evidence, and of the thought. */
const EVIDENCE_SHOWN = 1_500;
const THOUGHT_SHOWN = 600;
/** Characters of the teacher's objection that the policy reads. */
const LONGEST_OBJECTION = 300;
/** Words of a query; more and its telling ones drown. */
const LONGEST_QUERY = 12;
/** Words of the answer that go into the query; the question needs the room. */
const FROM_ANSWER = 5;
/** Words that hold a question together and say nothing of what it is about. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the and or but not of in on at by for from to into with as than then is are was were be been being do does did has have had " +
    "who whom whose which what when where why how that this these those it its he his she her they their there both also same name named called " +
    "between during while about can many much s q"
  ).split(" "),
);
const NUMBERS: ReadonlyMap<string, string> = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
    .split(" ")
    .map((word, number) => [word, String(number)]),
);
/** What the plain form of an answer begins with or has where it gives none. */
const DECLINES =
  /^ (?:thought )?i |^ (?:unknown|none|unable|unclear|not found|no answer|could not|couldn t|cannot) | (?:could not|couldn t|unable to) (?:be )?(?:find|found|determined?) /;

type Verdict = { readonly isRight: boolean; readonly objection: string };

export default class ReasoningError extends ProgramFunction {
  override needsTeacher = true;
  /** Said at every FINAL, it would keep the episode from ending. */
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL") return false;
    // On the last step a SEARCH would leave the episode without any answer.
    if (ctx.stepCount + 1 >= ctx.maxSteps) return false;
    return doubtAbout(ctx, arg) !== undefined;
  }

  async intervene(
    ctx: StepContext,
    _actionType: ActionType,
    arg: string,
    teacher?: Teacher,
  ): Promise<Intervention> {
    const doubt = doubtAbout(ctx, arg) ?? "the answer does not follow from what was read";
    const verdict = teacher === undefined ? undefined : await judge(teacher, ctx, arg);
    if (verdict?.isRight === true) return noop(`${doubt}; the teacher finds the reasoning right`);
    const objection = verdict === undefined || verdict.objection === "" ? doubt : verdict.objection;
    const query = verifyingQuery(ctx, arg);
    const deed =
      query === undefined ? "Answer with what a text above states, with FINAL" : `Run SEARCH[${query}] next`;
    return injectContext(`${deed}: ${objection.replace(/\s+/g, " ")}.`, objection);
  }
}

/** Why the answer cannot follow from the question and the texts; undefined where nothing in the state speaks against it. */
function doubtAbout(ctx: StepContext, arg: string): string | undefined {
  const claim = arg.slice(0, ANSWER_LOOKED_AT);
  const answer = plain(claim);
  if (answer.trim() === "" || /^ (?:yes|no|true|false) /.test(answer)) return undefined;
  // "I could not find it" claims nothing that could follow or not.
  if (DECLINES.test(answer)) return undefined;
  const question = plain(ctx.question);
  if (question.includes(answer)) {
    return offersChoice(ctx.question.slice(0, QUESTION_LOOKED_AT))
      ? undefined
      : "the answer repeats what the question already says, and no choice was offered";
  }
  if (ctx.allReadContents.length === 0 || isVerbatim(claim, ctx)) return undefined;
  const known = question + plain(evidenceOf(ctx));
  if (partsOf(claim).every((part) => known.includes(part))) return undefined;
  const words = answer.trim().split(" ");
  const isPatchwork = words.some((word) => known.includes(` ${word} `));
  if (isPatchwork) return "only pieces of the answer were read, and nowhere the whole of it";
  return plain(ctx.thought).includes(answer)
    ? undefined
    : "no text that was read has the answer, and the thought does not come to it";
}

/** " in lower case, without accents and signs, numbers as figures ": a phrase is in a text when its form is in the text's. */
function plain(text: string): string {
  return ` ${wordsIn(text)
    .map((word) => NUMBERS.get(word) ?? word)
    .join(" ")} `;
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

/** "Geneva, Switzerland" has two parts that may stand in two places; short ones alone would be found anywhere. */
function partsOf(answer: string): readonly string[] {
  const pieces = answer.split(/,\s+|\s+\(|\)\s*/).map(plain);
  const parts = pieces.filter((piece) => piece.trim().length > 1);
  return parts.length > 2 ? [plain(answer)] : parts;
}

/** Word for word in any text, however long. */
function isVerbatim(claim: string, ctx: StepContext): boolean {
  const wanted = claim.trim();
  return wanted.length >= TELLING_LENGTH && ctx.allReadContents.some((text) => text.includes(wanted));
}

/** Newest last. */
function evidenceOf(ctx: StepContext): string {
  return [...ctx.allReadContents, ctx.lastSearchResultsText].join(" \n").slice(-LOOKED_AT);
}

/** The answer may stand in a question that lets choose, compares, or asks what several have in common. */
function offersChoice(question: string): boolean {
  return /\bor\b|\bbetween\b|\bwhich (?:one )?of\b|\b(?:both|same|common|more|most|first|last|earlier|later)\b|\b\p{L}+(?:er|est)(?:,| of\b| than\b)|\b(?:older|younger|larger|smaller|bigger|longer|higher|taller|closer|further)\b/iu.test(
    question,
  );
}

/** The claim and what it is a claim about, in words that were not searched with yet; undefined where they all were. */
function verifyingQuery(ctx: StepContext, arg: string): string | undefined {
  const inQuestion = plain(ctx.question);
  const claim = tellingWords(arg.slice(0, ANSWER_LOOKED_AT))
    .filter((word) => !inQuestion.includes(plain(word)))
    .slice(0, FROM_ANSWER);
  const asked = tellingWords(ctx.question.slice(0, QUESTION_LOOKED_AT));
  const room = LONGEST_QUERY - claim.length;
  const tries = [strongest(asked, room), asked.slice(-room), asked.slice(0, room)];
  const run = ctx.actionHistory.filter(({ type }) => type === "SEARCH").map((past) => wordSet(past.arg));
  return tries
    .map((words) => [...claim, ...words].join(" "))
    .find((query) => query.includes(" ") && !run.includes(wordSet(query)));
}

/** Names and numbers first, then the others, in the order in which they stand. */
function strongest(words: readonly string[], room: number): readonly string[] {
  const strong = words.filter((word) => /^[\p{Lu}\d]/u.test(word));
  const weak = words.filter((word) => !strong.includes(word));
  const kept = [...strong, ...weak].slice(0, room);
  return words.filter((word) => kept.includes(word));
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

/** Two queries of the same words find the same. */
function wordSet(query: string): string {
  const words = plain(query).trim().split(" ");
  return words
    .filter((word, at) => !EMPTY_WORDS.has(word) && words.indexOf(word) === at)
    .sort()
    .join(" ");
}

/** The teacher's verdict, or undefined where it failed or gave none. */
async function judge(teacher: Teacher, ctx: StepContext, answer: string): Promise<Verdict | undefined> {
  const prompt = [
    "Check the last step of an agent that answers a question from what it has read.",
    `Question: ${ctx.question.slice(0, THOUGHT_SHOWN)}`,
    `Evidence: ${evidenceOf(ctx).slice(-EVIDENCE_SHOWN)}`,
    `Reasoning: ${ctx.thought.slice(0, THOUGHT_SHOWN)}`,
    `Answer: ${answer.slice(0, LONGEST_OBJECTION)}`,
    "Does the answer follow? Begin with the one word CORRECT or WRONG. After WRONG, say in one sentence what is wrong.",
  ].join("\n");
  try {
    return verdictIn(await teacher.ask(prompt, { maxTokens: 80, temperature: 0 }));
  } catch {
    // No verdict: the state alone decides.
    return undefined;
  }
}

/** "WRONG: …", "**Correct.**", "The reasoning is incorrect, …"; a reply that does not begin with a verdict is none. */
function verdictIn(reply: string): Verdict | undefined {
  const found =
    /^\W*(?:verdict\W+|(?:the|its) (?:reasoning|answer) is\s+)?(not\s+)?(correct|right|incorrect|wrong)\b/i.exec(
      reply,
    );
  if (found === null) return undefined;
  const saysRight = /^(?:correct|right)$/i.test(found[2] ?? "");
  const objection = reply
    .slice(found[0].length)
    .replace(/^\W+|[\s.]+$/g, "")
    .slice(0, LONGEST_OBJECTION);
  // "CORRECT or WRONG" and "correct, but wrong" decide nothing.
  if (saysRight && /\b(?:wrong|incorrect)\b/i.test(objection)) return undefined;
  return { isRight: saysRight && found[1] === undefined, objection };
}
