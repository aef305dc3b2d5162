import path from "node:path";
import { answerHook } from "../agents/hook/handle.ts";
import type { HookHost } from "../agents/hook/event.ts";
import { explainCall, type ExplainedCall } from "../agents/hook/explain-call.ts";
import { eventsFor, imaginedAction } from "../agents/hook/imagined-call.ts";
import { memoryStore } from "../agents/hook/memory-store.ts";
import { linesUntil } from "../agents/hook/session-until.ts";
import type { HookPlace } from "../agents/hook/visit.ts";
import { formatAction } from "../model/action.ts";
import type { Episode } from "../model/episode.ts";
import { nodeFiles } from "../platform/files.ts";
import { openHookPlace } from "../platform/hook-place.ts";
import { sessionsIn } from "../platform/hook-sessions.ts";
import { readShipped } from "../platform/hook-shipped.ts";
import { sessionFolders } from "../platform/session-folders.ts";
import { currentFolder } from "../platform/surroundings.ts";
import { workspaceOf } from "../platform/hook-workspace.ts";
import { foldLive } from "../trace/live-fold.ts";
import { printDecision } from "./commands/explain.ts";
import { besideCli } from "./beside.ts";
import { defineCommand } from "./define-command.ts";
import { hostOption } from "./hook-install.ts";
import { preparedWorkspace } from "./hook-prepare.ts";
import { flag, text, withDefault, type OptionsOf } from "./options.ts";
import { findEpisode, openRunAt, stepIndex } from "./runs.ts";
import { CliError, EXIT, type Terminal } from "./terminal.ts";

const OPTIONS = {
  host: withDefault(hostOption(), "claude-code"),
  session: text("--session <id>", "as the next call of a recorded session"),
  step: text("--step <n>", "as that step of the session, counted from 1"),
  all: flag("--all", "also the PFs that do not fire, and why"),
};

/** A session under way, or one that has ended; in the workspace, or with the user where the workspace could not hold it. */
async function sessionEpisode(root: string, id: string): Promise<Episode> {
  const files = nodeFiles();
  const folders = sessionFolders(root);
  for (const place of folders) {
    const live = foldLive(await sessionsIn(place, () => []).lines(id), id).value;
    if (live !== undefined) return live;
  }
  const [inWorkspace, withUser] = folders;
  const { folder } = (await files.exists(inWorkspace.folder)) ? inWorkspace : withUser;
  return findEpisode(await openRunAt(folder, files), id, files);
}

/** What had happened before the call: nothing, or a session up to a step. */
async function begunWith(
  root: string,
  { session, step }: OptionsOf<typeof OPTIONS>,
): Promise<readonly string[]> {
  if (session === undefined) {
    if (step !== undefined) throw new CliError("A step of which session?", "Name it with --session.");
    return [];
  }
  const episode = await sessionEpisode(root, session);
  const t = step === undefined ? episode.steps.length : stepIndex(step, episode.steps.length);
  return linesUntil(episode, t).map((line) => JSON.stringify(line));
}

/** The answer to a host, and the lines of the session with the event. */
async function ask(place: HookPlace, begin: readonly string[], host: HookHost, event: object) {
  const store = memoryStore(begin);
  const began = performance.now();
  const ports = {
    place: async () => ({ ...place, store }),
    now: () => Date.now(),
    elapsed: () => performance.now() - began,
  };
  const request = { host, text: JSON.stringify(event), budgetMs: 60_000 };
  const { output, trouble } = await answerHook(request, ports);
  if (trouble !== undefined) throw new CliError(`The call cannot be judged: ${trouble}`);
  return { output, lines: store.recorded() };
}

function printWhy(terminal: Terminal, { pfs }: ExplainedCall, all: boolean): void {
  const shown = pfs.filter(
    ({ event, explanation }) => all || event.status !== "skipped" || explanation?.activated === true,
  );
  for (const pf of shown) printDecision(terminal, pf);
  const silent = pfs.length - shown.length;
  if (silent > 0) terminal.line(`${silent} of ${pfs.length} PFs do not fire (--all says why).`);
}

/** The workspace with all that acts in it now. */
async function placeOf(root: string): Promise<HookPlace> {
  const dist = path.dirname(besideCli("hook-library.json"));
  const { part } = await preparedWorkspace(root, __filename);
  const parts = { dist, workerFile: __filename, endsAt: () => Number.POSITIVE_INFINITY };
  return openHookPlace(root, readShipped(dist), part, parts);
}

/** `hasp hook explain`: nothing is recorded, and nothing runs. */
export const explainHookCommand = defineCommand({
  name: "explain",
  about: "Which PFs would fire on a tool call, why, and what each host would be answered. Nothing runs.",
  takes: [["<call>", "an event of a host as JSON, a call as JSON, or a shell command"]],
  options: OPTIONS,
  examples: ["hasp hook explain 'git push --force origin main'"],
  async run({ options, terminal, session }, call: string) {
    const root = workspaceOf(currentFolder());
    const action = imaginedAction(call, options.host, root);
    if (action === undefined)
      throw new CliError(
        "That is no tool call.",
        'Give an event of a host, {"tool":"Bash","input":{…}}, or a shell command.',
      );
    const begin = await begunWith(root, options);
    const place = await placeOf(root);
    const answers = new Map<HookHost, Awaited<ReturnType<typeof ask>>>();
    for (const [host, event] of eventsFor(action, root))
      answers.set(host, await ask(place, begin, host, event));
    const [first] = answers.values();
    if (first === undefined) throw new CliError(`No host has a tool ${action.type}.`);
    const found = await explainCall(place, first.lines, session.compiler);
    if (found === undefined) throw new CliError("No PF was asked about this.");
    terminal.line(`as step ${found.t + 1}: ${formatAction(action)}`);
    printWhy(terminal, found, options.all === true);
    for (const [host, { output }] of answers)
      terminal.line(`${host} is answered ${JSON.stringify(output) ?? "nothing"}`);
    terminal.result({
      action,
      step: found.t + 1,
      pfs: found.pfs,
      answers: Object.fromEntries([...answers].map(([host, { output }]) => [host, output ?? null])),
    });
    return EXIT.fine;
  },
});
