import { parseJson } from "../model/read-json.ts";
import type { FoundSource } from "./find-sources.ts";
import { asRecord, asText } from "./formats/records.ts";
import { isIoError } from "./import-findings.ts";
import type { TraceFiles } from "./ports.ts";
import { firstLine } from "./thread-files.ts";

/** Claude Code keeps each sub-agent in a file that is named so. */
const AGENT = /^(.*[/\\])?agent-[^/\\]*\.jsonl$/s;

interface Agent {
  readonly source: FoundSource;
  /** Of the source in the list. */
  readonly place: number;
}

/**
 * The sources with the sub-agents of each folder in the order in which they began: one that called another tells the step of the call, so
 * it is read first. Rejects on abort.
 */
export async function callersFirst(
  files: TraceFiles,
  sources: readonly FoundSource[],
  signal: AbortSignal | undefined,
): Promise<readonly FoundSource[]> {
  const all = sources.map((source, place): Agent => ({ source, place }));
  const agents = all.filter(({ source }) => AGENT.test(source.file));
  const ordered = [...sources];
  for (const siblings of Map.groupBy(agents, ({ source }) => AGENT.exec(source.file)?.[1]).values()) {
    if (siblings.length < 2) continue;
    const times = new Map<FoundSource, number>();
    for (const { source } of siblings) {
      signal?.throwIfAborted();
      times.set(source, await beginningOf(files, source));
    }
    const begun = siblings.toSorted((a, b) => (times.get(a.source) ?? 0) - (times.get(b.source) ?? 0));
    begun.forEach(({ source }, i) => (ordered[siblings[i]?.place ?? 0] = source));
  }
  return ordered;
}

/** The time of its first line; 0 where that tells none. */
async function beginningOf(files: TraceFiles, source: FoundSource): Promise<number> {
  const line = await firstLine(files, source).catch((error: unknown) => {
    // The import itself tells of it.
    if (!isIoError(error)) throw error;
    return undefined;
  });
  const time = Date.parse(asText(asRecord(parseJson(line ?? ""))["timestamp"]) ?? "");
  return Number.isNaN(time) ? 0 : time;
}
