import type { JobFiles } from "../../jobs/job-folder.ts";
import { columnsOf, curveCsv, trainingCurve, type TrainingCurve } from "../../jobs/training-curve.ts";
import { hasEnded } from "../../model/job.ts";
import type { Connection } from "../../protocol/connection.ts";
import type { DashboardHost, DashboardPage, DashboardView } from "../../protocol/dashboard.ts";
import { coalesce } from "../coalesce.ts";
import type { Training, TrainingRuns } from "./training-runs.ts";

/** Points in one message: some 600 kB. */
const CHUNK = 10_000;

export interface FeedPorts {
  readonly runs: TrainingRuns;
  readonly files: JobFiles;
  readonly send: Connection<DashboardView, DashboardHost>["send"];
  /** Milliseconds between two lists of the trainings while files grow. */
  readonly listEveryMs: number;
  /** Milliseconds between two looks at the files of runs that have not ended. */
  readonly lookEveryMs: number;
  /** A training or its files could not be read. */
  readonly onFailed: (error: unknown) => void;
}

/** Sends a view the trainings and the points of those that it follows, as they grow. */
export interface Feed {
  /** Begins anew, as a view does that was just loaded. `first`: the run to show besides others. */
  open(first: string | undefined): Promise<DashboardPage>;
  /** The trainings now. */
  page(first: string | undefined): Promise<DashboardPage>;
  /** Settles once the points of these runs are sent. */
  show(runs: readonly string[]): Promise<void>;
  /** The points of the followed runs. */
  csv(): string;
  /** The followed runs, with the number of points that the view has. */
  followed(): readonly FollowedRun[];
  dispose(): void;
}

export interface FollowedRun {
  readonly id: string;
  readonly points: number;
}

/** A run that the view follows. */
interface Followed {
  readonly curve: TrainingCurve;
  title: string;
  /** The view has none of its points yet. */
  isNew: boolean;
  troubles: string;
}

const plainRun = ({ id, title, status, words }: Training): DashboardPage["runs"][number] => ({
  id,
  title,
  status,
  words,
});

/** Whether a folder is that of a run or below it, as the job of an iteration is below its experiment. */
const isIn = (folder: string, run: string): boolean => folder === run || folder.startsWith(`${run}/`);

/** Reads the runs that are followed, and sends what is new in them. */
function followedRuns({ files, send, onFailed }: Pick<FeedPorts, "files" | "send" | "onFailed">) {
  const followed = new Map<string, Followed>();
  /** Kept while the panel is open: a run that is shown again is not read anew. */
  const curves = new Map<string, TrainingCurve>();

  function sendPoints(run: string, curve: TrainingCurve, from: number): void {
    const points = curve.points();
    // A run without points has an empty chunk: the view knows that it was read.
    for (let at = from; at === from || at < points.length; at += CHUNK)
      send("points", { run, from: at, columns: columnsOf(points.slice(at, at + CHUNK)) });
  }

  async function grow(run: Training, one: Followed): Promise<void> {
    const from = await one.curve.grow(run.files);
    one.title = run.title;
    if (one.isNew) sendPoints(run.id, one.curve, 0);
    else if (from !== undefined) sendPoints(run.id, one.curve, from);
    one.isNew = false;
    const messages = one.curve.troubles(hasEnded(run.status) || run.status === "lost");
    const text = messages.join("\n");
    if (text !== one.troubles) send("troubles", { run: run.id, messages });
    one.troubles = text;
  }

  function follow(run: string): void {
    const curve = curves.get(run) ?? trainingCurve(files);
    curves.set(run, curve);
    followed.set(run, { curve, title: run, isNew: true, troubles: "" });
  }

  return {
    clear: () => followed.clear(),
    has: (run: string) => followed.has(run),
    /** Follows exactly these. */
    set(wanted: readonly string[]): void {
      for (const run of followed.keys()) if (!wanted.includes(run)) followed.delete(run);
      for (const run of wanted) if (!followed.has(run)) follow(run);
    },
    async grow(list: readonly Training[], isStale: () => boolean): Promise<void> {
      for (const run of list) {
        const one = followed.get(run.id);
        if (one === undefined) continue;
        if (isStale()) return;
        await grow(run, one).catch(onFailed);
      }
    },
    csv: () =>
      curveCsv([...followed.values()].map(({ title, curve }) => ({ title, points: curve.points() }))),
    counts: () =>
      [...followed].map(([id, { curve, isNew }]) => ({ id, points: isNew ? 0 : curve.points().length })),
  };
}

export function startFeed(ports: FeedPorts): Feed {
  const { runs, send, listEveryMs, lookEveryMs, onFailed } = ports;
  const followed = followedRuns(ports);
  let sentRuns = "";
  let latest: readonly Training[] = [];
  let listedAt = -Infinity;
  /** The trainings have changed since they were listed. */
  let isListOld = false;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  async function listAnew(): Promise<readonly Training[]> {
    isListOld = false;
    latest = await runs.list();
    listedAt = performance.now();
    return latest;
  }

  async function sendList(isStale: () => boolean): Promise<void> {
    const page = { runs: (await listAnew()).map(plainRun), first: null };
    const text = JSON.stringify(page);
    if (text !== sentRuns) send("runs", page);
    sentRuns = text;
    await followed.grow(latest, isStale);
  }

  /** Milliseconds until the next refresh is due by itself. */
  function restMs(): number | undefined {
    if (isListOld) return listedAt + listEveryMs - performance.now();
    // Of a file outside the workspace, or on a network drive, no event tells that it has grown.
    const isGrowing = latest.some(({ id, status }) => followed.has(id) && !hasEnded(status));
    return isGrowing ? lookEveryMs : undefined;
  }

  /** Points come first: a list reads the reports of all trainings. */
  const refresh = coalesce(async (isStale) => {
    await followed.grow(latest, isStale);
    if (isOver) return;
    if (isListOld && performance.now() >= listedAt + listEveryMs) await sendList(isStale);
    const rest = restMs();
    clearTimeout(timer);
    if (rest !== undefined && !isOver) timer = setTimeout(look, rest);
  });
  const look = (): void => void refresh().catch(onFailed);
  const changed = (): void => {
    isListOld = true;
    look();
  };
  const watched = runs.onDidChange(changed);

  async function page(first: string | undefined): Promise<DashboardPage> {
    const list = (await listAnew()).map(plainRun);
    sentRuns = JSON.stringify({ runs: list, first: null });
    return { runs: list, first: list.find(({ id }) => first !== undefined && isIn(first, id))?.id ?? null };
  }

  return {
    page,
    async open(first) {
      followed.clear();
      return page(first);
    },
    async show(wanted) {
      followed.set(wanted);
      await refresh();
    },
    csv: followed.csv,
    followed: followed.counts,
    dispose() {
      isOver = true;
      clearTimeout(timer);
      watched.dispose();
    },
  };
}
