import * as vscode from "vscode";
import type { SkillBacktest } from "../../app/backtest.ts";
import { serialQueue } from "../../model/serial-queue.ts";
import { debounce } from "../debounce.ts";
import { type FoundRun, namedRuns } from "../runs/find-runs.ts";
import type { Services } from "../services.ts";
import { track } from "../pending-work.ts";

/** `no runs`: there is nothing to count on; `template`: the PF fires nowhere, because a text of it is still the template's. */
export type Counted = SkillBacktest | "no runs" | "template";

/** How often a PF fires on the runs of this workspace, counted while nobody waits. */
export interface Fires extends vscode.Disposable {
  /** Never waits: the latest count that is known, also of an older text; undefined until there is one. */
  of(folder: vscode.Uri): Counted | undefined;
  readonly onDidChange: vscode.Event<void>;
}

/** Episodes that are counted on without being asked to; on more, a person says when. */
const MOST_EPISODES = 2_000;
/** After the last keystroke: the checks of what is typed come first. */
const QUIET_MS = 1_500;

const keyOf = (runs: readonly FoundRun[], sources: readonly unknown[]): string =>
  JSON.stringify([
    sources,
    runs.map(({ file, index }) => [file.path, index.entries.length, index.entries.at(-1)?.head.id]),
  ]);

/** Counts the PFs that are open in an editor, one after the other, each text once. */
export function countFires({
  editorServices,
  findings,
  judging,
}: Pick<Services, "editorServices" | "findings" | "judging">): Fires {
  const { log, library, runs } = editorServices;
  const { latest, recorded } = findings;
  const changed = new vscode.EventEmitter<void>();
  const known = new Map<string, { readonly key: string; readonly found: Counted }>();
  const wanted = new Set<string>();
  const stop = new AbortController();
  const inTurn = serialQueue();

  function keep(path: string, key: string, found: Counted): void {
    const before = known.get(path)?.found;
    known.set(path, { key, found });
    if (JSON.stringify(before) !== JSON.stringify(found)) changed.fire();
  }

  async function count(path: string): Promise<void> {
    if (!vscode.workspace.isTrusted || stop.signal.aborted) return;
    const skill = (await library.list()).find(({ uri }) => uri.path === path);
    if (skill?.pf === undefined) return;
    const chosen = (await runs.list()).filter(({ index }) => index.entries.length > 0);
    const total = chosen.reduce((sum, { index }) => sum + index.entries.length, 0);
    if (total === 0 || total > MOST_EPISODES) return keep(path, "", "no runs");
    const [folder] = await library.read([skill]);
    if (folder === undefined) return;
    if (folder.isTemplate === true) return keep(path, "", "template");
    const key = keyOf(chosen, [folder.pfSource, folder.skill]);
    if (known.get(path)?.key === key) return;
    const order = { skills: [folder], runs: namedRuns(chosen), split: undefined, signal: stop.signal };
    const { backtestSkills } = await import("../../app/backtest.ts");
    const { value: report } = await backtestSkills(order, judging, () => undefined);
    const own = report?.skills[0];
    // A PF that does not load keeps its last count: its own squiggles say why. A count that was cut short is none.
    if (report === undefined || own === undefined || stop.signal.aborted) return;
    // All of them may be of another domain.
    const isAsked = Object.values(own.counts).some(({ retrieved }) => retrieved > 0);
    keep(path, key, isAsked ? own : "no runs");
    recorded.counted(folder.folder, { skills: [folder], report });
  }

  function countWanted(): void {
    for (const path of wanted) {
      // A PF that does not load keeps what was known of it: its own squiggles say why.
      const counting = inTurn(() => count(path));
      void track(counting.catch((error: unknown) => log.debug(`Counting fires: ${String(error)}`)));
    }
  }

  const quiet = debounce(QUIET_MS, countWanted);
  const held = vscode.Disposable.from(
    changed,
    quiet,
    library.onDidChange(quiet.poke),
    runs.onDidChange(quiet.poke),
    latest.onDidChange(() => changed.fire()),
    vscode.workspace.onDidGrantWorkspaceTrust(quiet.poke),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => wanted.delete(vscode.Uri.joinPath(uri, "..").path)),
  );
  return {
    of(folder) {
      if (!wanted.has(folder.path)) {
        wanted.add(folder.path);
        quiet.poke();
      }
      return known.get(folder.path)?.found;
    },
    onDidChange: changed.event,
    dispose() {
      stop.abort();
      held.dispose();
    },
  };
}
