import { cardMarkdown } from "../../dataset/card-markdown.ts";
import type { DataCard } from "../../model/data-card.ts";
import { cardFiles } from "../../model/train-data.ts";
import type { Outputs } from "./outputs.ts";

/** Adds the card of each file, as JSON and as Markdown. Rejects on I/O errors. */
export async function addCards(outputs: Outputs, cards: readonly DataCard[]): Promise<void> {
  for (const card of cards) {
    const [json, markdown] = cardFiles(card.kind);
    await outputs.addFile(json, `${JSON.stringify(card, null, 2)}\n`);
    await outputs.addFile(markdown, `${cardMarkdown(card)}\n`);
  }
}
