import {
  episodeElement,
  RUN_ELEMENT,
  type PageEpisode,
  type PageRun,
} from "../../src/protocol/exported-page.ts";
import type { JudgedEpisode } from "../../src/protocol/judged-pool.ts";
import { RequestError } from "../../src/protocol/connection.ts";
import { unpool } from "../../src/protocol/judged-pool.ts";

/** An episode as the page holds it, with its judgement as it was before it was packed. */
interface ReadEpisode extends Omit<PageEpisode, "judged"> {
  readonly judged?: JudgedEpisode;
}

/** What stands in the page, read when it is asked for. */
export interface PageData {
  readonly run: PageRun;
  /** RequestError where the page holds no such episode. */
  episode(index: number): ReadEpisode;
}

function readElement(page: Document, id: string): unknown {
  const text = page.getElementById(id)?.textContent ?? undefined;
  if (text === undefined)
    throw new RequestError("This page is cut off: a part of it is missing.", "Export the run again.");
  return JSON.parse(text);
}

/** The data that `exportHtml` wrote into this document. A person stays on an episode, so the last one read is kept. */
export function embeddedPage(page: Document): PageData {
  const run = readElement(page, RUN_ELEMENT) as PageRun;
  let latest: { index: number; read: ReadEpisode } | undefined;
  function read(index: number): ReadEpisode {
    const { judged, ...rest } = readElement(page, episodeElement(index)) as PageEpisode;
    return judged === undefined ? rest : { ...rest, judged: unpool(judged, run.pool ?? []) };
  }
  return {
    run,
    episode(index) {
      if (latest?.index !== index) latest = { index, read: read(index) };
      return latest.read;
    },
  };
}
