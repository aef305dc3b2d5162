import { z } from "../../../model/zod.ts";
import { cleanText, cleanTitle } from "./clean-text.ts";
import type { Wire } from "./exchange.ts";
import { askJson, notTheService } from "./json-answer.ts";
import type { Found, Retriever } from "./retriever.ts";

const EXPECTED =
  '{"result": [[{"document": {"contents": "Title\\nText"}, "score": 1.5}]]}, or the documents without `document` and `score`';

/** Among how many passages the one with a title is looked for. */
const TITLE_CANDIDATES = 5;

/** More than any title has. */
const LONGEST_FIRST_LINE = 1_000;

/** The id is ignored: `doc_N` is what the policy knows. */
const documentSchema = z.object({
  title: z.string().nullish(),
  text: z.string().nullish(),
  contents: z.string().nullish(),
});
const entrySchema = z.union([
  z.object({ document: documentSchema }).transform(({ document }) => document),
  documentSchema,
]);
const replySchema = z.object({ result: z.array(z.array(z.unknown()).nullable()) });

/** Wikipedia dumps of this family have the title in quotation marks on the first line. */
function fromContents(contents: string): Found {
  const line = contents.indexOf("\n");
  if (line === -1) return { title: "", text: contents };
  const first = contents.slice(0, line).slice(0, LONGEST_FIRST_LINE);
  return { title: first.replace(/^\s*"(.*)"\s*$/, "$1"), text: contents.slice(line + 1) };
}

function passageOf(entry: unknown): Found | undefined {
  const read = entrySchema.safeParse(entry);
  if (!read.success) return undefined;
  const contents = read.data.contents ?? "";
  const split = fromContents(contents);
  const title = cleanTitle(read.data.title ?? split.title);
  // A first line that is not the title belongs to the text.
  const rest = cleanTitle(split.title) === title ? split.text : contents;
  const text = cleanText(read.data.text ?? rest);
  return text === "" ? undefined : { title: title === "" ? cleanTitle(text.slice(0, 60)) : title, text };
}

/** The passages of a reply to one query. RetrieverError where it has another shape, or documents and not one with a text. */
function passagesOf(reply: unknown, who: string): readonly Found[] {
  const read = replySchema.safeParse(reply);
  if (!read.success) throw notTheService(who, "JSON of another shape", EXPECTED);
  const entries = read.data.result[0] ?? [];
  const passages = entries.flatMap((entry) => passageOf(entry) ?? []);
  if (passages.length === 0 && entries.length > 0)
    throw notTheService(who, `${entries.length} documents, none of them with a text`, EXPECTED);
  return passages;
}

/**
 * A retriever over HTTP that speaks as Search-R1's does: POST `{queries: [q], topk, return_scores: true}`, answered by
 * `{result: [[{document: {contents}, score}]]}`, with or without scores. `contents` has the title in its first line; `title` and
 * `text` are read as well. It knows no titles, so `byTitle` searches for the title and takes the passage that has it.
 */
export function httpRetriever(wire: Wire, url: string): Retriever {
  const who = `The retriever at ${url}`;
  async function search(
    query: string,
    most: number,
    signal = new AbortController().signal,
  ): Promise<readonly Found[]> {
    const reply = await askJson(
      wire,
      {
        who,
        expected: EXPECTED,
        method: "POST",
        url,
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({ queries: [query], topk: most, return_scores: true }),
      },
      signal,
    );
    return passagesOf(reply, who).slice(0, most);
  }
  return {
    search,
    async check(signal) {
      await search("test", 1, signal);
    },
    async byTitle(title, signal) {
      const wanted = title.trim().toLowerCase();
      return (await search(title, TITLE_CANDIDATES, signal)).find(
        (one) => one.title.toLowerCase() === wanted,
      );
    },
  };
}
