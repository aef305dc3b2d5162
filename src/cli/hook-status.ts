import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { HOOK_HOSTS, type HookHost } from "../agents/hook/event.ts";
import { IDLE_MS } from "../agents/hook/handle.ts";
import type { HookProgram } from "../agents/hook/install/command-line.ts";
import { readConfigText, type ConfigText } from "../agents/hook/install/config-text.ts";
import { failureWarning } from "../agents/hook/install/failure-setting.ts";
import { foreignHooks } from "../agents/hook/install/foreign-hooks.ts";
import { hookCall } from "../agents/hook/install/hook-call.ts";
import {
  INSTALL_SCOPES,
  type HostConfig,
  type InstallScope,
  type OnFailure,
} from "../agents/hook/install/host-config.ts";
import { HOST_CONFIGS } from "../agents/hook/install/host-configs.ts";
import { ourHooks } from "../agents/hook/install/our-hooks.ts";
import { shadowsOf } from "../agents/hook/install/shadows.ts";
import { beforeCall, TEST_COMMAND, testEvent } from "../agents/hook/install/test-event.ts";
import { FileError } from "../platform/file-error.ts";
import { configFile, isOwnProgram, startProblem } from "../platform/hook-install.ts";
import { probeHook, type ProbeAnswer } from "../platform/hook-probe.ts";
import { sessionFolders } from "../platform/session-folders.ts";
import { currentFolder } from "../platform/surroundings.ts";
import { workspaceOf } from "../platform/hook-workspace.ts";
import { readableText, readTextSync, removeEmptySync, removeTreeSync } from "../platform/sync-files.ts";
import { writePath } from "../platform/write-path.ts";
import { idInName, runPaths } from "../trace/run-paths.ts";
import { defineCommand } from "./define-command.ts";
import { HOOK_FILE, hostOption } from "./hook-install.ts";
import { preparedWorkspace } from "./hook-prepare.ts";
import { faultLines, trustLines, trustState } from "./hook-trust.ts";
import { comparedCalls, printCalls } from "./hook-calls.ts";
import { failed } from "../app/refusal.ts";
import { besideCli } from "./beside.ts";
import { counted } from "../model/counted.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import { printableLine } from "../model/printable.ts";
import { EXIT, type Terminal } from "./terminal.ts";

/** One configuration file that a host reads. */
interface PlaceStatus {
  readonly host: HookHost;
  readonly scope: InstallScope;
  readonly file: string;
  /** `not-ours`: no hook of ours, but one that claims to be. */
  readonly state: "absent" | "broken" | "not-ours" | "partial" | "installed";
  /** What is wrong, or what is missing. */
  readonly problems: readonly string[];
  /** Hooks that claim to be ours and are not. They are never started. */
  readonly notOurs: readonly Diagnostic[];
  /** The setting `on_failure` and the hooks differ. */
  readonly failure?: Diagnostic;
  readonly test?: ProbeAnswer & { readonly works: boolean };
}

/** Milliseconds for a test event. */
const PATIENCE_MS = 30_000;

