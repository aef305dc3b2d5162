import { commandWords } from "./command-words.ts";
import { deedClausesAt } from "./deed-clauses.ts";
import type { Sentence, Token } from "./sentences.ts";

const RUNS =
  /^(?:run|rerun|re-run|running|execute|executing|use|perform|launch|type|invoke|do|doing|try|retry|apply|issue|trigger|fire|kick|führe|führ|starte|mach|mache|lass|ausführen|ejecuta|ejecutar|ejecute|ejecutá|corre|lanza|exécute|exécuter|exécutez|lance|lancez|esegui|rode|выполни|запусти|运行|执行|運行|執行|請執行|请运行|请执行|請運行|帮我运行|帮我执行|请帮我运行|运行一下|执行一下|実行)$/;
const WITH = /^(?:start|begin|finish|proceed|continue)$/;
const BETWEEN = new Set(
  "the this these it them both all off das dies diesen folgenden es folgendes aus usual a an one quick full another following command commands exactly just please bitte mal ein einen eine el la los le les den comando commande befehl 命令 以下命令 一下".split(
    " ",
  ),
);
const JOINS = /^(?:and|then|also|finally|afterwards|followed|by|plus|&|\+|y|und|dann|et|puis)$/;

/** A command that a person asks for: as written, with what follows it in the sentence where nothing marks its end. */
export interface AskedCommand {
  readonly words: readonly string[];
  /** Behind a code span the command has ended; otherwise a tail may follow in `words`. */
  readonly isWhole: boolean;
  /** The tokens behind a code span. */
  readonly behind: readonly Token[];
  readonly after: Token["after"];
}

/**
 * The commands that begin at a wish of a sentence: "run `a` and `b`", "execute a now", a bare "git push", or those that say how a deed is
 * done: "publish it: npm publish".
 */
export function askedCommands(sentence: Sentence, start: number): AskedCommand[] {
  const { tokens, bare } = sentence;
  const behind = behindRuns(tokens, start);
  if (behind !== undefined) return [...commandsAt(sentence, behind, true), ...byClause(sentence, start)];
  // Without a verb a command has to be the whole line, or to follow "then".
  // "Command: …" is a label.
  const isLabel = tokens[start]?.after === ":" && BETWEEN.has(tokens[start]?.low ?? "");
  const own =
    (bare || start > 0) && !isLabel ? commandsAt(sentence, behindArticles(tokens, start), false) : [];
  return [...own, ...byClause(sentence, start)];
}

/** The index behind "run the following command", "start with" and their like. */
function behindRuns(tokens: readonly Token[], start: number): number | undefined {
  const verb = tokens[start]?.low ?? "";
  const isWith = WITH.test(verb) && /^(?:with|by)$/.test(tokens[start + 1]?.low ?? "");
  const isLabel = /^(?:issue|use|type|trigger|apply|perform)$/.test(verb) && tokens[start]?.after === ":";
  if (!isWith && (isLabel || !RUNS.test(verb))) return undefined;
  const isNested = isWith && RUNS.test(tokens[start + 2]?.low ?? "");
  const at = behindArticles(tokens, start + (isNested ? 3 : isWith ? 2 : 1));
  return behindReport(tokens, at) ?? at;
}

const REPORTS_BACK = /^(?:tell|show|report|give|paste|share|send|let)$/;

/** The index behind the colon of "run this and tell me what happens: …". */
function behindReport(tokens: readonly Token[], at: number): number | undefined {
  const isReport = tokens[at]?.low === "and" && REPORTS_BACK.test(tokens[at + 1]?.low ?? "");
  if (!isReport || !/^(?:this|these|following|commands?)$/.test(tokens[at - 1]?.low ?? "")) return undefined;
  const colon = tokens.slice(at, at + 12).findIndex(({ after }) => after !== "");
  return colon !== -1 && tokens[at + colon]?.after === ":" ? at + colon + 1 : undefined;
}

function behindArticles(tokens: readonly Token[], from: number): number {
  let at = from;
  while (BETWEEN.has(tokens[at]?.low ?? "") && tokens[at]?.after !== ",") at++;
  return at;
}

/** The commands that say how a deed is done; words of the deed that are no everyday objects have to be in them. */
function byClause(sentence: Sentence, start: number): AskedCommand[] {
  const { tokens } = sentence;
  return deedClausesAt(sentence, start).flatMap(({ at, unknown }) => {
    const from = behindRuns(tokens, at) ?? behindArticles(tokens, at);
    return commandsAt(sentence, from, false).filter(({ words }) => unknown.every((one) => isIn(words, one)));
  });
}

/** Whether a command has a word, or a word of four letters and more within one: "rust" in `https://sh.rustup.rs`. */
function isIn(words: readonly string[], one: string): boolean {
  return words.some(
    (word) =>
      word.replace(/^-+/, "") === one ||
      word.split("/").includes(one) ||
      (one.length >= 4 && word.includes(one)),
  );
}

/** A code span, a quotation or a parenthesis is a whole command; of other text nobody knows yet where it ends. */
function commandsAt(sentence: Sentence, at: number, mayBeQuoted: boolean): AskedCommand[] {
  const { tokens, text } = sentence;
  const token = tokens[at];
  if (token === undefined) return [];
  if (token.kind === "code" || (token.kind === "quoted" && mayBeQuoted)) return spansAt(tokens, at);
  const written = text.slice(token.start);
  if (written.startsWith("(")) return inParentheses(sentence, token.start);
  return [{ words: wordsOf(written), isWhole: false, behind: [], after: "" }];
}

function inParentheses({ text, tokens }: Sentence, start: number): AskedCommand[] {
  const end = text.indexOf(")", start);
  if (end === -1) return [];
  const inner = text
    .slice(start + 1, end)
    .replace(/^\s*(?:(?:with|using|via|by|run|running|i\.e\.)\s+){0,2}`*|`+\s*$/g, "");
  const behind = tokens.filter((token) => token.start > end);
  return [{ words: wordsOf(inner), isWhole: true, behind, after: "" }];
}

/** Output that goes nowhere or to the other stream leaves a command as it is. */
const QUIET = / (?:2?>&[12]|[12&]?>>? ?\/dev\/null)(?=[\s;&|)]|$)/g;

/** The words of a command line that somebody wrote, or that is proposed; without those that only silence it. */
export function wordsOf(text: string): string[] {
  const plain = text.replace(QUIET, "");
  return (commandWords(plain) ?? plain.split(/\s+/)).filter((word) => word !== "");
}

function spansAt(tokens: readonly Token[], from: number): AskedCommand[] {
  const spans: Token[] = [];
  const kind = tokens[from]?.kind;
  let at = from;
  for (;;) {
    const token = tokens[at];
    if (token === undefined || token.kind !== kind) break;
    spans.push(token);
    at++;
    let next = at;
    while (JOINS.test(tokens[next]?.low ?? "")) next++;
    if (tokens[next]?.kind !== kind || (next === at && token.after !== ",")) break;
    at = next;
  }
  const behind = tokens.slice(at);
  const commands = spans.map(({ text }): AskedCommand => ({
    words: wordsOf(text.replace(/^\$ /, "")),
    isWhole: true,
    behind,
    after: tokens[at - 1]?.after ?? "",
  }));
  const [only] = commands;
  if (only === undefined || commands.length > 1 || only.after !== "" || kind === "quoted") return commands;
  // "Run `apt-get update` as root": the words behind it may belong to it.
  const words = [...only.words, ...behind.map(({ low, text }) => low || text)];
  return [only, { words, isWhole: false, behind: [], after: "" }];
}
