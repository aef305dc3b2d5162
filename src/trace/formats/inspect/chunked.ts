import { asList, asName, asRecord, isRecord, type JsonRecord } from "../records.ts";

/** Characters of one sample in parts that are held: as much as one entry may unpack to. */
const MOST_HELD = 256 * 1024 * 1024;

/** Messages that a sample may name of its pool, where the pool has fewer: ranges may name the same ones again and again. */
const MOST_NAMED = 200_000;

/** The number of a sample's last item, at most: a list is as long as the numbers in its entries' names say. */
const LAST_ITEM = 2_000_000;

const SEQUENCES = ["messages", "events", "calls", "attachments"] as const;
type Sequence = (typeof SEQUENCES)[number];
const PART =
  /^samples\/(.+_epoch_\d+)\/(?:(sample|metadata)|(messages|events|calls|attachments)\/(\d{1,9}))\.json$/;
/** Parts that only help to find others. */
const BESIDE = /^samples\/.+_epoch_\d+\/(?:skeleton|events\/(?:stats|uuids))\.json$/;

/** A part of a sample that an archive holds in several entries. */
export interface SamplePart {
  /** Of the sample, in the archive. */
  readonly sample: string;
  readonly kind: "sample" | "metadata" | Sequence;
  /** Number of its first item. */
  readonly from: number;
}

/** Which part of which sample an entry is; `beside`: one that is not needed; undefined: no part. */
export function partOf(name: string): SamplePart | "beside" | undefined {
  if (BESIDE.test(name)) return "beside";
  const [, sample, one, sequence, from] = PART.exec(name) ?? [];
  const kind = (one ?? sequence) as SamplePart["kind"] | undefined;
  return sample === undefined || kind === undefined ? undefined : { sample, kind, from: Number(from ?? 0) };
}

/** A sample whose parts come one by one. */
export interface PartedSample {
  readonly name: string;
  /** `size`: characters of its text. */
  add(part: SamplePart, value: unknown, size: number): void;
  /** The sample as if it stood in one entry; undefined where its first part is missing, or all together are too large. */
  whole(): JsonRecord | undefined;
}

export function partedSample(name: string): PartedSample {
  const lists = Object.fromEntries(SEQUENCES.map((key) => [key, []])) as unknown as Record<
    Sequence,
    unknown[]
  >;
  let shell: JsonRecord | undefined;
  let metadata: unknown;
  let held = 0;
  return {
    name,
    add({ kind, from }, value, size) {
      held += size;
      if (held > MOST_HELD) return;
      if (kind === "sample") shell = isRecord(value) ? value : undefined;
      else if (kind === "metadata") metadata = value;
      else {
        const items = asList(value);
        if (from + items.length > LAST_ITEM) held = Number.POSITIVE_INFINITY;
        else items.forEach((item, at) => (lists[kind][from + at] = item));
      }
    },
    whole() {
      if (shell === undefined || held > MOST_HELD) return undefined;
      const { messages, events, calls, attachments } = lists;
      const named = inRanges(messages, shell["message_refs"]);
      if (named === undefined) return undefined;
      return {
        ...shell,
        ...(metadata === undefined ? {} : { metadata: asRecord(metadata) }),
        messages: named,
        events: events.filter((event) => event !== undefined),
        events_data: { messages, calls },
        attachments,
      };
    },
  };
}

/** Items that ranges `[from, to)` name, in their order; undefined where they are too many. */
function inRanges(items: readonly unknown[], ranges: unknown): readonly unknown[] | undefined {
  const most = Math.max(items.length, MOST_NAMED);
  const named: unknown[] = [];
  for (const range of asList(ranges)) {
    const [from, to] = asList(range).map((one) => Number(asName(one)));
    for (const item of items.slice(from ?? 0, to ?? 0)) named.push(item);
    if (named.length > most) return undefined;
  }
  return named;
}
