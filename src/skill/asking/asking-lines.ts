import { withoutElements } from "./own-words.ts";

/** UTF-16 code units of a prompt that are looked at; what is longer is mostly pasted. */
const LOOKED_AT = 4_000;

/** A piece of a prompt that may be the person's own wish. */
export interface AskingLine {
  readonly text: string;
  /** A command may stand here without a verb before it: under "Run:", or as the whole prompt. */
  readonly bare: boolean;
}

const FENCE = /^\s{0,12}(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})/;
const QUOTED = /^\s*(?:[-*+]\s+)?>/;
const HEADING = /^\s{0,3}#{1,6}\s|^\s*\*\*[^*]+\*\*:?\s*$|^\s*__[^_]+__:?\s*$/;
const LIST_ITEM = /^\s{0,12}(?:[-*+•]|\d{1,3}[.)])\s+/;
const DIFF = /^(?:diff --git |@@ -|Index: |--- \S|\+\+\+ \S)/;
/** Lines that a program printed. */
const PRINTED = [
  /^\s*(?:\$|%|>>>|❯|➜|PS [A-Za-z]:\S*>|[\w.-]+@[\w.-]+[:~ ]\S*[$#])\s/,
  /^\s+at\s|^\s*File ".*", line \d|^\s*(?:Traceback|Caused by|Exception in)\b|^\s*\w*(?:Error|Exception): /,
  /^\s*\[?\d{4}-\d\d-\d\d[T \]]|^\s*\[?\d\d:\d\d(?::\d\d)?[\] ,.]/,
  /^\s*\[?(?:info|warn|warning|error|debug|trace|fatal|hint|remote|note|stdout|stderr|output|log|npm|yarn|pnpm)\b[\]:!]/i,
  /^\s*npm (?:ERR|WARN|error|warn|notice)\b|^\s*\|/,
];
/** A transcript begins: what follows is other people's. */
const SPEAKER =
  /^\s*(?:\*\*)?(?:assistant|claude|copilot|codex|chatgpt|gemini|cursor|agent|user|human|bot|ai|system)(?:\*\*)?\s*:/i;
const ASKING_HEADING = /^\W*(?:tasks?|to[- ]?dos?|steps|what to do)\W*$/i;
const ASKING_LEAD =
  /^(?:(?:please|ok|okay|now|then|next|first|finally|also|and|can you|could you|i want you to|i need you to|let['’]s)[\s,]+)*(?:do|run|execute|perform|clean up|tidy up|prepare|finish|start over|steps|tasks?|to[- ]?dos?|führe|ejecuta|exécute|请运行|运行|执行|(?:please|now|then|next|first)\s*[:：]?\s*$)(?![\w'’-])/i;
const RUN_LEAD =
  /(?:^|[\s,])(?:run|execute|führe|ejecuta|exécute|lance|请运行|运行|执行)(?![\w'’-])[^.!?]{0,60}[:：]\s*$|^(?:请?运行|请?执行)/i;
/** In a line before others it says that they are somebody else's words, or what must not be. */
const NOT_OURS =
  /\b(?:say|says|said|wrote|writes|told|tells|error|errors|output|log|logs|issue|report|reports|reported|example|examples|readme|docs?|documentation|history|message|messages|got|get|gets|saw|see|found|fix|review|explain|translate|describe|summari[sz]e|document|write|add|reproduce|happens|happened|fails?|failed|not|never|avoid|don['’]?t|dont|wrong|bad|if|when|would|should)\b/i;

/** Whether what follows this line is still asked for: "Please do the following:". */
function leads(line: string): boolean {
  const text = line.replace(LIST_ITEM, "").trim();
  return text.length <= 120 && ASKING_LEAD.test(text) && !NOT_OURS.test(text);
}

interface Lines {
  readonly kept: { text: string; bare: boolean; isItem: boolean }[];
  /** The line before, of those that are the person's own. */
  lead: string;
  /** How the open fenced block ends, and whether its lines are commands to run. */
  fence: { readonly mark: string; readonly runs: boolean } | undefined;
  /** Within a paragraph that a program printed. */
  printed: boolean;
  /** From here on nothing is the person's own: to the next heading, or to the end of what was announced. */
  foreign: "none" | "section" | "rest";
  diff: boolean;
}

/** The lines of a prompt that may be wishes: without what is quoted, pasted, printed by programs, or announced as such. */
export function askingLines(prompt: string, isCut = false): AskingLine[] {
  const state: Lines = {
    kept: [],
    lead: "",
    fence: undefined,
    printed: false,
    foreign: "none",
    diff: false,
  };
  const own = withoutElements(prompt, isCut);
  const text = own.slice(0, LOOKED_AT).replace(/\n… \d+ characters left out …\s*$/, "\u2026");
  const lines = text.split(/\r?\n/);
  // A line that was cut may have ended in "unless …".
  if (isCut || own.length > LOOKED_AT || text.endsWith("\u2026")) lines.pop();
  for (const line of lines) readLine(line, state);
  const joined = joinLines(state.kept);
  const whole = joined.length === 1 && lines.filter((line) => line.trim() !== "").length === 1;
  return joined.map(({ text: line, bare }) => ({ text: line, bare: bare || whole }));
}

function readLine(line: string, state: Lines): void {
  if (inFence(line, state)) return;
  const text = line.trim();
  if (text === "") {
    state.printed = false;
    state.kept.push({ text: "", bare: false, isItem: false });
    return;
  }
  if (QUOTED.test(line)) return announced(state);
  if (SPEAKER.test(line)) state.foreign = "rest";
  if (HEADING.test(line)) {
    if (state.foreign !== "rest") state.foreign = ASKING_HEADING.test(text) ? "none" : "section";
    state.lead = ASKING_HEADING.test(text) ? "Tasks:" : text;
    return;
  }
  if (DIFF.test(line)) state.diff = true;
  const isLead = /^\s*[\w ]{1,40}:\s*$/.test(line) && !state.printed;
  const isPrinted =
    (!isLead && PRINTED.some((pattern) => pattern.test(line))) || (state.diff && /^[-+ @\\]/.test(line));
  if (isPrinted || state.printed || DIFF.test(line)) {
    state.printed = true;
    return announced(state);
  }
  keep(line, state);
}

/** A quotation or an output is what the line before it announced: behind it the person speaks again. */
function announced(state: Lines): void {
  if (state.foreign === "rest" && state.lead !== "") state.foreign = "none";
  state.lead = "";
}

function keep(line: string, state: Lines): void {
  const text = line.trim();
  const isItem = LIST_ITEM.test(line);
  if (state.foreign !== "none") {
    // The announced text came at once, and it was no block that ends.
    state.lead = "";
    return;
  }
  if (/^(?: {4}|\t)/.test(line) && !isItem) return;
  const before = state.lead;
  const isLed = before !== "" && leads(before);
  if (isItem && before !== "" && !isLed) return;
  const bare = isLed && (isItem || RUN_LEAD.test(before));
  state.kept.push({ text: text.replace(LIST_ITEM, ""), bare, isItem });
  if (isItem) return;
  state.lead = text;
  if (/[:：]\s*$/.test(text) && !leads(lastSentence(text))) state.foreign = "rest";
}

function lastSentence(text: string): string {
  return text.split(/(?<=[.!?])\s+/).at(-1) ?? text;
}

/** Follows fenced blocks; true where the line belongs to one. */
function inFence(line: string, state: Lines): boolean {
  const mark = FENCE.exec(line)?.[1];
  const { fence } = state;
  if (fence !== undefined) {
    if (mark?.startsWith(fence.mark) === true && line.trim() === mark) {
      state.fence = undefined;
      state.lead = "";
    } else if (fence.runs && line.trim() !== "") {
      state.kept.push({ text: line.trim(), bare: true, isItem: true });
    }
    return true;
  }
  const inline = mark === undefined ? line.indexOf("```") : -1;
  if (mark === undefined && inline === -1) return false;
  if (inline !== -1 && line.indexOf("```", inline + 3) !== -1) return true;
  const lead = lastSentence(state.lead);
  const runs = state.foreign === "none" && RUN_LEAD.test(lead) && leads(lead);
  announced(state);
  state.fence = { mark: mark ?? "```", runs };
  return true;
}

/** Lines that are one sentence broken in two are joined: the second one may only be the rest of "the docs say to". */
function joinLines(lines: Lines["kept"]): { text: string; bare: boolean }[] {
  const joined: { text: string; bare: boolean; isOpen: boolean }[] = [];
  for (const { text, bare, isItem } of lines) {
    const last = joined.at(-1);
    const isRest = last?.isOpen === true && !isItem && text !== "" && !bare && !/^\p{Lu}/u.test(text);
    if (isRest) {
      last.text += ` ${text}`;
      last.isOpen = !/[.!?:;。！？：]$/.test(text);
    } else if (text === "" && last !== undefined) last.isOpen = false;
    else if (text !== "") joined.push({ text, bare, isOpen: !/[.!?:;。！？：]$/.test(text) });
  }
  return joined;
}
