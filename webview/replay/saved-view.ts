import { FAILURE_PATTERNS, type FailurePattern } from "../../src/model/failure-pattern.ts";
import { FACET_STATUSES } from "../../src/model/pf-facet.ts";
import type { Host } from "../shared/host.ts";
import { OUTCOME_FILTERS, PF_SOURCES, SORTS, type LabelFilter } from "./filter.ts";
import { INITIAL_STATE, REPLAY_MODES, type ReplayMode, type ReplayState } from "./state.ts";
import type { Store } from "./store.ts";

/** State that outlives a restart of the page: filter and order of the list, the mode, and the place. */
export interface SavedView {
  readonly filter: ReplayState["filter"];
  readonly mode: ReplayMode;
  readonly place: { readonly index: number; readonly t: number } | undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function oneOf<T>(choices: readonly T[], value: unknown, otherwise: T): T {
  return choices.find((choice) => choice === value) ?? otherwise;
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

function labelOf(value: unknown): LabelFilter {
  const text = textOf(value, "");
  if (text.startsWith("is:")) return `is:${text.slice("is:".length)}`;
  return oneOf<LabelFilter>(["all", "noted", "unnoted"], text, "all");
}

function readFilter(saved: Readonly<Record<string, unknown>>): SavedView["filter"] {
  const none = INITIAL_STATE.filter;
  const patterns = Object.keys(FAILURE_PATTERNS) as FailurePattern[];
  return {
    text: textOf(saved["text"], none.text),
    outcome: oneOf(OUTCOME_FILTERS, saved["outcome"], none.outcome),
    pattern: oneOf([...patterns, "all"], saved["pattern"], none.pattern),
    label: labelOf(saved["label"]),
    pf: textOf(saved["pf"], none.pf),
    status: oneOf([...FACET_STATUSES, "all"], saved["status"], none.status),
    pfSource: oneOf(PF_SOURCES, saved["pfSource"], none.pfSource),
    sort: oneOf(SORTS, saved["sort"], none.sort),
  };
}

function readPlace(saved: unknown): SavedView["place"] {
  if (!isRecord(saved)) return undefined;
  const { index, t } = saved;
  const isPosition = (n: unknown): n is number => typeof n === "number" && Number.isInteger(n) && n >= 0;
  return isPosition(index) && isPosition(t) ? { index, t } : undefined;
}

/** Whatever was kept, perhaps by another version: what cannot be used is left at its beginning. Undefined where nothing was. */
export function readSavedView(value: unknown): SavedView | undefined {
  if (!isRecord(value) || !isRecord(value["filter"])) return undefined;
  const mode = oneOf(REPLAY_MODES, value["mode"], INITIAL_STATE.mode);
  return { filter: readFilter(value["filter"]), mode, place: readPlace(value["place"]) };
}

/** Keeps the view in the page's memory at each change, and its filter and mode with the host, for an editor that is closed and reopened. */
export function keepView({ memory, connection }: Host, store: Store<ReplayState>): void {
  let kept = store.get();
  store.subscribe(() => {
    const now = store.get();
    const { filter, mode, index, t } = now;
    const isMoved = index !== kept.index || t !== kept.t;
    const isChosen = filter !== kept.filter || mode !== kept.mode;
    kept = now;
    if (!isMoved && !isChosen) return;
    memory.write(index === undefined ? { filter, mode } : { filter, mode, place: { index, t } });
    if (isChosen) connection.send("keep", { state: { filter, mode } });
  });
}
