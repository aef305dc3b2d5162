import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

/** Characters of a question or a thought that are looked at. */
const LOOKED_AT = 2_000;
/** Characters of the text read last that are compared. */
const READ_LOOKED_AT = 20_000;
/** Characters of a sentence of the thought, and of the answer, that are looked at. */
const SENTENCE_LOOKED_AT = 400;
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

/** An answer that is none is no link of a chain either. Most mind the case: "Unknown Pleasures" is a title. */
const NO_ANSWER =
  /^\W*(?:none|n\/?a|null|nothing|unknown|unclear|undetermined)?\W*$|\b(?:[Uu]nable to|[Cc]ould ?n[o'’]t|[Cc]ould not|[Cc]annot be determined|not (?:found|available|specified|mentioned|known|provided|stated|clear|possible))\b/;

/** What is missing of the chain, and the words that would search it. */
interface Missing {
  readonly why: string;
  readonly query: string;
}

export default class MultiHopReasoningFailure extends ProgramFunction {
  /** Said at every FINAL, it would keep the episode from ending. */
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL") return false;
    // On the last step a SEARCH would leave the episode without any answer.
    if (ctx.stepCount + 1 >= ctx.maxSteps) return false;
    return missingHop(ctx, arg.slice(0, SENTENCE_LOOKED_AT)) !== undefined;
  }

  intervene(ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    const missing = missingHop(ctx, arg.slice(0, SENTENCE_LOOKED_AT)) ?? {
      why: "the chain of the question is not complete",
      query: "",
    };
    const isNew = !queriesOf(ctx).some((query) => wordSet(query) === wordSet(missing.query));
    const deed =
      isNew && missing.query.includes(" ")
        ? `Run SEARCH[${missing.query}] next`
        : "Search for what the question asks, with the name of the link in its middle";
    return injectContext(`${deed}: ${missing.why.replace(/\s+/g, " ")}.`, missing.why);
  }
}

function missingHop(ctx: StepContext, arg: string): Missing | undefined {
  const question = ctx.question.slice(0, LOOKED_AT);
  if (NO_ANSWER.test(arg) || /^\W*(?:yes|no)\b/i.test(arg)) return undefined;
  if (plain(arg).trim() === "" || plain(question).includes(plain(arg))) return undefined;
  return (
    bridgeAsAnswer(question, ctx.thought.slice(0, LOOKED_AT), arg) ?? bridgeNotSearched(ctx, question, arg)
  );
}

/** The thought calls the answer by another noun of the question: "The team that fired its coach is Miami", where a division is asked for. */
function bridgeAsAnswer(question: string, thought: string, arg: string): Missing | undefined {
  // A link has a name; a number or a place with its preposition is what is asked of it.
  if (!/^\W*(?:the )?\p{Lu}/u.test(arg)) return undefined;
  const noun = describedAs(thought, arg);
  if (noun === undefined || !plain(question).includes(` ${noun} `)) return undefined;
  const asked = askedPart(question);
  if (asked === undefined || asked.nouns.includes(noun)) return undefined;
  const words = telling(asked.text).filter((word) => !plain(arg).includes(plain(word)));
  const query = [...telling(arg), ...words].slice(0, LONGEST_QUERY).join(" ");
  return {
    why: `the thought calls "${arg.slice(0, 100)}" the ${noun}, and the question asks for something about it`,
    query,
  };
}

/** Only words of the question were searched for, in one search, and its result does not have the answer. */
function bridgeNotSearched(ctx: StepContext, question: string, arg: string): Missing | undefined {
  const queries = queriesOf(ctx);
  if (queries.length === 0 || !isChained(question)) return undefined;
  const only = wordSet(queries[0] ?? "");
  if (queries.some((query) => wordSet(query) !== only)) return undefined;
  const known = plain(question);
  if (only.split(" ").some((word) => !known.includes(` ${word} `))) return undefined;
  const read = [...ctx.allReadContents, ctx.lastSearchResultsText].join(" ").slice(-READ_LOOKED_AT);
  if (isReadIn(read, arg)) return undefined;
  const bridge = newName(ctx.thought.slice(0, LOOKED_AT), question, arg);
  const asked = telling(askedPart(question)?.text ?? "");
  const unsearched = telling(question).filter((word) => !only.split(" ").includes(plain(word).trim()));
  const subject = telling(bridge ?? arg);
  const rest = bridge === undefined ? [...asked, ...unsearched] : asked;
  const words = [...subject, ...rest.filter((word) => !subject.includes(word))];
  return {
    why: `only words of the question were searched for, and the result does not have "${arg.slice(0, 100)}"`,
    query: words
      .filter((word, at) => words.indexOf(word) === at)
      .slice(0, LONGEST_QUERY)
      .join(" "),
  };
}

/** The text has the answer, or no word at all. To take it apart is slow, and idle where the answer's first word is not in it. */
function isReadIn(text: string, arg: string): boolean {
  const [first = ""] = wordsIn(arg);
  const mayHold = folded(text).includes(first);
  const words = mayHold
    ? wordsIn(text)
    : (/[a-z0-9\u00aa-\u1fff\u2c00-\u2fff\u3040-\uffff]/.exec(folded(text)) ?? []);
  return words.length === 0 || (mayHold && ` ${words.join(" ")} `.includes(plain(arg)));
}

/** The noun under which the thought gives the answer: "team" of "The team that … is Miami"; undefined where it says no such thing. */
function describedAs(thought: string, arg: string): string | undefined {
  const wanted = plain(arg);
  for (const whole of sentencesOf(thought)) {
    const sentence = whole.slice(0, SENTENCE_LOOKED_AT);
    // The pattern below tries many ways to part a sentence: only where one of them could give the answer.
    if (!/^(?:(?:So|Therefore|Thus),? )?[Tt]he /.test(sentence) || !plain(sentence).includes(wanted))
      continue;
    const found =
      /^(?:(?:So|Therefore|Thus),? )?[Tt]he ([\p{L}\p{N}'’ -]{2,60}?)(?: (?:that|who|whom|whose|which|where|in|of|on|at|for|from|by|with|named|called|using|used)\b.*| \p{Lu}.*)? (?:is|was|are|were) (?:the |a |an )?["“]?(.+)$/u.exec(
        sentence,
      );
    if (found !== null && plain(found[2] ?? "").startsWith(wanted)) {
      return (found[1] ?? "").trim().split(" ").at(-1)?.toLowerCase();
    }
  }
  return undefined;
}

/** Cut behind a full stop and before ", so". By hand: split() tries its pattern anew at every character. */
function sentencesOf(text: string): readonly string[] {
  const cut = /(?=\s)(?<=[^\s.]{2}[.!?])\s+|, so /g;
  const sentences: string[] = [];
  let from = 0;
  for (let found = cut.exec(text); found !== null; found = cut.exec(text)) {
    sentences.push(text.slice(from, found.index));
    from = cut.lastIndex;
  }
  return [...sentences, text.slice(from)];
}

/** The words in which the question asks, and the nouns that name what it asks for; undefined where it asks who. */
function askedPart(
  question: string,
): { readonly text: string; readonly nouns: readonly string[] } | undefined {
  const found = /\b(what|which|how (?:many|much|long|old)|where|when)\b(.*)$/iu.exec(question);
  if (found === null) return undefined;
  const word = (found[1] ?? "").toLowerCase();
  if (word === "where" || word === "when") {
    const text = [word === "where" ? "location" : "date", ...telling(question).slice(-5)].join(" ");
    return { text, nouns: [] };
  }
  // At its beginning ("What Division was the team that …") the question asks up to the link, at its end in the words before, too.
  const after = (found[2] ?? "").split(/\b(?:that|who|whom|whose|which|where)\b|[,?]/iu)[0] ?? "";
  const before = question.slice(0, found.index).trim().split(/\s+/);
  const lead = before.length > 3 ? before.slice(-3).join(" ") : "";
  return { text: `${lead} ${after}`, nouns: nounsAskedFor(after) };
}

/** "… is the name of the band" asks for the band; "type of ministerial office" for none but these. */
function nounsAskedFor(text: string): readonly string[] {
  const isNaming = /^\s*(?:(?:is|was|are|were)\s+)?(?:the\s+)?(?:full\s+)?(?:names?|title)\s+of\b/i.test(
    text,
  );
  return plain(text)
    .trim()
    .split(" ")
    .slice(0, isNaming ? 12 : 4);
}

/** A relative clause, a possessive, or a link over "of the": the question does not name what it asks about. */
function isChained(question: string): boolean {
  return /(?<=[\p{L}\p{N}"”)] |, )(?:who|whom|whose|that|which|where)\b|\p{L}['’]s? (?=\p{L})|\p{L}+ of (?:the|a|an) /iu.test(
    question,
  );
}

/** A name of two words or more that the thought brings in and the question does not have. */
function newName(thought: string, question: string, arg: string): string | undefined {
  const names =
    thought.match(
      /\b(?:\p{Lu}\.|\p{Lu}[\p{L}\p{N}'’-]{0,30})(?: (?:of |the |de |von |van ){0,2}(?:\p{Lu}\.|\p{Lu}[\p{L}\p{N}'’-]{0,30}))+/gu,
    ) ?? [];
  return names
    .map((name) =>
      name
        .replace(/^(?:So|Therefore|Thus|The|This|That|Since|Now|However|Both|In) /u, "")
        .replace(/[.'’-]+$|['’]s$/gu, ""),
    )
    .find(
      (name) =>
        name.includes(" ") &&
        !plain(question).includes(plain(name)) &&
        !plain(arg).includes(plain(name)) &&
        !plain(name).includes(plain(arg)),
    );
}

function queriesOf(ctx: StepContext): readonly string[] {
  return ctx.actionHistory.filter(({ type }) => type === "SEARCH").map(({ arg }) => arg);
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

/** Two queries of the same words find the same. */
function wordSet(query: string): string {
  const words = plain(query).trim().split(" ");
  return words
    .filter((word, at) => !EMPTY_WORDS.has(word) && words.indexOf(word) === at)
    .sort()
    .join(" ");
}

function telling(text: string): readonly string[] {
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
