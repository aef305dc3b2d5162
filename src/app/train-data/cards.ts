import { cardMarkdown } from "../../dataset/card-markdown.ts";
import type { DataCard } from "../../model/data-card.ts";
import type { Outputs } from "./outputs.ts";

/** Adds the card of each file, as JSON and as Markdown. Rejects on I/O errors. */
export async function addCards(outputs: Outputs, cards: readonly DataCard[]): Promise<void> {
  for (const card of cards) {
    // `a-sft.jsonl` has the card `a-sft.card`, without the ending of its format.
    await outputs.addFile(`${card.kind}.card.json`, `${JSON.stringify(card, null, 2)}\n`);
    await outputs.addFile(`${card.kind}.card.md`, `${cardMarkdown(card)}\n`);
  }
}
