import * as vscode from "vscode";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { nameOf } from "../workspace/skill-folders.ts";
import { codeOf, SOURCE, toVsDiagnostic } from "./convert.ts";
import { type TheirProblem, withoutPfDoubles, withoutSkillDoubles } from "./doubles.ts";
import { hold } from "../pending-work.ts";

export interface ProblemCounts {
  readonly errors: number;
  readonly warnings: number;
}

/**
 * The producer of a diagnostic: the check of the file, the check of the whole library, or a backtest on recorded episodes. Each diagnostic
 * has exactly one, and each replaces only its own, so a change of one skill removes its diagnostics in other skills.
 */
export type Finder = "check" | "library" | "record";

/** Diagnostics by the URI of their file, as a string. */
export type Findings = ReadonlyMap<string, readonly Diagnostic[]>;

/** Shows our diagnostics, each problem once, and counts them. */
export interface Publisher extends vscode.Disposable {
  /** Replaces what one finder (`check` where none is named) says about a file; undefined takes it back. */
  set(uri: vscode.Uri, diagnostics: readonly Diagnostic[] | undefined, by?: Finder): void;
  /** Replaces what one finder says about all files of an owner, such as a folder. */
  setAll(owner: string, findings: Findings, by?: Finder): void;
  /** All diagnostics of a file, whether or not VS Code shows the same. */
  found(uri: vscode.Uri): readonly Diagnostic[];
  /** Rules of ours that VS Code's own errors cover at the moment. */
  heldBack(uri: vscode.Uri): readonly Diagnostic[];
  /** Problems in all files. Counts what was found, whoever shows it. */
  counts(): ProblemCounts;
  /** The same by the path of the folder that a file stands in; a folder of which nothing is known is not there. */
  countsByFolder(): ReadonlyMap<string, ProblemCounts>;
  /** A file was looked at for the first time, or has more or fewer problems. */
  readonly onDidChange: vscode.Event<void>;
}

interface Waiting {
  readonly timer: NodeJS.Timeout;
  readonly release: () => void;
}

interface Known {
  readonly uri: vscode.Uri;
  readonly said: Map<Finder, readonly Diagnostic[]>;
  /** All that was said. */
  found: readonly Diagnostic[];
  shown: readonly Diagnostic[];
  /** Type errors wait for VS Code's own TypeScript, which is slower than our checker, so that none blinks up twice. */
  waiting: Waiting | undefined;
}

const TYPESCRIPT_SOURCE = "ts";
const TYPESCRIPT_EXTENSION = "vscode.typescript-language-features";
/** Its answer to an edit comes 200–800 ms after it, by its own debounce; a busy machine takes a little longer. */
const TYPESCRIPT_ANSWERS_IN_MS = 1_500;

function isTypeError(diagnostic: Diagnostic): boolean {
  return diagnostic.code.startsWith("TS");
}

/** VS Code's own TypeScript looks at a file only while it is open. */
function isWatchedByTypeScript(uri: vscode.Uri): boolean {
  if (vscode.extensions.getExtension(TYPESCRIPT_EXTENSION) === undefined) return false;
  return vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
}

function isTypeScriptError({ source, severity }: vscode.Diagnostic): boolean {
  return source === TYPESCRIPT_SOURCE && severity === vscode.DiagnosticSeverity.Error;
}

/** VS Code's own check of skills. Its fading of unknown keys is a hint, which the list of problems leaves out. */
function isSkillProblem({ source, severity }: vscode.Diagnostic): boolean {
  return source !== SOURCE && severity <= vscode.DiagnosticSeverity.Warning;
}

function theirs(uri: vscode.Uri, isTheirs: (diagnostic: vscode.Diagnostic) => boolean): TheirProblem[] {
  const found = vscode.languages.getDiagnostics(uri).filter(isTheirs);
  return found.map((d) => ({ code: codeOf(d), range: d.range }));
}

/** Diagnostics of ours that VS Code does not show itself at the moment. */
function shownOnce(uri: vscode.Uri, found: readonly Diagnostic[]): readonly Diagnostic[] {
  if (nameOf(uri) === "pf.ts") return withoutPfDoubles(found, theirs(uri, isTypeScriptError));
  if (nameOf(uri) === "SKILL.md") return withoutSkillDoubles(found, theirs(uri, isSkillProblem));
  return found;
}

