import { type AskedCommand, askedCommands, wordsOf } from "./asking/asked-commands.ts";
import { askingLines } from "./asking/asking-lines.ts";
import { handsOver, isTail, takesBack, wishStarts, withoutAssurance } from "./asking/clauses.ts";
import { canonicalPath, canonicalWord, segmentsOf } from "./asking/command-words.ts";
import { ownWords } from "./asking/own-words.ts";
import { type Sentence, sentencesOf, type Token } from "./asking/sentences.ts";
import { matchWish, type Things } from "./asking/wish-pattern.ts";

/** The part of a step context that the question is about. */
interface Heard {
  readonly prompts: readonly string[];
  readonly cwd?: string | undefined;
  readonly command?: { readonly source: string; readonly calls: readonly Call[] } | undefined;
}

interface Call {
  readonly name: string;
  readonly operands: readonly string[];
  readonly into: readonly string[];
  readonly from: readonly string[];
  readonly range?: { readonly start: number; readonly end: number } | undefined;
}

/** The deed that somebody must have asked for; any one of its forms is enough. */
interface Deed {
  /** A call of the proposed command line: the person wrote out this very command. */
  readonly call?: Call;
  /** Other texts of the same command. */
  readonly commands?: readonly string[];
  /** The same in plain words, as patterns: `delete|remove {path}`. One that begins with `$` is about a command that they wrote out. */
  readonly words?: readonly string[];
  readonly things?: Things;
}

/**
 * Whether the person's latest words ask for this very deed: by its whole command, or in plain words that name its object. Quotations,
 * pasted and printed text, elements of the host, questions, bans, conditions and reports are no wishes; nor is vocabulary without the
 * object. Through "hasp", for guards that step aside.
 */
export function askedFor(ctx: Heard, deed: Deed): boolean {
  // Nobody asks for a line of so many programs; each of them would be compared with all before it.
  if ((ctx.command?.calls.length ?? 0) > MAX_CALLS) return false;
  const sentences = latestSentences(ctx.prompts);
  if (!sentences.some(({ wishes }) => wishes.length > 0)) return false;
  const commands = [
    ...(deed.call === undefined ? [] : writtenOut(ctx, deed.call)),
    ...(deed.commands ?? []).map((text) => canonicalLine(text, ctx.cwd)),
  ];
  let asked: string | undefined;
  for (const { sentence, wishes } of sentences) {
    const wish = wishes.find((one) => isWish(sentence, one, deed, commands, ctx.cwd));
    if (wish !== undefined) asked = sentence.tokens[wish.start]?.low ?? "";
    else if (asked !== undefined && takesBack(sentence, asked)) asked = undefined;
    if (handsOver(sentence)) break;
  }
  return asked !== undefined;
}

/** Sentences that are looked at, the latest; and characters of one: what is longer is no wish. */
const LATEST = 40;
const MAX_PROMPT = 8_000;
const MAX_STARTS = 12;
const MAX_CALLS = 60;
const MAX_SENTENCE = 1_500;

/** A place in a sentence where a wish may begin, and the commands that are written out there. */
interface Wish {
  readonly start: number;
  readonly written: readonly AskedCommand[];
}

interface HeardSentence {
  readonly sentence: Sentence;
  readonly wishes: readonly Wish[];
}

/** Several guards ask about one prompt in a row, and some about hundreds of calls. */
let known: { readonly prompt: string; readonly sentences: readonly HeardSentence[] } | undefined;

/** The sentences of the last prompt in which a person spoke; a session's prompts are one array until they say more. */
function latestSentences(prompts: readonly string[]): readonly HeardSentence[] {
  const prompt = prompts.findLast((one) => ownWords(one.slice(0, MAX_PROMPT)) !== "") ?? "";
  if (known?.prompt === prompt) return known.sentences;
  const lines = askingLines(prompt.slice(0, MAX_PROMPT), prompt.length > MAX_PROMPT);
  const sentences = lines
    .flatMap(sentencesOf)
    .filter(({ text }) => text.length <= MAX_SENTENCE)
    .slice(-LATEST)
    .map((spoken): HeardSentence => {
      const sentence = withoutAssurance(spoken);
      const starts = wishStarts(sentence).slice(0, MAX_STARTS);
      return {
        sentence,
        wishes: starts.map((start) => ({ start, written: askedCommands(sentence, start) })),
      };
    });
  known = { prompt, sentences };
  return sentences;
}

type Words = readonly string[];

const GOES = /^(?:cd|pushd|popd|chdir|set-location|push-location|sl)$/i;
/** Programs that show on the screen what they are given. */
const VIEWERS = new Set(["cat", "head", "tail", "less", "more", "grep", "rg", "wc", "sort", "uniq"]);

