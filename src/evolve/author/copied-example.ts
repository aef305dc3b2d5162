import type { ChatMessage } from "../../llm/chat-model.ts";
import { copiedShare, lookAlike, lookAlikeFinding } from "../../llm/look-alike.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { CandidateRefusal } from "../../model/evolution.ts";
import { sameCode } from "../refusals/near-duplicate.ts";
import { exampleFiles } from "./author-prompt.ts";
import type { ProposedFiles } from "./author-task.ts";
import { withoutReasoning, type ParsedProposal } from "./parse-proposal.ts";

/** From this share of words in common with the example on, the prose of a SKILL.md is a copy of it. */
const COPIED_FROM = 0.6;

/** The prose of a SKILL.md: descriptions and body, without the keys and headings that every skill has. */
function proseOf(skillMd: string): string {
  const lines = skillMd.split("\n").filter((line) => !/^\s*(?:#|---|\w+:\s*\S*\s*$)/.test(line));
  return lines.map((line) => line.replace(/^\s*\w+:/, "")).join("\n");
}

/** The share of the prose of a SKILL.md that is the example's; undefined below that of a copy. */
function copiedProse(skillMd: string): number | undefined {
  const { share } = copiedShare(proseOf(skillMd), proseOf(exampleFiles()["SKILL.md"] ?? ""));
  return share >= COPIED_FROM ? share : undefined;
}

const percent = (share: number): string => `${Math.round(share * 100)}%`;
const said = (parts: readonly string[]): string =>
  `The reply only looks like one: ${parts.join(" and ")} are those of the prompt's example.`;
const ofProse = (share: number): string => `${percent(share)} of the words of SKILL.md`;

/** HASP858 where a proposal is the example of the prompt: by its prose, or by its code. */
export function copiedExample(files: ProposedFiles): readonly Diagnostic[] {
  const prose = copiedProse(files["SKILL.md"]);
  const code = sameCode(files["pf.ts"], [{ skillId: "example", pf: exampleFiles()["pf.ts"] }]);
  const parts = [
    ...(prose === undefined ? [] : [ofProse(prose)]),
    ...(code === undefined ? [] : [`${percent(code.share)} of the code of pf.ts`]),
  ];
  return parts.length === 0 ? [] : [lookAlikeFinding(said(parts))];
}

/** The same as a refusal, of the prose alone: HASP651 is about the code. */
export function copiedExampleText(skillMd: string): CandidateRefusal | undefined {
  const prose = copiedProse(skillMd);
  return prose === undefined ? undefined : { code: "HASP858", message: said([ofProse(prose)]) };
}

/** The messages of a request before the author's first reply: a repair may well repeat that one. */
function askedFirst(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const reply = messages.findIndex(({ role }) => role === "assistant");
  return reply === -1 ? messages : messages.slice(0, reply);
}

/**
 * HASP858 where a reply brings nothing of its own: the prompt contains each of its files word for word, or it has no file and mostly repeats
 * the prompt. Words around files of its own do not matter.
 */
export function copiedPrompt(
  messages: readonly ChatMessage[],
  reply: string,
  files: ParsedProposal["files"],
): readonly Diagnostic[] {
  const asked = askedFirst(messages);
  const texts = Object.values(files);
  if (texts.length === 0) {
    const why = lookAlike({ request: { messages: asked }, reply: withoutReasoning(reply) });
    return why === undefined ? [] : [lookAlikeFinding(why)];
  }
  const prompt = asked.map(({ content }) => content).join("\n");
  if (!texts.every((text) => text.trim() !== "" && prompt.includes(text.trim()))) return [];
  return [lookAlikeFinding("The reply only looks like one: the prompt contains its files word for word.")];
}
