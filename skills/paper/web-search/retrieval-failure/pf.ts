import {
  modifyAction,
  ProgramFunction,
  type ActionType,
  type Intervention,
  type SearchVote,
  type StepContext,
  type Teacher,
} from "hasp";

/** A longer query is a sentence, and retrievers do badly on sentences. */
const LONGEST_QUERY = 15;
/** Words from which a query is longer than most, and short enough for the trigger. */
const LONG_QUERY = 8;
/** What the deterministic shortening keeps. */
const SHORT_QUERY = 12;
/** Characters of the query that the teacher sees. */
const SHOWN_TO_TEACHER = 500;
/** Characters of the query that are looked at: a runaway query must not cost a second. */
const LOOKED_AT = 4_000;

/** Words that say how to search or hold a sentence together, and not what to look for. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the this that these those there here it its he she they them his her their i me my we our you your " +
    "who whom whose which what when where why how is are was were be been being am do does did doing done has have had having " +
    "will would can could should may might must shall of in on at by for from to into onto with within without about as than then " +
    "and or not nor but if so also both either each any some same other another more most such only just too very " +
    "find out up search look looking lookup need needs want wants try please tell know get determine identify check information " +
    "info details answer question query google web wikipedia page article let's let lets first next now"
  ).split(" "),
);

/** Words that may stand inside a name, between two capitalised words: "Museum of Art". */
const NAME_LINKS: readonly string[] = "of the and de la le du da di van von der al bin &".split(" ");

type Kind = "quoted" | "name" | "number" | "content";

/** Consecutive words of the query that stay or go together. */
interface Part {
  readonly words: readonly string[];
  readonly kind: Kind;
}

/** What is kept first, and how many words each kind leaves free for the next: names alone do not say what is asked. */
const TURNS: readonly { readonly kind: Kind; readonly leave: number }[] = [
  { kind: "quoted", leave: 3 },
  { kind: "name", leave: 3 },
  { kind: "number", leave: 2 },
  { kind: "content", leave: 0 },
  { kind: "name", leave: 0 },
];

export default class RetrievalFailure extends ProgramFunction {
  override needsTeacher = true;
  /** One more than the two changes that every Program Function has: a policy that pastes plans does so again. */
  override maxFires = 3;

  shouldActivate(_ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "SEARCH") return false;
    return wordsOf(arg).length > LONGEST_QUERY;
  }

  async intervene(
    ctx: StepContext,
    _actionType: ActionType,
    arg: string,
    teacher?: Teacher,
  ): Promise<Intervention> {
    const rewritten = teacher ? await rewrite(teacher, ctx.question, arg) : undefined;
    if (rewritten !== undefined) {
      return modifyAction({
        arg: rewritten,
        reason: `a search of more than ${LONGEST_QUERY} words finds little, and the teacher shortened it`,
      });
    }
    const short = shorten(arg.slice(0, LOOKED_AT), ctx.actionHistory);
    return modifyAction({
      arg: short,
      reason: `a search of more than ${LONGEST_QUERY} words finds little, and this one keeps those that carry it`,
    });
  }

  /** The last query was short enough for the trigger, and longer than most that find something. */
  override vote(ctx: StepContext, _answer: string): SearchVote | undefined {
    const last = ctx.actionHistory.findLast(({ type }) => type === "SEARCH")?.arg ?? "";
    const count = wordsOf(last).length;
    if (count <= LONG_QUERY || count > LONGEST_QUERY) return undefined;
    return {
      reason: `the answer comes from a search of ${count} words`,
      query: shorten(last.slice(0, LOOKED_AT), ctx.actionHistory),
    };
  }
}

function wordsOf(text: string): string[] {
  return text.slice(0, LOOKED_AT).match(/\S+/g) ?? [];
}

/** The teacher's query, or undefined where it failed or did not answer with a query. */
async function rewrite(teacher: Teacher, question: string, query: string): Promise<string | undefined> {
  const prompt = [
    "An agent works on the question below and is about to send a search engine far too long a query.",
    `Question: ${question}`,
    `Query: ${query.slice(0, SHOWN_TO_TEACHER)}`,
    "Write the query it should send instead: 5 to 12 words, the names and the one fact it is after.",
    "Answer with that query alone.",
  ].join("\n");
  try {
    const reply = await teacher.ask(prompt, { maxTokens: 50, temperature: 0 });
    const text = unwrap(reply);
    const count = wordsOf(text).length;
    return count >= 2 && count <= 20 ? text : undefined;
  } catch {
    // No teacher, no answer: the shortening below needs neither.
    return undefined;
  }
}

