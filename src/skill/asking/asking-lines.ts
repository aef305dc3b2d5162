import { wishStarts } from "./clauses.ts";
import { announcesDeed } from "./deed-clauses.ts";
import { withoutElements } from "./own-words.ts";
import { PROGRAMS } from "./programs.ts";
import { type AskingLine, sentencesOf } from "./sentences.ts";

/** UTF-16 code units of a prompt that are looked at; what is longer is mostly pasted. */
const LOOKED_AT = 4_000;

const FENCE = /^\s{0,12}(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})/;
const QUOTED = /^\s*(?:[-*+]\s+)?>/;
const HEADING = /^\s{0,3}#{1,6}\s|^\s*\*\*[^*]+\*\*:?\s*$|^\s*__[^_]+__:?\s*$/;
const LIST_ITEM = /^\s{0,12}(?:[-*+•]|\d{1,3}[.)])\s+(?:\[ \]\s+)?/;
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
  /^(?:here(?:'s| is) what to do\s*[:：]?\s*$)|^(?:(?:please|ok|okay|now|then|next|first|finally|also|and|can you|could you|i want you to|i need you to|let['’]s)[\s,]+)*(?:do|run|execute|perform|clean up|tidy up|prepare|finish|start over|steps|tasks?|to[- ]?dos?|führe|ejecuta|exécute|请运行|运行|执行|(?:please|now|then|next|first)\s*[:：]?\s*$)(?![\w'’-])/i;
/** "Please run these commands, in this order:", "Then:". */
const RUN_LEAD =
  /(?:^|[\s,])(?:run|execute|do|perform|führe|ejecuta|exécute|lance|请运行|运行|执行)(?:\s+(?:this|these|it|the|all|both|two|three|following|commands?|steps?|things?|tasks?|of|in|order|one|by|after|another|please|now|first|then|here|exactly|for|me|bitte|aus))*\s*[.:：]?\s*$|^(?:请?运行|请?执行)|^here(?:'s| is) what to do|^(?:(?:please|now|then|next|first|finally|and|also|steps|tasks?|to[- ]?dos?)[\s,]*)+[:：]\s*$/i;
/** In a line before others it says that they are somebody else's words, or what must not be. */
const NOT_OURS =
  /\b(?:say|says|said|wrote|writes|told|tells|error|errors|output|log|logs|issue|report|reports|reported|example|examples|readme|docs?|documentation|history|message|messages|got|get|gets|saw|see|found|fix|review|explain|translate|describe|summari[sz]e|document|write|add|reproduce|happens|happened|fails?|failed|not|never|avoid|don['’]?t|dont|wrong|bad|if|when|would|should)\b/i;

/** Whether what follows this line is still asked for: "Please do the following:". */
function leads(line: string): boolean {
  const text = line.replace(LIST_ITEM, "").trim();
  return text.length <= 120 && !NOT_OURS.test(text) && (ASKING_LEAD.test(text) || isDeed(text));
}

/** "Discard my changes:" before the commands that do it. */
function isDeed(text: string): boolean {
  const last = sentencesOf({ text, bare: false }).at(-1);
  return last !== undefined && wishStarts(last).some((start) => announcesDeed(last, start));
}

/** Whether a line before commands has them run. */
function runs(lead: string): boolean {
  return leads(lead) && (RUN_LEAD.test(lead) || isDeed(lead));
}

/** Words of a report of a fault. */
const REPORT =
  /^\W*(?:expected|actual)\b|\b(?:expected|actual)(?: (?:behaviou?r|result))?\s*:|\breproduc|\brepro\b/im;

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
  /** The `cd` of a block of commands, before its other lines. */
  moved: string;
  /** Commands have followed the line before. */
  isUsed: boolean;
  /** The prompt reports a fault: its commands are those that somebody ran. */
  readonly isReport: boolean;
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
    moved: "",
    isUsed: false,
    isReport: REPORT.test(prompt.slice(0, LOOKED_AT)),
  };
  const own = withoutElements(prompt, isCut);
  const text = own.slice(0, LOOKED_AT).replace(/\n… \d+ characters left out …\s*$/, "\u2026");
  const lines = numberedApart(text).split(/\r?\n/);
  // A line that was cut may have ended in "unless …".
  if (isCut || own.length > LOOKED_AT || text.endsWith("\u2026")) lines.pop();
  const commands = onlyCommands(lines);
  for (const line of commands) keepCommand(line, state);
  if (commands.length === 0) for (const line of lines) readLine(line, state);
  const joined = joinLines(state.kept);
  const whole = joined.length === 1 && lines.filter((line) => line.trim() !== "").length === 1;
  return joined.map(({ text: line, bare }) => ({ text: line, bare: bare || whole }));
}

/** "Do this: 1. … 2. …" on one line, as lines. */
function numberedApart(text: string): string {
  return /(?:^|[:\s])1[.)]\s[^\n]*\s2[.)]\s/.test(text) ? text.replace(/\s(?=\d[.)]\s)/g, "\n") : text;
}

