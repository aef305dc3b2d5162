import { handlerKindSchema, type Handler } from "../model/skill.ts";
import type { Fields } from "./fields.ts";
import type { Report } from "./report.ts";
import { didYouMean } from "./suggest.ts";
import { SNAKE_CASE } from "./vocabulary.ts";

const KINDS: readonly string[] = handlerKindSchema.options;

/** The text under `## Handler`, up to the next heading of its rank; headings inside code fences do not count. */
function handlerSection(body: string): string | undefined {
  let lines: string[] | undefined;
  let isInFence = false;
  for (const line of body.split(/\r?\n/)) {
    if (/^\s*(```|~~~)/.test(line)) isInFence = !isInFence;
    const isHeading = !isInFence && /^#{1,2}(?!#)\s/.test(line);
    if (isHeading && lines !== undefined) break;
    if (isHeading && /^##\s+Handler\s*$/i.test(line)) lines = [];
    else lines?.push(line);
  }
  const text = lines?.join("\n").trim();
  return text === "" ? undefined : text;
}

/** Reads `handler: llm | code | inline`; an `llm` handler takes its question from the body. Undefined where there is none. */
export function parseHandler(hasp: Fields, body: string, report: Report): Handler | undefined {
  const written = hasp.string("handler");
  if (written === undefined) return undefined;
  const kind = handlerKindSchema.safeParse(written).data;
  if (kind === undefined) {
    report.error(
      "HASP117",
      hasp.rangeOf("handler"),
      `"${written}" is no kind of handler.`,
      didYouMean(written, KINDS),
    );
    return undefined;
  }
  const question = kind === "llm" ? handlerSection(body) : undefined;
  if (kind === "llm" && question === undefined) {
    report.error(
      "HASP121",
      hasp.rangeOf("handler"),
      "The handler has nothing to ask the teacher.",
      "Add a section `## Handler` that asks one question about the answer.",
    );
    return undefined;
  }
  return { kind, ...(question !== undefined && { question }) };
}

/** Reads `supersedes`, ids of skills that this one replaces. */
export function parseSupersedes(hasp: Fields, skillId: string, report: Report): readonly string[] {
  return (hasp.strings("supersedes") ?? []).flatMap(({ text, range }) => {
    if (SNAKE_CASE.test(text) && text !== skillId) return [text];
    const message =
      text === skillId
        ? "A skill cannot replace itself."
        : `${JSON.stringify(text.slice(0, 80))} is no skill_id: lower-case words joined by underscores.`;
    report.error("HASP113", range, message, "Name the skill_id of another skill, or delete the entry.");
    return [];
  });
}
