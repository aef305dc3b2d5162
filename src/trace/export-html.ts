import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import type { Episode, EpisodeHead, Run } from "../model/episode.ts";
import type { FailurePattern, FoundPattern } from "../model/failure-pattern.ts";
import type { Note } from "../model/note.ts";
import type { ShownSignals } from "../model/signals.ts";
import { packContexts } from "../protocol/context-changes.ts";
import {
  episodeElement,
  MESSAGES_ELEMENT,
  RUN_ELEMENT,
  type PageEpisode,
  type PageMessages,
  type PageRun,
} from "../protocol/exported-page.ts";
import type { JudgedEpisode } from "../protocol/judged-pool.ts";
import { judgedPool, type JudgedPool } from "../protocol/judged-pool.ts";
import { packSignals } from "../protocol/packed-signals.ts";
import type { LibrarySnapshot, OpenedRun } from "../protocol/replay.ts";
import { contextsOf, type ContextRules } from "./context-at.ts";
import { escapeUnseen } from "./safe-json.ts";

/** The built view: what every exported page carries. */
export interface PageBundle {
  readonly script: string;
  readonly style: string;
  /** The script that draws formulas; only pages of episodes that have some carry it. */
  readonly formulas: string;
  /** The script that colours Python; the same of pages of episodes whose answers are programs. */
  readonly python: string;
  /** The icon font (TrueType) in base64; without it, words stand alone. */
  readonly font?: string;
}

/** An episode, and what a library of today makes of it where somebody asked. */
export interface EpisodeToExport {
  readonly episode: Episode;
  readonly judged?: JudgedEpisode;
  readonly patterns?: readonly FoundPattern[];
  readonly signals?: ShownSignals;
}

export interface HtmlExport {
  readonly bundle: PageBundle;
  /** As a person calls the run. */
  readonly title: string;
  readonly run?: Run | undefined;
  readonly episodes: readonly EpisodeToExport[];
  /** How to rebuild the step contexts of an episode. */
  readonly rulesOf: (episode: Episode) => ContextRules;
  /** Names of the registered domains. */
  readonly domains: readonly string[];
  /** Registered domains whose texts contain LaTeX formulas. */
  readonly formulaDomains: readonly string[];
  /** Registered domains whose answers are Python programs. */
  readonly programDomains: readonly string[];
  /** Failure patterns that episodes of the run's domain can show; absent: any. */
  readonly patterns?: readonly FailurePattern[] | undefined;
  /** The skills that judged; without any, the page shows what was recorded. */
  readonly skills?: OpenedRun["skills"];
  /** What the page calls the library that judged. */
  readonly snapshot?: LibrarySnapshot | undefined;
  readonly notes?: readonly Note[];
  /** The prompts of the episodes' policies. */
  readonly messages?: PageMessages;
  /** SHA-256 of the UTF-8 form, in base64: the page allows its own script and style by it, and nothing else. */
  readonly sha256: (text: string) => string;
}

/** Characters of episodes in one page, about 200 MB: browsers open more only after a wait that looks like a hang. */
export const MAX_PAGE_CHARS = 200 * 1024 * 1024;

/** A list shows a line of it; the episode has the whole. */
const HEAD_QUESTION_CHARS = 200;

const NOT_JUDGED =
  "This page holds what was recorded. Open the run in HASP Studio to ask the Program Functions of your library.";

/** Characters that are escaped at a time, so that a text of nothing but `<` is refused before it has grown. */
const PIECE_CHARS = 1024 * 1024;

/**
 * JSON without anything risky, in pieces; lone surrogates stay what they are, as escapes of JSON. Undefined where it
 * takes more than `room` characters.
 */
function safeJson(value: unknown, room: number): string | undefined {
  const json = JSON.stringify(value);
  const pieces: string[] = [];
  let left = room;
  for (let at = 0; at < json.length; at += PIECE_CHARS) {
    const raw = json.slice(at, at + PIECE_CHARS);
    // No `<` can end the element early.
    const piece = escapeUnseen(raw.replaceAll("<", "\\u003c"));
    left -= piece.length;
    if (left < 0) return undefined;
    pieces.push(piece);
  }
  return pieces.join("");
}

const ENTITIES: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;" };

