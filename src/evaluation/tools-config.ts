import { describe } from "../skill/fields.ts";
import type { Report } from "../skill/report.ts";
import { didYouMean } from "../skill/suggest.ts";
import type { YamlEntry, YamlMap } from "../skill/yaml-tree.ts";
import { RETRIEVER_KINDS, type RetrieverKind } from "../domains/passages/retriever-kinds.ts";
import { keysOf } from "./config-keys.ts";
import { groupAt, refuseKey, scalarAt } from "./control-config.ts";
import type { Place } from "./control-layer.ts";

/** What `hasp.yaml` says of SEARCH and READ; what it leaves out, the command line's defaults decide. */
export interface ToolsConfig {
  readonly retriever: RetrieverKind | undefined;
  /** Relative to `hasp.yaml`, with `/`. */
  readonly corpus: string | undefined;
  readonly topK: number | undefined;
  /** By key. */
  readonly places: ReadonlyMap<string, Place>;
}

export const NO_TOOLS: ToolsConfig = {
  retriever: undefined,
  corpus: undefined,
  topK: undefined,
  places: new Map(),
};

const GROUP = "tools";
/** How people call an address or what opens it. */
const ADDRESS = /url|endpoint|address|host|server|origin|key|token|secret|password/i;

/** Paths from a file stay inside its folder (DESIGN.md, "Untrusted"). */
export function leavesFolder(path: string): boolean {
  return /^([/\\]|[A-Za-z]:)/.test(path) || path.split(/[/\\]/).includes("..");
}

const textOf = ({ value }: YamlEntry): string | undefined =>
  value.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;

function readRetriever(entry: YamlEntry, report: Report): RetrieverKind | undefined {
  const text = textOf(entry);
  const kind = RETRIEVER_KINDS.find((one) => one === text);
  if (kind !== undefined) return kind;
  const { range } = entry.value;
  if (text !== undefined && /^https?:/i.test(text)) refuseAddress(entry.value.range, report);
  else if (text === undefined)
    report.error(
      "HASP412",
      range,
      `${entry.key} must be a word, not ${describe(entry.value)}.`,
      didYouMean("", RETRIEVER_KINDS),
    );
  else
    report.error(
      "HASP419",
      range,
      `No retriever is called ${JSON.stringify(text.slice(0, 60))}.`,
      didYouMean(text, RETRIEVER_KINDS),
    );
  return undefined;
}

function refuseAddress(range: YamlEntry["keyRange"], report: Report): void {
  report.error(
    "HASP418",
    range,
    "hasp.yaml holds no address and no key: a workspace cannot send your questions anywhere by itself.",
    "Pass the address on the command line with `--retriever-url`; a key comes from the environment.",
  );
}

function readCorpus(entry: YamlEntry, report: Report): string | undefined {
  const text = textOf(entry);
  if (text !== undefined && text.trim() !== "" && !leavesFolder(text)) return text.replaceAll("\\", "/");
  const what = text === undefined ? describe(entry.value) : JSON.stringify(text.slice(0, 80));
  report.error(
    text === undefined ? "HASP412" : "HASP414",
    entry.value.range,
    text === undefined
      ? `${entry.key} must be a path, not ${what}.`
      : `The corpus ${what} is not inside the workspace.`,
    "Name a file below hasp.yaml, or pass any other with `--corpus`.",
  );
  return undefined;
}

/** Reads the group `tools`. */
export function readTools(root: YamlMap, report: Report): ToolsConfig {
  const entries = groupAt(root, GROUP, report)?.entries;
  if (entries === undefined) return NO_TOOLS;
  const keys = keysOf(GROUP);
  const places = new Map<string, Place>();
  for (const entry of entries.values()) {
    if (keys.some(({ name }) => name === entry.key))
      places.set(entry.key, { file: report.file, range: entry.keyRange });
    else if (ADDRESS.test(entry.key)) refuseAddress(entry.keyRange, report);
    else refuseKey(entry, GROUP, report);
  }
  const read = <T>(name: string, as: (entry: YamlEntry) => T): T | undefined => {
    const entry = entries.get(name);
    return entry === undefined ? undefined : as(entry);
  };
  const topKShape = keys.find(({ name }) => name === "top_k")?.shape;
  const topK = read("top_k", (entry) =>
    topKShape?.kind === "number" ? scalarAt(entry, topKShape, report) : undefined,
  );
  return {
    retriever: read("retriever", (entry) => readRetriever(entry, report)),
    corpus: read("corpus", (entry) => readCorpus(entry, report)),
    topK: typeof topK === "number" ? topK : undefined,
    places,
  };
}
