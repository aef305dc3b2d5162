import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

/** Characters of what was read that are compared word by word: a whole book must not cost a second. */
const LOOKED_AT = 20_000;
/** Characters of an answer that are looked at. */
const ANSWER_LOOKED_AT = 600;
/** Names that the warning lists; more would not be read. */
const MOST_NAMED = 3;
/** Letters that two forms of one name share at least: Norway, Norwegian. */
const SHARED_BEGINNING = 4;
const NUMBERS: ReadonlyMap<string, string> = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
    .split(" ")
    .map((word, number) => [word, String(number)]),
);
/** Words with a capital that name nothing, and titles that a source may leave out. */
const NO_NAMES: ReadonlySet<string> = new Set(
  (
    "the a an and or of in on at by for from to with is was it its this that they he she i so therefore yes no not none neither both unknown there " +
    "mr mrs ms dr sir dame lord lady king queen prince princess president professor prof saint st jr sr general captain colonel company inc ltd co corporation " +
    "january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday"
  ).split(" "),
);

/** What was read and asked: its words, and the first letters of them in their order. */
interface Known {
  readonly words: ReadonlySet<string>;
  readonly initials: string;
}

export default class CitationMismatch extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL") return false;
    // Where nothing was read there is no source that could support a name.
    if (ctx.allReadContents.length === 0) return false;
    return unsupportedNames(ctx, arg).length > 0;
  }

  intervene(ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    const named = unsupportedNames(ctx, arg).slice(0, MOST_NAMED);
    ctx.memory.told = [...toldIn(ctx), ...named];
    const names = named.map((name) => `"${name}"`).join(", ");
    const count = ctx.allReadContents.length;
    return injectContext(
      `${count === 1 ? "The one text that you have read does not mention" : `None of the ${count} texts that you have read mentions`} ${names}. ` +
        "Search for a text that does, or answer with a name that was read.",
      `${names}: in the answer, and in no source`,
    );
  }
}

/** Names that the policy was told about: it has decided, and a second time would only keep the episode from ending. */
function toldIn(ctx: StepContext): readonly string[] {
  const { told } = ctx.memory;
  return Array.isArray(told) ? told.filter((name) => typeof name === "string") : [];
}

/** Names of the answer that neither a source nor the question has, and that the policy was not told about yet. */
function unsupportedNames(ctx: StepContext, arg: string): readonly string[] {
  const answer = arg.slice(0, ANSWER_LOOKED_AT);
  if (/^\W*(?:yes|no|true|false)\b/i.test(answer)) return [];
  const names = namesIn(answer).filter((name) => !ctx.allReadContents.some((text) => text.includes(name)));
  if (names.length === 0) return [];
  const words = wordsOf(
    `${ctx.question}\n${[...ctx.allReadContents, ctx.lastSearchResultsText].join("\n").slice(-LOOKED_AT)}`,
  );
  const known = { words: new Set(words), initials: words.map((word) => word.slice(0, 1)).join("") };
  const told = toldIn(ctx);
  return names.filter((name) => !told.includes(name) && !isSupported(name, known));
}

/** Runs of capitalised words, over linking words too: "Museum of Modern Art". A comma ends a name. */
function namesIn(answer: string): readonly string[] {
  const text = answer
    .replace(/["“”]/g, "")
    .replace(/\bI(?:['’]\p{L}+)?(?= )/gu, "")
    // The first word of a sentence has a capital whatever it is.
    .replace(/(^|[.!?:]\s+)\p{Lu}\p{Ll}*(?=:| \p{Ll}+ \p{Ll}+ )/gu, "$1");
  const runs =
    text.match(
      /\p{Lu}[\p{L}\p{N}'’.&-]*(?: (?:(?:of|the|and|de|la|le|du|da|di|van|von|der|al|bin|for|in|&) ){0,2}[\p{Lu}\d][\p{L}\p{N}'’.&-]*)*/gu,
    ) ?? [];
  const names = runs.map((run) => run.replace(/[.'’-]+$/u, "")).filter((run) => tellingWords(run).length > 0);
  return names.filter((name, at) => names.indexOf(name) === at);
}

/**
 * A source may give a part of a name, another form of it, or its parts in another place: a name is made up only where
 * more than half of its words are nowhere.
 */
function isSupported(name: string, known: Known): boolean {
  const words = tellingWords(name);
  const found = words.filter((word) => isKnown(word, known.words));
  if (found.length * 2 >= words.length) return true;
  return known.words.has(words.join("")) || isAbbreviated(name, words, known);
}

function isKnown(word: string, known: ReadonlySet<string>): boolean {
  if (known.has(word)) return true;
  if (word.length < SHARED_BEGINNING) return false;
  const beginning = word.slice(0, Math.max(SHARED_BEGINNING, word.length - 3));
  for (const other of known) {
    if (other.startsWith(beginning) && Math.abs(other.length - word.length) <= 4) return true;
    // Written in one word or in two: "Hitchhiker", "hitch-hikers".
    if (other.length >= SHARED_BEGINNING && word.length - other.length <= 3 && word.startsWith(other))
      return true;
  }
  return false;
}

/** "NBA" where the source writes it out, and the reverse: letters stand for the beginnings of words. */
function isAbbreviated(name: string, words: readonly string[], known: Known): boolean {
  if (words.length >= 2) return known.words.has(words.map((word) => word.slice(0, 1)).join(""));
  return /^(?:\p{Lu}\.?){2,6}$/u.test(name) && known.initials.includes(words.join(""));
}

/** Without titles and little words; where nothing else is left, they are the name: "The The". */
function tellingWords(name: string): readonly string[] {
  return wordsOf(name).filter((word) => !NO_NAMES.has(word) && (word.length > 1 || /\d/.test(word)));
}

/** The words without possessive endings, number words as figures. */
function wordsOf(text: string): readonly string[] {
  return wordsIn(text.replace(/['’]s\b/g, "")).map((word) => NUMBERS.get(word) ?? word);
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
