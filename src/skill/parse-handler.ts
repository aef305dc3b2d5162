import { handlerKindSchema, type Handler } from "../model/skill.ts";
import { meantWord, replacing, type Fields } from "./fields.ts";
import type { Frontmatter } from "./frontmatter.ts";
import type { Report } from "./report.ts";
import { withSection } from "./skill-fixes.ts";
import { didYouMean } from "./suggest.ts";
import { SNAKE_CASE } from "./vocabulary.ts";

const KINDS: readonly string[] = handlerKindSchema.options;

/** What a fix lets the teacher be asked. */
const QUESTION = "Does what was read support the proposed answer?";

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
export function parseHandler(hasp: Fields, front: Frontmatter, report: Report): Handler | undefined {
  const written = hasp.string("handler");
  if (written === undefined) return undefined;
  const kind = handlerKindSchema.safeParse(written).data;
  if (kind === undefined) {
    report.error(
      "HASP117",
      hasp.rangeOf("handler"),
      `"${written}" is no kind of handler.`,
      didYouMean(written, KINDS),
      [...meantWord(written, hasp.rangeOf("handler"), KINDS), ...hasp.removing("handler")],
    );
    return undefined;
  }
  const question = kind === "llm" ? handlerSection(front.body) : undefined;
  if (kind === "llm" && question === undefined) {
    report.error(
      "HASP121",
      hasp.rangeOf("handler"),
      "The handler has nothing to ask the teacher.",
      "Add a section `## Handler` that asks one question about the answer.",
      [withSection("Handler", QUESTION, front, report.source)],
    );
    return undefined;
  }
  return { kind, ...(question !== undefined && { question }) };
}

/** Reads `supersedes`, ids of skills that this one replaces. */
export function parseSupersedes(hasp: Fields, skillId: string, report: Report): readonly string[] {
  return (hasp.strings("supersedes") ?? []).flatMap((item) => {
    const { range } = item;
    const text = item.text.trim();
    if (SNAKE_CASE.test(text) && text !== skillId) return [text];
    const message =
      text === skillId
        ? "A skill cannot replace itself."
        : `${JSON.stringify(text.slice(0, 80))} is no skill_id: lower-case words joined by underscores.`;
    const snake = (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).join("_");
    report.error("HASP113", range, message, "Name the skill_id of another skill, or delete the entry.", [
      ...(SNAKE_CASE.test(snake) && snake !== skillId ? [replacing(range, snake)] : []),
      ...hasp.removingItem("supersedes", item),
    ]);
    return [];
  });
}
