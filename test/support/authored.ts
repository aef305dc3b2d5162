import { templatePlaces } from "../../src/skill/template-text.ts";

/** A file of a new skill whose author keeps each text of the template: "Keep this text" at every place. */
export function authored(text: string): string {
  return templatePlaces(text)
    .toReversed()
    .reduce((before, { start, end, text: kept }) => before.slice(0, start) + kept + before.slice(end), text);
}
