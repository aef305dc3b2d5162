import type { Connection } from "../../src/protocol/connection.ts";
import type { DashboardHost, DashboardPage, DashboardView } from "../../src/protocol/dashboard.ts";
import type { Store } from "../replay/store.ts";
import { failedOf } from "../shared/failed.ts";
import type { Memory } from "../shared/host.ts";
import type { XAxis } from "./axis.ts";
import { pointNear } from "./figures.ts";
import { type DashboardState, keptState, runsToShow, shownRuns, slotsFor, wholeRange } from "./model.ts";
import { createRunPoints } from "./points.ts";
import { panned, type Range, within, zoomed } from "./zoom.ts";

export type DashboardConnection = Connection<DashboardHost, DashboardView>;

/** All that a person can make the view do. */
export interface DashboardController {
  open(): Promise<void>;
  toggleRun(id: string): void;
  setAxis(axis: XAxis): void;
  setSmooth(isSmooth: boolean): void;
  /** Shows this stretch of the x axis; undefined: all of it. */
  show(range: Range | undefined): void;
  /** `factor` under 1 zooms in, around `at` or the middle. */
  zoom(factor: number, at?: number): void;
  /** Moves by a share of the width in sight. */
  pan(share: number): void;
  setCursor(x: number | undefined): void;
  /** Moves the cursor to the next point of the first shown run, or the one before. */
  stepCursor(by: 1 | -1): void;
  setKeys(isOpen: boolean): void;
  saveCsv(): void;
  submit(): void;
  runExperiment(): void;
  openLog(): void;
  openHelp(): void;
}

/** Zoom and cursor, which need the runs that are shown. */
function axisActions(store: Store<DashboardState>) {
  const all = (): Range | undefined => wholeRange(shownRuns(store.get()), store.get().axis);
  const change = (next: (whole: Range, now: Range | undefined) => Range | undefined): void => {
    const whole = all();
    if (whole !== undefined) store.update({ zoom: next(whole, store.get().zoom) });
  };
  return {
    show: (range: Range | undefined) => change((whole) => range && within(whole, range)),
    zoom: (factor: number, at?: number) => change((whole, now) => zoomed(whole, now, factor, at)),
    pan: (share: number) => change((whole, now) => panned(whole, now, share)),
    setCursor: (cursor: number | undefined) => {
      if (cursor !== store.get().cursor) store.update({ cursor });
    },
    stepCursor(by: 1 | -1): void {
      const { axis, cursor, zoom } = store.get();
      const line = shownRuns(store.get())[0]?.points?.curves(axis).raw.loss;
      if (line === undefined || line.xs.length === 0) return;
      const { from, to } = zoom ?? { from: -Infinity, to: Infinity };
      const now = cursor === undefined ? undefined : pointNear(line, cursor);
      const seen = [...line.xs.keys()].filter((i) => (line.xs[i] ?? 0) >= from && (line.xs[i] ?? 0) <= to);
      const next = now === undefined ? seen.at(by === 1 ? 0 : -1) : now + by;
      const x = next === undefined ? undefined : line.xs[next];
      if (x !== undefined && x >= from && x <= to) store.update({ cursor: x });
    },
  };
}

type OrFail = (work: Promise<unknown>) => Promise<void>;

/** The runs that are followed, and the events about them. */
function runActions(
  connection: DashboardConnection,
  store: Store<DashboardState>,
  memory: Memory,
  orFail: OrFail,
) {
  const keep = (): void => {
    const { slots, axis, isSmooth, zoom } = store.get();
    memory.write({ shown: [...slots.keys()], axis, isSmooth, zoom });
  };
  /** Follows these runs; the points of others are let go. */
  async function follow(ids: readonly string[]): Promise<void> {
    const before = store.get();
    const isKept = ([id]: readonly [string, unknown]): boolean => ids.includes(id);
    store.update({
      slots: slotsFor(ids, before.slots),
      points: new Map([...before.points].filter(isKept)),
      troubles: new Map([...before.troubles].filter(isKept)),
    });
    keep();
    await connection.request("show", { runs: ids });
  }
  async function take(page: DashboardPage, before: readonly string[] | undefined): Promise<void> {
    const shown = [...store.get().slots.keys()];
    const ids = runsToShow(page, before);
    store.update({ page });
    const isSame = shown.length === ids.length && ids.every((id) => shown.includes(id));
    if (!isSame) await follow(ids);
  }
  connection.on("runs", (page) => {
    const { slots, page: before } = store.get();
    // The first training of the workspace is shown by itself.
    const isFirst = before?.runs.length === 0 && slots.size === 0;
    void orFail(take(page, isFirst ? undefined : [...slots.keys()]));
  });
  connection.on("points", (chunk) => {
    const { points, version, slots } = store.get();
    if (!slots.has(chunk.run)) return;
    const of = points.get(chunk.run) ?? createRunPoints();
    of.put(chunk);
    store.update({ points: new Map([...points, [chunk.run, of]]), version: version + 1 });
  });
  connection.on("troubles", ({ run, messages }) => {
    store.update({ troubles: new Map([...store.get().troubles, [run, messages]]) });
  });
  return {
    keep,
    follow,
    begin: async (): Promise<void> => {
      const known = keptState(memory.read());
      const page = await connection.request("open", {});
      const { axis, isSmooth, zoom } = known ?? store.get();
      store.update({ axis, isSmooth, zoom, failed: undefined, slots: new Map() });
      await take(page, known?.shown);
    },
  };
}

export function createDashboardController(
  connection: DashboardConnection,
  store: Store<DashboardState>,
  memory: Memory,
): DashboardController {
  const orFail: OrFail = async (work) => {
    try {
      await work;
    } catch (error) {
      store.update({ failed: failedOf(error) });
    }
  };
  const { keep, follow, begin } = runActions(connection, store, memory, orFail);
  const axes = axisActions(store);
  const kept =
    <A extends readonly unknown[]>(act: (...args: A) => void) =>
    (...args: A): void => {
      act(...args);
      keep();
    };
  const ask = (method: "saveCsv" | "submit" | "runExperiment" | "openLog") => (): void =>
    void orFail(connection.request(method, {}));
  return {
    ...axes,
    show: kept(axes.show),
    zoom: kept(axes.zoom),
    pan: kept(axes.pan),
    open: () => orFail(begin()),
    toggleRun(id) {
      const { slots } = store.get();
      const ids = slots.has(id) ? [...slots.keys()].filter((one) => one !== id) : [...slots.keys(), id];
      void orFail(follow(ids));
    },
    setAxis: kept((axis) => {
      if (axis !== store.get().axis) store.update({ axis, zoom: undefined, cursor: undefined });
    }),
    setSmooth: kept((isSmooth) => store.update({ isSmooth })),
    setKeys: (keysOpen) => store.update({ keysOpen }),
    saveCsv: ask("saveCsv"),
    submit: ask("submit"),
    runExperiment: ask("runExperiment"),
    openLog: ask("openLog"),
    openHelp: () => void orFail(connection.request("openHelp", { page: "dashboard" })),
  };
}