/** Of lines that begin with a program, those that speak of it. */
const SPEAKS = /\s(?:is|are|was|were|does|did|do|has|what|which|why|fails?|failed|works?|hangs?)(?:\s|$)/;
/** Lines of commands looked at where a prompt has no others. */
const MAX_ONLY = 10;

/** The lines of a prompt of several lines that are all commands, in a block or a list or not; none where one of them is not. */
function onlyCommands(lines: readonly string[]): string[] {
  const full = lines.map((line) => line.trim()).filter((line) => line !== "");
  if (full.length < 2 || full.length > MAX_ONLY + 2) return [];
  const isBlock = FENCE.test(full[0] ?? "") && /^(?:`{3,}|~{3,})$/.test(full.at(-1) ?? "");
  const commands = (isBlock ? full.slice(1, -1) : full).map((line) => line.replace(LIST_ITEM, ""));
  const isEach = commands.every(
    (line) =>
      PROGRAMS.has(line.split(" ", 1)[0] ?? "") &&
      ![...PRINTED, SPEAKS].some((pattern) => pattern.test(line)),
  );
  return isEach ? commands : [];
}

/** A line of commands: behind a `cd` of the same block it runs in that folder. */
function keepCommand(text: string, state: Lines): void {
  const command = text.replace(/^\$ /, "");
  state.kept.push({ text: state.moved + command, bare: true, isItem: true });
  if (/^(?:cd|pushd|set-location)\s/i.test(command)) state.moved = `${state.moved}${command} && `.slice(-500);
}

function readLine(line: string, state: Lines): void {
  if (inFence(line, state)) return;
  const text = line.trim();
  if (text === "") {
    state.printed = false;
    if (state.isUsed) setLead("", state);
    state.kept.push({ text: "", bare: false, isItem: false });
    return;
  }
  if (QUOTED.test(line)) return announced(state);
  if (SPEAKER.test(line)) state.foreign = "rest";
  if (HEADING.test(line)) {
    if (state.foreign !== "rest") state.foreign = ASKING_HEADING.test(text) ? "none" : "section";
    setLead(ASKING_HEADING.test(text) ? "Tasks:" : text, state);
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
  setLead("", state);
}

function setLead(lead: string, state: Lines): void {
  state.lead = lead;
  state.moved = "";
  state.isUsed = false;
}

function keep(line: string, state: Lines): void {
  const text = line.trim();
  const isItem = LIST_ITEM.test(line);
  if (state.foreign !== "none") {
    // The announced text came at once, and it was no block that ends.
    state.lead = "";
    return;
  }
  const before = lastSentence(state.lead);
  const isLed = before !== "" && leads(before);
  const isIndented = /^(?: {4}|\t)/.test(line) && !isItem;
  if (isIndented && !runs(before)) return;
  if (isItem && before !== "" && !isLed) return;
  if (isLed && runs(before) && !state.isReport) {
    keepCommand(text.replace(LIST_ITEM, ""), state);
    state.isUsed = !isItem;
    return;
  }
  state.kept.push({ text: text.replace(LIST_ITEM, ""), bare: false, isItem });
  if (isItem) return;
  setLead(text, state);
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
      setLead("", state);
    } else if (fence.runs && line.trim() !== "") keepCommand(line.trim(), state);
    return true;
  }
  const inline = mark === undefined ? line.indexOf("```") : -1;
  if (mark === undefined && inline === -1) return false;
  if (inline !== -1 && line.indexOf("```", inline + 3) !== -1) return true;
  const lead = lastSentence(state.lead);
  const isRun = state.foreign === "none" && !state.isReport && runs(lead);
  announced(state);
  state.fence = { mark: mark ?? "```", runs: isRun };
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
