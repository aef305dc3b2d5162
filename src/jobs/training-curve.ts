import type { TrainingMetrics } from "../model/job.ts";
import { POINT_COLUMNS, type PointColumn, type PointColumns } from "../protocol/dashboard.ts";
import { endsInHalfALine, metricsReader } from "./follow.ts";
import type { JobFiles } from "./job-folder.ts";
import { metricsTail, type MetricsTail, type TailedLine } from "./tail.ts";
import type { JobEvent } from "../model/job.ts";

/** A file of metrics that belongs to a training. */
export interface CurveFile {
  readonly path: string;
  /** Names the file in messages. */
  readonly name: string;
  /** The iteration of all its points; absent: the one that each line says. */
  readonly iteration?: number;
}

/** The points of a training whose files grow. */
export interface TrainingCurve {
  /** Reads what is new in the files, which are in the order of their iterations. The position of the first point that changed; undefined where none did. Calls must not overlap. */
  grow(files: readonly CurveFile[]): Promise<number | undefined>;
  /** In the order of the iterations, then of the steps. */
  points(): readonly TrainingMetrics[];
  /** `isOver`: nobody writes any more, so that half a line is as whole as it will be. */
  troubles(isOver: boolean): readonly string[];
}

function isBehind(a: TrainingMetrics, b: TrainingMetrics): boolean {
  return a.iteration === b.iteration ? a.step >= b.step : a.iteration > b.iteration;
}

/**
 * Adds a point in place; its position. A step that is not after the last one's means that the training resumed from a checkpoint: the
 * point replaces those from its step on.
 */
export function placePoint(points: TrainingMetrics[], point: TrainingMetrics): number {
  let at = points.length;
  for (let last = points[at - 1]; last !== undefined && isBehind(last, point); last = points[at - 1]) at--;
  points.splice(at, points.length, point);
  return at;
}

interface Trouble {
  readonly message: string;
  /** Points before it. */
  readonly at: number;
}

/** The points of one file. */
interface Part {
  readonly file: CurveFile;
  readonly tail: MetricsTail;
  readonly read: (line: TailedLine) => readonly JobEvent[];
  readonly points: TrainingMetrics[];
  troubles: readonly Trouble[];
}

function openPart(files: JobFiles, file: CurveFile): Part {
  return {
    file,
    tail: metricsTail(files, file.path),
    read: metricsReader(file.name),
    points: [],
    troubles: [],
  };
}

/** Takes over what a line says; the position of its point. */
function take(part: Part, line: TailedLine): number | undefined {
  const events = part.read(line);
  const messages = events.flatMap((event) => (event.kind === "trouble" ? [event.message] : []));
  const metrics = events.find((event) => event.kind === "metrics")?.metrics;
  const { iteration } = part.file;
  const point = metrics && (iteration === undefined ? metrics : { ...metrics, iteration });
  const at = point && placePoint(part.points, point);
  const position = at ?? part.points.length;
  // A point that was replaced takes its troubles with it.
  const kept = at === undefined ? part.troubles : part.troubles.filter((trouble) => trouble.at < at);
  part.troubles = [...kept, ...messages.map((message) => ({ message, at: position }))];
  return at;
}

async function growPart(part: Part): Promise<number | undefined> {
  let first: number | undefined;
  for await (const line of part.tail.lines()) {
    const at = take(part, line);
    if (at !== undefined) first = Math.min(first ?? at, at);
  }
  return first;
}

export function trainingCurve(files: JobFiles): TrainingCurve {
  const parts = new Map<string, Part>();
  let order: readonly Part[] = [];
  let all: readonly TrainingMetrics[] = [];
  return {
    async grow(wanted) {
      order = wanted.map((file) => {
        const part = parts.get(file.path) ?? openPart(files, file);
        parts.set(file.path, part);
        return part;
      });
      let first: number | undefined;
      let before = 0;
      for (const part of order) {
        const at = await growPart(part);
        if (at !== undefined) first ??= before + at;
        before += part.points.length;
      }
      if (first !== undefined) all = order.flatMap(({ points }) => points);
      return first;
    },
    points: () => all,
    troubles: (isOver) =>
      order.flatMap(({ troubles, tail, file }) => [
        ...troubles.map(({ message }) => message),
        ...(isOver && tail.endsInHalf() ? [endsInHalfALine(file.name)] : []),
      ]),
  };
}

/** Points as columns; NaN where the trainer had no number. */
export function columnsOf(points: readonly TrainingMetrics[]): PointColumns {
  const column = (name: PointColumn): Float64Array =>
    Float64Array.from(points, (point) => point[name] ?? Number.NaN);
  return Object.fromEntries(POINT_COLUMNS.map((name) => [name, column(name)])) as Record<
    PointColumn,
    Float64Array
  >;
}

/** A field as RFC 4180 has it. */
const csvField = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The points of runs as CSV, a row each; a field is empty where the trainer had no number. */
export function curveCsv(
  runs: readonly { readonly title: string; readonly points: readonly TrainingMetrics[] }[],
): string {
  const names = ["iteration", "step", "num_tokens", "loss", "mean_token_accuracy", "entropy"] as const;
  const columns = [...names, "grad_norm", "learning_rate", "epoch"] as const;
  const lines = [["run", ...columns].join(",")];
  for (const { title, points } of runs)
    for (const point of points)
      lines.push([csvField(title), ...columns.map((name) => String(point[name] ?? ""))].join(","));
  return `${lines.join("\n")}\n`;
}
