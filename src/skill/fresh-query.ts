/** An action that has run, as far as a query cares. */
interface Past {
  readonly type: string;
  readonly arg: string;
}

/** What a query is made for. */
export interface QueryContext {
  readonly question: string;
  /** Executed actions, oldest first. */
  readonly actionHistory: readonly Past[];
}

export interface QueryWishes {
  /** Words that go out with those of the question, at its end. */
  readonly with?: readonly string[];
  /** Searches that the new one must differ from (default: those that have run). */
  readonly besides?: readonly Past[];
}

/** Characters of one text that are looked at: a runaway text must not cost a second. */
const LOOKED_AT = 600;
/** A query of more words matches worse (SPEC §1). */
const MOST_WORDS = 12;

/** Words that hold a sentence together and say nothing of what it is about. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the this that these those there here it its he she they them his her their i my we our we you your who whom whose which what " +
    "when where why how is are was were be been being am do does did has have had will would can could should may might must of in on " +
    "at by for from to into with within without as than then and or not nor but if so also both either each any some same other " +
    "another more most such only just too very whether while after before during between among one about out"
  ).split(" "),
);

const plain = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const isName = (word: string): boolean => /^[\p{Lu}\p{N}]/u.test(word);

/** Two queries with the same telling words are one, in whatever order. */
function wordKey(query: string): string {
  const words = plain(query.slice(0, LOOKED_AT)).filter((word) => !EMPTY_WORDS.has(word));
  return [...new Set(words)].sort((a, b) => (a < b ? -1 : 1)).join(" ");
}

/** The words of a text that say what it is about: as written, without possessive endings, each once, in their order. */
export function tellingWords(text: string): string[] {
  const words = (text.slice(0, LOOKED_AT).match(/[\p{L}\p{N}][\p{L}\p{N}.'’&-]*/gu) ?? [])
    .map((word) => word.replace(/['’]s$|[.'’-]+$/g, ""))
    .filter((word) => word !== "" && !EMPTY_WORDS.has(word.toLowerCase()));
  return [...new Set(words)];
}

/** The words of the question by how much a search needs them: those that none has used, then names, then the others. */
function wishLists({ question, actionHistory }: QueryContext): (readonly string[])[] {
  const words = tellingWords(question);
  const names = words.filter(isName);
  const asked = new Set(plain(actionHistory.map(({ arg }) => arg.slice(0, LOOKED_AT)).join(" ")));
  const open = words.filter((word) => plain(word).some((part) => !asked.has(part)));
  const namesAlone = names.some((word) => /^\p{Lu}/u.test(word)) ? names : [];
  return [[...open, ...names, ...words], open.length === 0 ? [] : [...open, ...names], namesAlone];
}

/**
 * The next query for the question, at most 12 words, in the question's order: those that no search has used, then its names, then the
 * others. Undefined where all such queries have run. Used by the harness and, through "hasp", by Program Functions.
 */
export function freshQuery(context: QueryContext, wishes: QueryWishes = {}): string | undefined {
  const { with: extra = [], besides = context.actionHistory } = wishes;
  const words = tellingWords(context.question);
  const run = new Set(besides.filter(({ type }) => type === "SEARCH").map(({ arg }) => wordKey(arg)));
  return wishLists(context)
    .filter((list) => list.length > 0)
    .map((list) => new Set([...new Set(list)].slice(0, Math.max(0, MOST_WORDS - extra.length))))
    .map((kept) => [...new Set([...words.filter((word) => kept.has(word)), ...extra])].join(" "))
    .find((query) => query !== "" && !run.has(wordKey(query)));
}
