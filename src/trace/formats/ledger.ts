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
  /** Is not in the episode, and nobody knows what it is: the format has it since, or another program wrote it. */
  readonly unknown: readonly LedgerEntry[];
}

/** A number of the file that no episode can hold. */
export interface WrongNumber {
  readonly field: string;
  readonly given: unknown;
  /** The number that the episode holds in its place; undefined if it is left out. */
  readonly became: number | undefined;
}

export interface Ledger {
  mapped(what: string, to: string, times?: number): void;
  kept(what: string, to?: string, times?: number): void;
  dropped(what: string, why: string, times?: number): void;
  /** Something of a kind that the reader has never heard of. What is known and not needed is `dropped`. */
  unknown(what: string, times?: number): void;
  /** Notes a token count, time or price that is too large, negative, a fraction or no number at all. */
  wrongNumber(field: string, given: unknown, became: number | undefined): void;
  /** The wrong numbers noted since the last call. */
  takeWrongNumbers(): readonly WrongNumber[];
  list(): ImportLedger;
}

/** Different things that are listed of each column: a file may have a million keys of its own. */
const MAX_ENTRIES = 100;
/** Characters of a name that are kept: a stranger's key may be of megabytes. */
const MAX_NAME = 200;
/** Wrong numbers that are noted of one line. */
const MAX_WRONG_NUMBERS = 100;

interface Column {
  add(what: string, to: string, times: number): void;
  list(): readonly LedgerEntry[];
}

interface CountedEntry extends LedgerEntry {
  times: number;
}

/** A reader adds to it several times a line, so each entry is counted in place. */
function openColumn(): Column {
  const entries: CountedEntry[] = [];
  const others: CountedEntry = { what: "(more)", to: "not listed", times: 0 };
  const byName = new Map<string, Map<string, CountedEntry>>();
  const entryOf = (what: string, to: string): CountedEntry => {
    const ofName = byName.get(what) ?? new Map<string, CountedEntry>();
    const known = ofName.get(to);
    if (known !== undefined) return known;
    if (entries.length >= MAX_ENTRIES) return others;
    const entry = { what, to, times: 0 };
    entries.push(entry);
    byName.set(what, ofName.set(to, entry));
    return entry;
  };
  return {
    add(what, to, times) {
      if (times !== 0) entryOf(what.slice(0, MAX_NAME), to).times += times;
    },
    list: () => [...entries, others].filter(({ times }) => times > 0).map((entry) => ({ ...entry })),
  };
}

/** An empty ledger. Things of the same name and fate are counted together. */
export function openLedger(): Ledger {
  let wrong: WrongNumber[] = [];
  const columns = { mapped: openColumn(), kept: openColumn(), dropped: openColumn(), unknown: openColumn() };
  return {
    mapped: (what, to, times = 1) => columns.mapped.add(what, to, times),
    kept: (what, to = "extra", times = 1) => columns.kept.add(what, to, times),
    dropped: (what, why, times = 1) => columns.dropped.add(what, why, times),
    unknown: (what, times = 1) => columns.unknown.add(what, "not read", times),
    wrongNumber(field, given, became) {
      if (wrong.length < MAX_WRONG_NUMBERS) wrong.push({ field, given, became });
    },
    takeWrongNumbers() {
      const taken = wrong;
      wrong = [];
      return taken;
    },
    list: () => ({
      mapped: columns.mapped.list(),
      kept: columns.kept.list(),
      dropped: columns.dropped.list(),
      unknown: columns.unknown.list(),
    }),
  };
}
