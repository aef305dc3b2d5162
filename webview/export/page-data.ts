import {
  episodeElement,
  RUN_ELEMENT,
  type PageEpisode,
  type PageRun,
} from "../../src/protocol/exported-page.ts";
import { RequestError } from "../../src/protocol/connection.ts";

/** What stands in the page, read when it is asked for. */
export interface PageData {
  readonly run: PageRun;
  /** RequestError where the page holds no such episode. */
  episode(index: number): PageEpisode;
}

function readElement(page: Document, id: string): unknown {
  const text = page.getElementById(id)?.textContent ?? undefined;
  if (text === undefined)
    throw new RequestError("This page is cut off: a part of it is missing.", "Export the run again.");
  return JSON.parse(text);
}

/** The data that `exportHtml` wrote into this document. A person stays on an episode, so the last one read is kept. */
export function embeddedPage(page: Document): PageData {
  let latest: { index: number; read: PageEpisode } | undefined;
  return {
    run: readElement(page, RUN_ELEMENT) as PageRun,
    episode(index) {
      if (latest?.index !== index)
        latest = { index, read: readElement(page, episodeElement(index)) as PageEpisode };
      return latest.read;
    },
  };
}
