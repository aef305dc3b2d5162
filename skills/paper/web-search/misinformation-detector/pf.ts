import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

const WARNING =
  "Search once more for the point on which the texts disagree, and follow the text that states it outright.";

/** Characters of a text, and texts, that are looked at. */
const LOOKED_AT = 4_000;
const MOST_TEXTS = 8;

/** Phrases with which a text says that accounts differ. */
const CONTRADICTION =
  /\b(?:contrary to|(?:other|some|several|many) (?:sources|accounts|reports|historians|scholars) (?:say|state|claim|give|list|suggest|dispute)|(?:sources|accounts|reports) (?:differ|disagree|vary|conflict)|disput(?:e|es|ed|ing)|disagree(?:s|d|ing|ments?)?|contradict(?:s|ed|ory|ions?)?|conflicting|inconsistent with|discrepanc(?:y|ies)|debunked|discredited|(?:often|sometimes|commonly|widely) wrongly|incorrectly|mistakenly|erroneously|falsely|hoax)\b/i;

/** An event and its year, within one sentence. */
const EVENT =
  /\b(born|died|founded|established|formed|released|published|opened|built|married|elected|premiered)\b[^.;\n]{0,60}?\b(1\d{3}|20\d{2})\b/g;

/** "(March 12, 1907 – May 15, 1947)": a life. Bare years in brackets may be a season or a contract, and are left alone. */
const LIFE =
  /\((?:[^()\n;]{1,60}; )?(?:[A-Z][a-z]+ \d{1,2}, |\d{1,2} [A-Z][a-z]+ )(1\d{3}|20\d{2}) ?[–-] ?[^()\n]{0,20}?(1\d{3}|20\d{2})\)/g;

/** The name that an event or a life follows. */
const NAME_BEFORE =
  /(?<!\p{L})(\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’.-]*){0,5})["”]?,? (?:\(|(?:is|was|were|had been|has been) )?(?:first |officially |originally )?$/u;
/** The name that a text begins with: its subject, where a sentence only says "it" or "he". */
const FIRST_NAME = /^(?:doc_\d+\s+)?(?:The |A )?(\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’.-]*){0,5})/u;
/** Characters before an event in which its name stands. */
const NAME_CHARS = 70;
/** Events of one text that are compared. */
const MOST_EVENTS = 20;

interface DatedEvent {
  readonly name: readonly string[];
  readonly event: string;
  readonly year: string;
}

export default class MisinformationDetector extends ProgramFunction {
  /** Texts that were read stay read: from the first disagreement on, each further proposal would bring the same text. */
  override maxFires = 1;

  shouldActivate(ctx: StepContext, actionType: ActionType, _arg: string): boolean {
    if (actionType !== "SEARCH" && actionType !== "READ" && actionType !== "FINAL") return false;
    const texts = [...new Set(ctx.allReadContents)]
      .slice(-MOST_TEXTS)
      .map((text) => text.slice(0, LOOKED_AT));
    if (texts.length < 2) return false;
    return texts.some((text) => CONTRADICTION.test(text)) || hasConflictingYears(texts);
  }

  intervene(): Intervention {
    return injectContext(WARNING, "the texts read disagree");
  }
}

/** Two texts date the same event of the same name, and have no year for it in common. */
function hasConflictingYears(texts: readonly string[]): boolean {
  const dated = texts.map(datedEvents);
  return dated.some((events, at) => dated.slice(at + 1).some((others) => conflict(events, others)));
}

function conflict(events: readonly DatedEvent[], others: readonly DatedEvent[]): boolean {
  return events.some((one) => {
    const same = others.filter((other) => isSameEvent(one, other));
    return same.length > 0 && !same.some(({ year }) => year === one.year);
  });
}

/** Kay Panabaker and Stephanie Kay Panabaker are one; Danielle Panabaker is another. */
function isSameEvent(a: DatedEvent, b: DatedEvent): boolean {
  if (a.event !== b.event || a.name.at(-1) !== b.name.at(-1)) return false;
  return a.name.every((word) => b.name.includes(word)) || b.name.every((word) => a.name.includes(word));
}

/** At most MOST_EVENTS of them: a list of dates must not cost a second. */
function datedEvents(text: string): DatedEvent[] {
  const events: DatedEvent[] = [];
  const subject = FIRST_NAME.exec(text)?.[1];
  for (const found of text.matchAll(EVENT)) {
    if (events.length >= MOST_EVENTS) break;
    const name = nameBefore(text, found.index ?? 0) ?? subject;
    events.push(...dated(name, found[1] ?? "", found[2] ?? ""));
  }
  for (const found of text.matchAll(LIFE)) {
    if (events.length >= MOST_EVENTS) break;
    const name = nameBefore(text, found.index ?? 0) ?? subject;
    events.push(...dated(name, "born", found[1] ?? ""), ...dated(name, "died", found[2] ?? ""));
  }
  return events;
}

function nameBefore(text: string, at: number): string | undefined {
  const name = NAME_BEFORE.exec(text.slice(Math.max(0, at - NAME_CHARS), at))?.[1];
  return name === undefined || /^(?:It|He|She|They|This|Who|Which)$/.test(name) ? undefined : name;
}

function dated(name: string | undefined, event: string, year: string): DatedEvent[] {
  return name === undefined ? [] : [{ name: name.split(" "), event, year }];
}
