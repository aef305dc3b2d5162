import { textsOf } from "../domains/texts.ts";
import type { ChatRequest } from "../llm/chat-model.ts";
import { followed, framed, promptMessages, promptParts, type Block } from "../llm/prompt-file.ts";
import { START_OF_FILE, type Diagnostic } from "../model/diagnostic.ts";
import { REVIEWED_FILES, type ReviewedFile } from "../model/review.ts";
import type { ReviewEvidence } from "./evidence.ts";
import { evidenceSections } from "./evidence-text.ts";
import { numbered } from "./numbered-lines.ts";
import type { ReviewSubject } from "./review-subject.ts";
import template from "./prompts/review-3.md?text";

/** Name of the prompt file; a change of its wording gets a new number and a new file. */
export const REVIEW_PROMPT = "review-3";

/** Enough for five comments, a page of suggestions and a few edits. */
const MAX_REPLY_TOKENS = 4000;
/** Characters of one block. More is paid for and not read. */
const LONGEST_BLOCK = 40_000;

/** The request to the teacher, and findings on texts that it was not shown whole. */
export interface ReviewRequest {
  readonly request: ChatRequest;
  /** The same material under a few lines of instructions, for a teacher that gave the longer ones back. */
  readonly short: ChatRequest;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The request for a first try. Everything that an author can write stands between lines with a marker made from the
 * content, which the content cannot contain. Equal skills with equal evidence give equal requests.
 */
export function reviewRequest(subject: ReviewSubject, evidence: ReviewEvidence): ReviewRequest {
  const blocks = blocksOf(subject, evidence);
  const marker = `#~${subject.fingerprint.hash.slice(0, 20)}`;
  const values = {
    actions: subject.domain.actionTypes.join(", "),
    fields: textsOf(subject.domain).context.fields,
    marker,
    skillId: subject.skill.skillId,
    version: String(subject.skill.version),
    blocks: blocks.map((block) => framed(clipped(block), marker)).join("\n\n"),
  };
  const { system, user, short } = promptParts(template);
  const under = (instructions: string): ChatRequest => ({
    messages: promptMessages(instructions, user, values),
    temperature: 0,
    maxTokens: MAX_REPLY_TOKENS,
  });
  return {
    request: under(system),
    short: under(short),
    diagnostics: blocks.flatMap((block) => notShownWhole(block, subject.folder.folder)),
  };
}

/** The same request again, with the reply that could not be read and what was wrong with it. */
export function retryRequest(
  first: ChatRequest,
  reply: string,
  problems: readonly Diagnostic[],
  cutOff: boolean,
): ChatRequest {
  const wrong = problems.map(({ message }) => `- ${message}`).join("\n");
  const short = cutOff ? "Your reply was cut off at its longest allowed length, so be brief.\n" : "";
  const content =
    `Your review could not be read:\n${wrong}\n${short}` +
    "Write the whole review again, in exactly the form you were given. Do not change your judgement because of this.";
  return followed(first, reply, content);
}

function clipped({ title, text }: Block): Block {
  if (text.length <= LONGEST_BLOCK) return { title, text };
  const more = text.length - LONGEST_BLOCK;
  return { title, text: `${text.slice(0, LONGEST_BLOCK)}\n[${more} more characters are not shown]` };
}

function notShownWhole({ title, text }: Block, folder: string): Diagnostic[] {
  if (text.length <= LONGEST_BLOCK) return [];
  return [
    {
      code: "HASP706",
      severity: "warning",
      message: `The teacher is shown only the first ${LONGEST_BLOCK} of ${text.length} characters of ${title}.`,
      next: "Shorten it, or read the scores with that in mind.",
      file: folder,
      range: START_OF_FILE,
    },
  ];
}

function blocksOf({ texts }: ReviewSubject, evidence: ReviewEvidence): Block[] {
  const { neighbours = [] } = evidence;
  const missing: Partial<Record<ReviewedFile, string>> = {
    "SKILL.md": "",
    "pf.ts": "(this skill has no Program Function)",
  };
  const files = REVIEWED_FILES.flatMap((title): Block[] => {
    const text = texts[title] === undefined ? missing[title] : numbered(texts[title]);
    return text === undefined ? [] : [{ title, text }];
  });
  const measured = evidenceSections(evidence).map(({ title, lines }) => ({
    title: `evidence: ${title}`,
    text: lines.map(({ text }) => `- ${text}`).join("\n"),
  }));
  if (neighbours.length === 0) return [...files, ...measured];
  const text = neighbours.map(({ skillId, description }) => `- ${skillId}: ${description}`).join("\n");
  return [...files, ...measured, { title: "other skills of the library", text }];
}
