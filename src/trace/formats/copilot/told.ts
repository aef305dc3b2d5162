import { contentOf } from "../chat-messages.ts";
import { joined } from "../coding-turns.ts";
import { asList, asName, asRecord, asText, type JsonRecord, recordsOf } from "../records.ts";
import { addWords, type Event, say } from "./event.ts";
import { whyDropped } from "./known-events.ts";
import { instruct, type Session, tell } from "./session.ts";

/** Instructions stand in the file after the first words of the person; those that change later are in the prompts alone. */
export function readInstructions({ ledger }: Session, { type, data, at, talker }: Event): void {
  const text = contentOf(data["content"]).text;
  const isDeveloper = data["role"] === "developer";
  const isFirst = talker.last === undefined && (isDeveloper || talker.instructions === undefined);
  ledger.mapped(`events ${type}`, "prelude and prompts");
  if (isFirst && text !== "")
    talker.entries.push({ kind: "words", at, before: talker.said, text, isPersons: false });
  if (isDeveloper) tell(talker, "system", text);
  else instruct(talker, text);
}

/** What the program itself says in the person's place has a source; to an agent that another one called, that one is the person. */
export function readUser(session: Session, { type, data, at, talker }: Event): void {
  const text = withMarks(contentOf(data["content"]).text, data["attachments"], session);
  const whole = asText(data["transformedContent"]);
  const asRead = whole === undefined ? text : [whole, ...imagesIn(data["attachments"])].join("\n");
  const isHeldBack = session.heldBack !== undefined && text.trim() === session.heldBack.trim();
  const isProgram = data["source"] !== undefined && talker.key === "" && data["source"] !== "user";
  const isPersons = !isProgram && !isHeldBack && data["isAutopilotContinuation"] !== true;
  if (isHeldBack) {
    const last = talker.entries.at(-1);
    if (last?.kind === "response") last.ends = true;
  }
  session.heldBack = undefined;
  session.ledger.mapped(`events ${type}`, isPersons ? "question or prompts" : "text that the agent read");
  if (isPersons && text !== "") talker.asked.push(text);
  addWords(talker, at, text, isPersons, asRead);
}

const imagesIn = (attachments: unknown): readonly string[] =>
  recordsOf(attachments)
    .filter(isImage)
    .map(() => "[image]");

export const isImage = (part: JsonRecord): boolean =>
  part["type"] === "image" || asText(part["mimeType"])?.startsWith("image/") === true;

/** Marks of images; other files are named in what the model reads. */
function withMarks(text: string, attachments: unknown, { ledger }: Session): string {
  const why = "a mark stands for an image; what the model reads of other files is in the message";
  ledger.dropped("attachments", why, asList(attachments).length);
  return [text, ...imagesIn(attachments)].filter((part) => part !== "").join("\n");
}

export function readNotice(session: Session, event: Event): void {
  say(session, event, asText(event.data["content"]) ?? "");
}

export function readHandoff(session: Session, event: Event): void {
  const { summary, context } = event.data;
  say(session, event, joined(asText(summary), asText(context)));
}

/** The text of a skill, for the events that deliver it. Older versions deliver it with this one alone. */
export function readSkill({ ledger, skills }: Session, { type, data }: Event): void {
  ledger.mapped(`events ${type}`, "the text of `skill.context_delivered_ref`");
  const name = asText(data["name"]);
  const content = asText(data["content"]);
  if (name !== undefined && content !== undefined) skills.set(name, content);
}

export function readSkillText(session: Session, event: Event): void {
  const { data } = event;
  const name = asText(data["source"])?.replace(/^skill-/, "") ?? "";
  const parts = [data["prefix"], session.skills.get(name), data["suffix"]];
  say(session, event, asText(data["content"]) ?? parts.map((part) => asText(part) ?? "").join(""));
}

/** What a hook adds at the beginning is said to the agent; what it says to one that wants to stop comes as the person's next words. */
export function readHook(session: Session, event: Event): void {
  const { type, data } = event;
  const { decision, reason, additionalContext } = asRecord(data["output"]);
  if (data["hookType"] === "sessionStart" && asText(additionalContext) !== undefined) {
    say(session, event, asText(additionalContext) ?? "");
    return;
  }
  session.ledger.dropped(`events ${type}`, whyDropped("hook.start") ?? "");
  if (/stop$/i.test(asName(data["hookType"])) && decision === "block") session.heldBack = asText(reason);
}

/** A command of the person's own is no act of the agent, which reads of it. */
export function readPersonsCall(session: Session, event: Event): void {
  const { toolCallId, toolName, arguments: args } = event.data;
  const id = asText(toolCallId);
  if (id !== undefined) session.persons.add(id);
  const given = asText(asRecord(args)["command"]) ?? JSON.stringify(args ?? {});
  say(session, event, `The user ran ${asText(toolName) ?? "a tool"}: ${given}`);
}
