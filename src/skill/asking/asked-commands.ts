import { commandWords } from "./command-words.ts";
import type { Sentence, Token } from "./sentences.ts";

const RUNS =
  /^(?:run|rerun|re-run|execute|use|perform|launch|type|invoke|führe|führ|starte|ejecuta|ejecute|ejecutá|corre|lanza|exécute|exécutez|lance|lancez|esegui|rode|выполни|запусти|运行|执行|運行|執行|請執行|请运行|请执行|請運行|帮我运行|帮我执行|请帮我运行|运行一下|执行一下|実行)$/;
const BETWEEN = new Set(
  "the this following command commands exactly just bitte el la los le les den comando commande befehl 命令 以下命令 一下".split(
    " ",
  ),
);

/** A command that a person asks for: as written, with what follows it in the sentence where nothing marks its end. */
export interface AskedCommand {
  readonly words: readonly string[];
  /** Behind a code span the command has ended; otherwise a tail may follow in `words`. */
  readonly isWhole: boolean;
  /** The tokens behind a code span. */
  readonly behind: readonly Token[];
  readonly after: Token["after"];
}

/** The commands that begin at a wish of a sentence: "run `a` and `b`", "execute a now", or a bare "git push". */
export function askedCommands(sentence: Sentence, start: number): AskedCommand[] {
  const { tokens, bare } = sentence;
  let at = start;
  const runs = RUNS.test(tokens[at]?.low ?? "");
  if (runs) at++;
  if (runs) while (BETWEEN.has(tokens[at]?.low ?? "") && tokens[at]?.after !== ",") at++;
  const token = tokens[at];
  if (token === undefined) return [];
  if (token.kind === "code") return runs || bare || start > 0 ? codeList(tokens, at) : [];
  // Without a verb a command has to be the whole line, or to follow "then".
  if (!runs && !bare && start === 0) return [];
  const text = sentence.text.slice(token.start);
  const words = commandWords(text) ?? text.split(/\s+/);
  return [{ words: words.filter((word) => word !== ""), isWhole: false, behind: [], after: "" }];
}

function codeList(tokens: readonly Token[], from: number): AskedCommand[] {
  const codes: Token[] = [];
  let at = from;
  for (;;) {
    const token = tokens[at];
    if (token?.kind !== "code") break;
    codes.push(token);
    at++;
    let next = at;
    while (/^(?:and|then|y|und|et)$/.test(tokens[next]?.low ?? "")) next++;
    if (tokens[next]?.kind !== "code" || (next === at && token.after !== ",")) break;
    at = next;
  }
  const behind = tokens.slice(at);
  const spans = codes.map(({ text }): AskedCommand => ({
    words: commandWords(text) ?? [],
    isWhole: true,
    behind,
    after: tokens[at - 1]?.after ?? "",
  }));
  const [only] = spans;
  if (only === undefined || spans.length > 1 || only.after !== "") return spans;
  // "Run `apt-get update` as root": the words behind it may belong to it.
  const words = [...only.words, ...behind.map(({ low, text }) => low || text)];
  return [only, { words, isWhole: false, behind: [], after: "" }];
}