function sameList(a: readonly Diagnostic[], b: readonly Diagnostic[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

type Found = Pick<Known, "found">;

function count(entries: Iterable<Found>): ProblemCounts {
  const all = [...entries].flatMap((entry) => entry.found);
  return {
    errors: all.filter((d) => d.severity === "error").length,
    warnings: all.filter((d) => d.severity === "warning").length,
  };
}

function sameCounts(a: Found, b: Found): boolean {
  const [before, after] = [count([a]), count([b])];
  return before.errors === after.errors && before.warnings === after.warnings;
}

/** Diagnostics of one file that may be visible now: while TypeScript's answer is due, no type errors but those shown before. */
function visible(entry: Known): readonly Diagnostic[] {
  const once = shownOnce(entry.uri, entry.found);
  if (entry.waiting === undefined) return once;
  return once.filter(
    (d) => !isTypeError(d) || entry.shown.some((s) => s.code === d.code && s.message === d.message),
  );
}

function stopWaiting(entry: Known): void {
  clearTimeout(entry.waiting?.timer);
  entry.waiting?.release();
  entry.waiting = undefined;
}

/** Calls `show` once TypeScript has had time to answer; never where it reports no type errors of the file. */
function waitForTypeScript(entry: Known, show: (entry: Known) => void): void {
  stopWaiting(entry);
  if (!entry.found.some(isTypeError) || !isWatchedByTypeScript(entry.uri)) return;
  const showAll = (): void => {
    stopWaiting(entry);
    show(entry);
  };
  entry.waiting = { timer: setTimeout(showAll, TYPESCRIPT_ANSWERS_IN_MS), release: hold() };
}

function countByFolder(entries: Iterable<Known>): ReadonlyMap<string, ProblemCounts> {
  const folders = Map.groupBy(entries, ({ uri }) => uri.path.slice(0, uri.path.lastIndexOf("/")));
  return new Map([...folders].map(([folder, found]) => [folder, count(found)]));
}

export function createPublisher(): Publisher {
  const collection = vscode.languages.createDiagnosticCollection("hasp");
  const changed = new vscode.EventEmitter<void>();
  const known = new Map<string, Known>();
  /** Files of each owner, so that those that are gone lose their diagnostics. */
  const owned = new Map<string, readonly string[]>();

  function show(entry: Known): void {
    entry.shown = visible(entry);
    collection.set(entry.uri, entry.shown.map(toVsDiagnostic));
  }

  function set(uri: vscode.Uri, diagnostics: readonly Diagnostic[] | undefined, by: Finder = "check"): void {
    const key = uri.toString();
    const entry = known.get(key) ?? { uri, said: new Map(), found: [], shown: [], waiting: undefined };
    // Who looks at the counts reads hasp.yaml again, which says this once more: without an end, were it news.
    if (JSON.stringify(entry.said.get(by)) === JSON.stringify(diagnostics)) return;
    const { found } = entry;
    const isNew = entry.said.size === 0;
    if (diagnostics === undefined) entry.said.delete(by);
    else entry.said.set(by, diagnostics);
    entry.found = [...entry.said.values()].flat();
    if (by === "check") waitForTypeScript(entry, show);
    if (entry.said.size > 0) {
      known.set(key, entry);
      show(entry);
    } else {
      known.delete(key);
      collection.delete(uri);
    }
    if (isNew || diagnostics === undefined || !sameCounts({ found }, entry)) changed.fire();
  }

  // Our own `collection.set` comes back here too: it changes nothing of theirs, so the list stays the same and it ends.
  const following = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    for (const uri of uris) {
      const entry = known.get(uri.toString());
      if (entry === undefined) continue;
      if (!sameList(entry.shown, visible(entry))) show(entry);
    }
  });

  return {
    set,
    setAll(owner, findings, by = "check") {
      const key = `${by} ${owner}`;
      for (const file of owned.get(key) ?? [])
        if (!findings.has(file)) set(vscode.Uri.parse(file, true), undefined, by);
      owned.set(key, [...findings.keys()]);
      for (const [file, diagnostics] of findings) set(vscode.Uri.parse(file, true), diagnostics, by);
    },
    found: (uri) => known.get(uri.toString())?.found ?? [],
    heldBack(uri) {
      const found = known.get(uri.toString())?.found ?? [];
      const once = shownOnce(uri, found);
      return found.filter((d) => !isTypeError(d) && !once.includes(d));
    },
    counts: () => count(known.values()),
    countsByFolder: () => countByFolder(known.values()),
    onDidChange: changed.event,
    dispose() {
      for (const entry of known.values()) stopWaiting(entry);
      vscode.Disposable.from(collection, changed, following).dispose();
    },
  };
}