/** Drops what models put around a short answer: a label, quotation marks, a full stop. */
function unwrap(reply: string): string {
  return reply
    .trim()
    .replace(/^(?:search\s+)?query\s*:\s*/i, "")
    .replace(/^["'“‘`]+|["'”’`.]+$/g, "")
    .trim();
}

/** One query of at most SHORT_QUERY words, all taken from the given one. */
function shorten(query: string, history: StepContext["actionHistory"]): string {
  const single = firstNewQuery(query, history);
  if (wordsOf(single).length <= SHORT_QUERY) return single;
  const words = tellingWords(partsOf(single));
  return (words.length >= 2 ? words : wordsOf(single).slice(0, SHORT_QUERY)).join(" ");
}

/**
 * Policies pack several searches into one: `Sandi Patti], Search[Steve Green], Search[…`, or a query a line.
 * The first of them that has not run yet, or the first.
 */
function firstNewQuery(packed: string, history: StepContext["actionHistory"]): string {
  const queries = packed
    .split(/\][\s,;]*(?:\w+\s*)?\[|\n/)
    .map((query) => query.trim())
    .filter((query) => query !== "");
  const isNew = (query: string): boolean =>
    !history.some((past) => past.type === "SEARCH" && past.arg === query);
  return queries.find(isNew) ?? queries[0] ?? packed;
}

/** The words of the parts that the TURNS pick, in their order in the query, each part once. */
function tellingWords(parts: readonly Part[]): readonly string[] {
  const kept: Part[] = [];
  let room = SHORT_QUERY;
  for (const { kind, leave } of TURNS) {
    for (const part of parts) {
      const fits = part.kind === kind && part.words.length <= room - leave;
      if (!fits || kept.some((other) => sameWords(other, part))) continue;
      kept.push(part);
      room -= part.words.length;
    }
  }
  return parts.filter((part) => kept.includes(part)).flatMap((part) => part.words);
}

function sameWords(a: Part, b: Part): boolean {
  return a.words.join(" ").toLowerCase() === b.words.join(" ").toLowerCase();
}

/** Quoted spans stay whole; the text between them is cut at its punctuation, over which no name reaches. */
function partsOf(query: string): Part[] {
  return query
    .split(/["“”]([^"“”]{2,80})["“”]/)
    .flatMap((text, index) =>
      index % 2 === 1
        ? [{ words: wordsOf(text), kind: "quoted" as const }]
        : text.split(/[,;:!?()[\]]+(?!\d)/).flatMap(plainParts),
    );
}

function plainParts(text: string): Part[] {
  const words = wordsOf(text).map(bare);
  const parts: Part[] = [];
  for (let at = 0; at < words.length;) {
    const end = isName(words[at]) ? nameEnd(words, at) : at + 1;
    const kind = kindOf(words[at] ?? "");
    if (kind !== undefined) parts.push({ words: words.slice(at, end), kind });
    at = end;
  }
  return parts;
}

function kindOf(word: string): Kind | undefined {
  if (isName(word)) return "name";
  if (/\d/.test(word)) return "number";
  return word === "" || EMPTY_WORDS.has(word.toLowerCase()) ? undefined : "content";
}

/** Where the run of capitalised words that begins at `start` ends; a linking word counts only between two of them. */
function nameEnd(words: readonly string[], start: number): number {
  let end = start + 1;
  for (let at = end; at < words.length; at++) {
    if (isName(words[at])) end = at + 1;
    else if (!NAME_LINKS.includes(words[at] ?? "")) break;
  }
  return end;
}

function isName(word: string | undefined): boolean {
  return word !== undefined && /^\p{Lu}/u.test(word) && !EMPTY_WORDS.has(word.toLowerCase());
}

/** The word without the punctuation around it and without a possessive ending. */
function bare(word: string): string {
  return word.replace(/^[^\p{L}\p{N}&]+|[^\p{L}\p{N}&]+$/gu, "").replace(/['’]s$/i, "");
}
