import type { ShownSignals } from "../../src/model/signals.ts";
import {
  episodeElement,
  MESSAGES_ELEMENT,
  RUN_ELEMENT,
  type PageEpisode,
  type PageMessages,
  type PageRun,
} from "../../src/protocol/exported-page.ts";
import type { JudgedEpisode } from "../../src/protocol/judged-pool.ts";
import { RequestError } from "../../src/protocol/connection.ts";
import { joinPrompts, type PromptMessage, type PromptPart } from "../../src/protocol/read-prompt.ts";
import { unpool } from "../../src/protocol/judged-pool.ts";
import { unpackSignals } from "../../src/protocol/packed-signals.ts";

/** An episode as the page holds it, with its judgement and signals as they were before they were packed. */
interface ReadEpisode extends Omit<PageEpisode, "judged" | "signals"> {
  readonly judged?: JudgedEpisode;
  readonly signals?: ShownSignals;
}

/** What stands in the page, read when it is asked for. */
export interface PageData {
  readonly run: PageRun;
  /** RequestError where the page holds no such episode. */
  episode(index: number): ReadEpisode;
  /** The prompt of an id. Undefined where the page does not hold it; RequestError where messages were left out of it. */
  prompt(id: string): readonly PromptMessage[] | undefined;
}

function readElement(page: Document, id: string): unknown {
  const text = page.getElementById(id)?.textContent ?? undefined;
  if (text === undefined)
    throw new RequestError("This page is cut off: a part of it is missing.", "Export the run again.");
  return JSON.parse(text);
}

function promptsOf(page: Document): PageData["prompt"] {
  const isThere = page.getElementById(MESSAGES_ELEMENT) !== null;
  const stored = isThere ? (readElement(page, MESSAGES_ELEMENT) as PageMessages) : [];
  if (stored === "left out")
    throw new RequestError(
      "This page leaves out what the policy read: with it the page would be too large.",
      OPEN_RUN,
    );
  const byId = new Map(stored.map((prompt) => [prompt.id, prompt]));
  return (id) => {
    const parts: PromptPart[] = [];
    for (let next: string | undefined = id; next !== undefined;) {
      const part = byId.get(next);
      // Each prompt comes after the one that it extends, so no chain is longer than all of them.
      if (part === undefined || parts.length > byId.size) return undefined;
      parts.push(part);
      next = part.from;
    }
    return joinPrompts(parts.toReversed());
  };
}

const OPEN_RUN = "Open the run in HASP Studio, or export the episode alone.";

/** The data that `exportHtml` wrote into this document. A person stays on an episode, so the last one read is kept. */
export function embeddedPage(page: Document): PageData {
  const run = readElement(page, RUN_ELEMENT) as PageRun;
  let latest: { index: number; read: ReadEpisode } | undefined;
  function read(index: number): ReadEpisode {
    const { judged, signals, ...rest } = readElement(page, episodeElement(index)) as PageEpisode;
    return {
      ...rest,
      ...(judged !== undefined && { judged: unpool(judged, run.pool ?? []) }),
      ...(signals !== undefined && { signals: unpackSignals(signals, rest.episode) }),
    };
  }
  let prompts: PageData["prompt"] | undefined;
  return {
    run,
    prompt: (id) => (prompts ??= promptsOf(page))(id),
    episode(index) {
      if (latest?.index !== index) latest = { index, read: read(index) };
      return latest.read;
    },
  };
}