/** Text between tags; what nobody can see becomes U+FFFD. */
function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, "\ufffd")
    .replaceAll(/[<>&"]/g, (character) => ENTITIES[character] ?? character);
}

/** A classic script, in which `<!--`, `<script` and `</script` would change how the page is read. */
function inlineScript(script: string): string {
  return script.replaceAll(/<(?=!--|\/?script)/gi, "\\x3c").replaceAll("\r\n", "\n");
}

function styleOf({ style, font }: PageBundle): string {
  if (/<\/style/i.test(style)) throw new Error("The style of an exported page must not end its element.");
  const face =
    font === undefined
      ? ""
      : `@font-face{font-family:codicon;font-display:block;src:url("data:font/ttf;base64,${font}") format("truetype")}`;
  return `${face}${style.replaceAll("\r\n", "\n")}`;
}

/** Our scripts and style by their hashes, the font inside the page, and nothing else; no address can be asked. */
function policyOf(scripts: readonly string[], style: string, sha256: HtmlExport["sha256"]): string {
  return [
    "default-src 'none'",
    `script-src ${scripts.map((script) => `'sha256-${sha256(script)}'`).join(" ")}`,
    `style-src 'sha256-${sha256(style)}'`,
    "style-src-attr 'unsafe-inline'",
    "font-src data:",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function headOf({ id, questionId, sample, outcome, length, question }: Episode): EpisodeHead {
  return { id, questionId, sample, outcome, length, question: question.slice(0, HEAD_QUESTION_CHARS) };
}

function pageRun(
  { title, run, episodes, domains, patterns, skills = [], snapshot, notes = [], ...more }: HtmlExport,
  pool: JudgedPool,
): PageRun {
  const shown = new Set(episodes.map(({ episode }) => episode.id));
  const looked = episodes.some((one) => one.patterns !== undefined);
  return {
    opened: {
      run,
      title,
      episodes: episodes.map(({ episode }) => headOf(episode)),
      diagnostics: [],
      skills,
      domains,
      ...(patterns !== undefined && { patterns }),
      formulaDomains: more.formulaDomains,
      programDomains: more.programDomains,
      libraryNotice: skills.length === 0 ? NOT_JUDGED : undefined,
      ...(snapshot !== undefined && { snapshot }),
    },
    notes: notes.filter(({ episodeId }) => shown.has(episodeId)),
    ...(looked ? { patterns: episodes.map((one) => one.patterns ?? []) } : {}),
    ...(pool.entries.length > 0 ? { pool: pool.entries } : {}),
  };
}

function pageEpisode(
  { episode, signals }: EpisodeToExport,
  judged: PageEpisode["judged"],
  rules: ContextRules,
): PageEpisode {
  return {
    episode,
    contexts: packContexts(episode, contextsOf(episode, rules)),
    ...(judged === undefined ? {} : { judged }),
    ...(signals === undefined ? {} : { signals: packSignals(signals) }),
  };
}

/** What is wrong with episodes of more than `MAX_PAGE_CHARS`. */
export const TOO_LARGE: Diagnostic = {
  code: "HASP570",
  severity: "error",
  message: `The episodes take more than ${MAX_PAGE_CHARS / 1024 / 1024} MB, and a page that a browser opens without a long wait does not.`,
  next: "Name one episode with --episode, or split the run.",
  range: START_OF_FILE,
};

/** As elements that no browser executes: the run, then each episode. */
function dataElements(parts: HtmlExport): Checked<readonly string[]> {
  const elements: string[] = [];
  let room = MAX_PAGE_CHARS;
  const add = (id: string, value: unknown): boolean => {
    const json = safeJson(value, room);
    if (json === undefined) return false;
    room -= json.length;
    elements.push(`<script type="application/json" id="${id}">${json}</script>`);
    return true;
  };
  const pool = judgedPool();
  const pooled = parts.episodes.map(({ judged }) => judged && pool.put(judged));
  const fits =
    add(RUN_ELEMENT, pageRun(parts, pool)) &&
    parts.episodes.every((entry, index) =>
      add(episodeElement(index), pageEpisode(entry, pooled[index], parts.rulesOf(entry.episode))),
    );
  const { messages } = parts;
  // The episodes are worth more than a page without them: what was read gives way, and the page says so.
  if (fits && messages !== undefined && !add(MESSAGES_ELEMENT, messages)) add(MESSAGES_ELEMENT, "left out");
  return fits ? { value: elements, diagnostics: [] } : { value: undefined, diagnostics: [TOO_LARGE] };
}

/** The scripts of the page in the order in which they run. */
function scriptsOf({ bundle, episodes, formulaDomains, programDomains }: HtmlExport): readonly string[] {
  const hasAny = (domains: readonly string[]): boolean =>
    episodes.some(({ episode }) => domains.includes(episode.facts.domain));
  const formulas = hasAny(formulaDomains) ? [bundle.formulas] : [];
  const python = hasAny(programDomains) ? [bundle.python] : [];
  return [...formulas, ...python, bundle.script].map(inlineScript);
}

function htmlPage(parts: HtmlExport, elements: readonly string[]): string {
  const { bundle, title, sha256 } = parts;
  const scripts = scriptsOf(parts);
  const style = styleOf(bundle);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(scripts, style, sha256)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="HASP Studio">
<title>${escapeText(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<noscript>This page draws its episodes with a script of its own. Allow JavaScript for this file to read them.</noscript>
<hasp-replay></hasp-replay>
${elements.join("\n")}
${scripts.map((script) => `<script>${script}</script>`).join("\n")}
</body>
</html>
`;
}

/**
 * One HTML page that replays the episodes from disk, without any other file and without the network. Nothing in an
 * episode can become markup or code: it is data of JSON, and the page's policy names the only script by its hash.
 * Episodes are kept whole. HASP570 where they are more than `MAX_PAGE_CHARS`.
 */
export function exportHtml(parts: HtmlExport): Checked<string> {
  const { value, diagnostics } = dataElements(parts);
  return { value: value === undefined ? undefined : htmlPage(parts, value), diagnostics };
}
