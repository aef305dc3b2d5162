/** What became of one kind of thing in a file. */
export interface LedgerEntry {
  /** As the format names it, e.g. `messages[].tool_calls`. */
  readonly what: string;
  /** Where it went, or why it was dropped. */
  readonly to: string;
  readonly times: number;
}

/** What a person is told about an imported file, in the order in which it was met. */
export interface ImportLedger {
  /** Went to a field of the episode. */
  readonly mapped: readonly LedgerEntry[];
  /** Is kept as it was, in `extra`. */
  readonly kept: readonly LedgerEntry[];
  /** Is not in the episode. */
  readonly dropped: readonly LedgerEntry[];
}

export interface Ledger {
  mapped(what: string, to: string, times?: number): void;
  kept(what: string, to?: string, times?: number): void;
  dropped(what: string, why: string, times?: number): void;
  list(): ImportLedger;
}

/** Different things that are listed of each column: a file may have a million keys of its own. */
const MAX_ENTRIES = 100;

/** An empty ledger. Things of the same name and fate are counted together. */
export function openLedger(): Ledger {
  const columns = { mapped: new Map<string, LedgerEntry>(), kept: new Map(), dropped: new Map() };
  const add = (column: Map<string, LedgerEntry>, what: string, to: string, times: number): void => {
    if (times === 0) return;
    const full = column.size >= MAX_ENTRIES && !column.has(`${what}\n${to}`);
    const [name, place] = full ? ["(more)", "not listed"] : [what, to];
    const key = `${name}\n${place}`;
    column.set(key, { what: name, to: place, times: (column.get(key)?.times ?? 0) + times });
  };
  return {
    mapped: (what, to, times = 1) => add(columns.mapped, what, to, times),
    kept: (what, to = "extra", times = 1) => add(columns.kept, what, to, times),
    dropped: (what, why, times = 1) => add(columns.dropped, what, why, times),
    list: () => ({
      mapped: [...columns.mapped.values()],
      kept: [...columns.kept.values()],
      dropped: [...columns.dropped.values()],
    }),
  };
}
