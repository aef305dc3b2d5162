import { cardMarkdown } from "../../dataset/card-markdown.ts";
import type { DataCard } from "../../model/data-card.ts";
import type { TraceFiles } from "../../trace/ports.ts";

const encoder = new TextEncoder();

/** `a-sft.jsonl` → `a-sft.card`, without the ending of its format. */
export const cardPath = (folder: string, { kind }: Pick<DataCard, "kind">): string =>
  `${folder}/${kind}.card`;

/** Writes the card of each file beside it, as JSON and as Markdown. Answers the paths. Rejects on I/O errors. */
export async function writeCards(
  files: Pick<TraceFiles, "writeAtomic">,
  folder: string,
  cards: readonly DataCard[],
): Promise<readonly string[]> {
  const written: string[] = [];
  for (const card of cards) {
    const path = cardPath(folder, card);
    await files.writeAtomic(`${path}.json`, encoder.encode(`${JSON.stringify(card, null, 2)}\n`));
    await files.writeAtomic(`${path}.md`, encoder.encode(`${cardMarkdown(card)}\n`));
    written.push(`${path}.json`, `${path}.md`);
  }
  return written;
}