/** The words by which a person would have written the call: the whole line, and the call alone where nothing around it makes it another. */
function writtenOut({ command, cwd }: Heard, { range, into, from }: Call): Words[] {
  if (command === undefined) return [];
  // A line that is longer than any that a person writes out is not theirs.
  const line = command.source.length <= MAX_SENTENCE ? canonicalLine(command.source, cwd) : [];
  const before = command.calls.filter(
    (one) => one.range !== undefined && range !== undefined && one.range.start < range.start,
  );
  const moves = before.some(({ name, operands }) => GOES.test(name) && !isHere(operands, cwd));
  const isPiped = into.some((name) => !VIEWERS.has(name)) || from.some((name) => name !== "yes");
  const own =
    range === undefined || moves || isPiped
      ? []
      : canonicalLine(command.source.slice(range.start, range.end), cwd);
  return [line, own].filter((words) => words.length > 0);
}

/** `cd` to the folder in which the agent works anyway. */
function isHere([folder]: readonly string[], cwd: string | undefined): boolean {
  return folder !== undefined && canonicalPath(folder, cwd) === ".";
}

function canonicalLine(text: string, cwd: string | undefined): Words {
  return wordsOf(text).map((word) => canonicalWord(word, cwd));
}

function isWish(
  { tokens }: Sentence,
  { start, written }: Wish,
  { words: patterns = [], things = {} }: Deed,
  commands: readonly Words[],
  cwd: string | undefined,
): boolean {
  if (written.some((one) => commands.some((words) => isSame(one, words, cwd)))) return true;
  return patterns.some((pattern) => {
    if (pattern.startsWith("$ ")) return written.some((one) => isLike(one, pattern.slice(2), things, cwd));
    const ends = (at: number): boolean => isTail(tokens.slice(at), tokens[at - 1]?.after ?? "");
    return matchWish(pattern, tokens, start, { things, cwd, isCommand: false, ends }) !== undefined;
  });
}

/** Whether a command that was asked for is this one, or a whole link of its chain that no `cd` stands before. */
function isSame(asked: AskedCommand, words: Words, cwd: string | undefined): boolean {
  const whole = asked.words.map((word) => canonicalWord(word, cwd));
  if (fitsWords(whole, words, asked)) return true;
  const links = segmentsOf(asked.words);
  const moves = links.findIndex(([name = ""]) => GOES.test(name));
  return links.slice(0, moves === -1 ? links.length : moves).some((link, i) => {
    const canonical = link.map((word) => canonicalWord(word, cwd));
    const isLast = i === links.length - 1;
    return isLast
      ? fitsWords(canonical, words, asked)
      : canonical.length === words.length &&
          fitsWords(canonical, words, { ...asked, isWhole: true, behind: [], after: "" });
  });
}

/** Word by word; what follows must leave the command as it is. */
function fitsWords(asked: Words, words: Words, { isWhole, behind, after }: AskedCommand): boolean {
  if (asked.length < words.length || words.length === 0) return false;
  let mark: Token["after"] = "";
  for (const [i, word] of words.entries()) {
    const said = asked[i] ?? "";
    // A phone begins a sentence with a capital.
    if (said === word || (i === 0 && said.charAt(0).toLowerCase() + said.slice(1) === word)) continue;
    if (isWhole || i !== words.length - 1 || !/[,:]$/.test(said) || canonicalEnd(said) !== word) return false;
    mark = said.endsWith(",") ? "," : ":";
  }
  if (isWhole) return asked.length === words.length && isTail(behind, after);
  const rest = asked.slice(words.length);
  return /^[—–-]$/.test(rest[0] ?? "")
    ? isTail(plainTokens(rest.slice(1)), ",")
    : isTail(plainTokens(rest), mark);
}

const canonicalEnd = (word: string): string => word.slice(0, -1).replace(/(.)\/$/, "$1");

/** Whether a command that was asked for has the form of a pattern, apart from its switches. */
function isLike(asked: AskedCommand, pattern: string, things: Things, cwd: string | undefined): boolean {
  const tokens = plainTokens(asked.words);
  const ends = (at: number): boolean => {
    const rest = tokens.slice(at);
    const switches = rest.findIndex(({ text }) => !text.startsWith("-"));
    const tail = switches === -1 ? [] : rest.slice(switches);
    if (asked.isWhole) return tail.length === 0 && isTail(asked.behind, asked.after);
    return isTail(tail, tokens[at - 1]?.after ?? "");
  };
  return matchWish(pattern, tokens, 0, { things, cwd, isCommand: true, ends }) !== undefined;
}

/** Words of a command as tokens; an operator is its own sign. */
function plainTokens(words: Words): Token[] {
  return words.map((word) => {
    const text = word.startsWith("\u0000") ? word.slice(1) : word;
    const bare = text.replace(/[,:]$/, "");
    const after = text === bare ? "" : text.endsWith(",") ? "," : ":";
    return { kind: "word", text: bare, low: bare.toLowerCase(), after, start: 0 };
  });
}