function isAnswer({ exitCode, stdout }: ProbeAnswer): boolean {
  try {
    const value: unknown = JSON.parse(stdout);
    return exitCode === 0 && typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** False where the run leads elsewhere by a link: then the test left nothing there. */
function mayWrite(run: string): boolean {
  try {
    writePath(runPaths(run).live);
    return true;
  } catch {
    return false;
  }
}

/** Removes the files of a test from a folder of sessions; the whole run if there was none before. */
function forget(run: string, session: string, hadRun: boolean): void {
  if (!fs.existsSync(run) || !mayWrite(run)) return;
  const { live } = runPaths(run);
  for (const ending of ["jsonl", "state.json", "lock", "left"])
    removeTreeSync(path.join(live, `${session}.${ending}`));
  if (hadRun) return;
  removeTreeSync(run);
  for (const folder of [path.dirname(run), path.dirname(path.dirname(run))]) removeEmptySync(folder);
}

/** Asks our own hook as the host would. Which text of the configuration made it ours has no part in that. */
async function tested(host: HookHost, root: string) {
  const session = `hasp-test-${randomUUID().slice(0, 8)}`;
  const before = sessionFolders(root).map(({ folder }) => ({ run: folder, hadRun: fs.existsSync(folder) }));
  try {
    const answer = await probeHook({
      hook: besideCli(HOOK_FILE),
      host,
      name: beforeCall(host),
      event: JSON.stringify(testEvent(host, session, root)),
      timeoutMs: PATIENCE_MS,
    });
    return { ...answer, works: isAnswer(answer) };
  } finally {
    for (const { run, hadRun } of before) forget(run, session, hadRun);
  }
}

/** The text of a configuration file as it is read; what a stranger has put there in its place is a problem of it. */
function readPlace(file: string): Checked<ConfigText> | undefined {
  try {
    const text = readTextSync(file);
    return text === undefined ? undefined : readConfigText(text, file);
  } catch (error) {
    if (error instanceof FileError) return failed("HASP580", error.message, "Look at the file.", file);
    throw error;
  }
}

/** The programs of our hooks of this installation, by event. */
function ownPrograms(config: HostConfig, read: ConfigText): ReadonlyMap<string, readonly HookProgram[]> {
  const found = new Map<string, readonly HookProgram[]>();
  for (const [event, handlers] of ourHooks(config, read)) {
    const programs = handlers.flatMap((handler) => hookCall(handler)?.program ?? []).filter(isHere);
    if (programs.length > 0) found.set(event, programs);
  }
  return found;
}

const isHere = (program: HookProgram): boolean => isOwnProgram(program, besideCli(HOOK_FILE));

async function placeStatus(
  host: HookHost,
  scope: InstallScope,
  root: string,
  onFailure: OnFailure,
): Promise<PlaceStatus | undefined> {
  const file = configFile(host, scope, root);
  if (file === undefined) return undefined;
  const place = { host, scope, file, problems: [], notOurs: [] };
  const read = readPlace(file);
  if (read === undefined) return { ...place, state: "absent" };
  const { value, diagnostics } = read;
  if (value === undefined)
    return {
      ...place,
      state: "broken",
      problems: diagnostics.map(({ message, range }) => `line ${range.start.line + 1}: ${message}`),
    };
  const config = HOST_CONFIGS[host];
  const notOurs = foreignHooks(config, value, file, isHere);
  const programs = ownPrograms(config, value);
  if (programs.size === 0) return { ...place, notOurs, state: notOurs.length === 0 ? "absent" : "not-ours" };
  const missing = config.events.filter((event) => !programs.has(event));
  const unstarted = new Set([...programs.values()].flat().flatMap((program) => startProblem(program) ?? []));
  const asked = programs.has(beforeCall(host)) && unstarted.size === 0;
  const failure = failureWarning(config, scope, value, file, onFailure);
  return {
    ...place,
    notOurs,
    ...(failure !== undefined && { failure }),
    state: missing.length === 0 ? "installed" : "partial",
    problems: [
      ...(missing.length === 0 ? [] : [`not asked at ${missing.join(", ")}: install again`]),
      ...unstarted,
    ],
    ...(asked && { test: await tested(host, root) }),
  };
}

const ANSWER_SHOWN = 300;

function printTest(terminal: Terminal, { test }: PlaceStatus): void {
  if (test === undefined) return;
  const { works, ms, exitCode, stdout, stderr } = test;
  const said = printableLine(stdout.trim()).slice(0, ANSWER_SHOWN);
  terminal.line(
    `    asked about \`${TEST_COMMAND}\` (nothing runs it): ${works ? said : "no answer"} in ${ms} ms`,
  );
  if (!works)
    terminal.line(
      `    exit code ${exitCode ?? "none"}; ${printableLine(stderr.trim() || said || "no word").slice(0, ANSWER_SHOWN)}`,
    );
}

function wordOf({ state, test }: PlaceStatus): string {
  if (state === "not-ours") return "not ours";
  return state === "installed" && test?.works !== true ? "installed, does not answer" : state;
}

function printPlace(terminal: Terminal, place: PlaceStatus): void {
  const { host, scope, file, problems, notOurs, failure } = place;
  terminal.line(`${HOST_CONFIGS[host].title} (${scope}): ${wordOf(place)}  ${file}`);
  for (const problem of problems) terminal.line(`    ${printableLine(problem)}`);
  printTest(terminal, place);
  terminal.diagnostics(failure === undefined ? notOurs : [...notOurs, failure]);
}

interface Sessions {
  readonly folder: string;
  /** Those under way, the latest first. */
  readonly live: readonly string[];
  /** Of those, the ones that have not been heard of for a day: the next session that begins ends them. */
  readonly idle: number;
  readonly ended: number;
}

const ENDING = ".jsonl";

function sessionsAt(folder: string): Sessions {
  const { live, episodes } = runPaths(folder);
  const names = fs.existsSync(live) ? fs.readdirSync(live).filter((name) => name.endsWith(ENDING)) : [];
  const changed = (name: string): number =>
    fs.statSync(path.join(live, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sorted = names
    .toSorted((a, b) => changed(b) - changed(a))
    .map((name) => idInName(name.slice(0, -ENDING.length)) ?? name);
  const idle = names.filter((name) => Date.now() - changed(name) > IDLE_MS).length;
  const ended = (readableText(episodes) ?? "").split("\n").filter((line) => line !== "").length;
  return { folder, live: sorted, idle, ended };
}

/** The sessions in the workspace, and those that it could not hold. */
function sessionsOf(root: string): readonly Sessions[] {
  const found = sessionFolders(root).map(({ folder }) => sessionsAt(folder));
  return found.filter(({ live, ended }, i) => i === 0 || live.length + ended > 0);
}

function printSessions(terminal: Terminal, { folder, live, idle, ended }: Sessions): void {
  terminal.line(
    `sessions: ${counted(live.length, "open session")} (${idle} idle for over a day), ${ended} ended, in ${folder}`,
  );
  for (const id of live.slice(0, SESSIONS_SHOWN)) terminal.line(`    ${id}`);
}

const SESSIONS_SHOWN = 5;

function texts(root: string): Map<string, string> {
  const files = HOOK_HOSTS.flatMap((host) =>
    INSTALL_SCOPES.flatMap((scope) => configFile(host, scope, root) ?? []),
  );
  return new Map(
    files.flatMap((file) => {
      const text = readableText(file);
      return text === undefined ? [] : [[file, text] as const];
    }),
  );
}

/** `hasp hook status`. */
export const statusCommand = defineCommand({
  name: "status",
  about:
    "Prove the wiring: ask HASP as each installed hook does, and name hooks that only claim to be HASP's.",
  options: { host: hostOption() },
  examples: ["hasp hook status"],
  async run({ options, terminal, session }) {
    const root = workspaceOf(currentFolder());
    const hosts = options.host === undefined ? HOOK_HOSTS : [options.host];
    const trust = await trustState(root, session.compiler);
    // First, for skills that are trusted are compiled here: the times below are those of an agent's calls then.
    const { part } = await preparedWorkspace(root, __filename);
    const onFailure = (trust.trusted ? trust.settings : undefined)?.onFailure ?? "open";
    const places: PlaceStatus[] = [];
    for (const host of hosts)
      for (const scope of INSTALL_SCOPES) {
        const place = await placeStatus(host, scope, root, onFailure);
        if (place !== undefined) places.push(place);
      }
    const there = places.filter(({ state }) => state !== "absent");
    const ours = there.filter(({ state }) => state !== "not-ours");
    const shadows = shadowsOf(ours, texts(root)).filter((one) => hosts.includes(one.host));
    const sessions = sessionsOf(root);
    for (const place of there) printPlace(terminal, place);
    for (const host of hosts)
      if (!ours.some((place) => place.host === host))
        terminal.line(`${HOST_CONFIGS[host].title}: not installed  → hasp hook install --host ${host}`);
    for (const { says } of shadows) terminal.line(`! ${says}`);
    for (const line of trustLines(trust)) terminal.line(line);
    if (trust.hash !== undefined && !trust.trusted) terminal.line("→ hasp hook trust");
    for (const line of faultLines(part)) terminal.line(line);
    for (const one of sessions) printSessions(terminal, one);
    const calls = await comparedCalls(root, hosts);
    printCalls(terminal, calls);
    terminal.result({ root, places, shadows, trust, leftOut: part?.leftOut ?? [], sessions, calls });
    const works = there.every(
      ({ state, test, notOurs }) => state === "installed" && test?.works === true && notOurs.length === 0,
    );
    return works && calls.sessions.every(({ findings }) => findings.length === 0) ? EXIT.fine : EXIT.findings;
  },
});
