import {
  injectContext,
  noop,
  ProgramFunction,
  type ActionType,
  type Intervention,
  type StepContext,
} from "hasp";

/** Characters; a shorter document is read at a glance. */
const LONG_DOCUMENT = 1_200;
/** Characters of a document that are looked at: a whole book must not cost a second. */
const LOOKED_AT = 40_000;
const MOST_SENTENCES = 4;
/** Characters that are quoted at most. */
const MOST_QUOTED = 700;
/** Words a sentence must share with what is asked; one may be chance. */
const LEAST_SHARED = 2;
/** Words of questions that tell nothing about a sentence. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    "the and for was were are who whom whose which that this what when where why how did does has had have with from into " +
    "his her its their they not but all both same any one two between before after during need find search look know first then"
  ).split(" "),
);

export default class RelevantContentExtractor extends ProgramFunction {
  /** A search that returns the text itself is how such an environment reads; one that returns a list reads nothing. */
  override after = ["READ", "SEARCH"];

  shouldActivate(ctx: StepContext, actionType: ActionType, _arg: string): boolean {
    const text = justRead(ctx, actionType);
    return text.length > LONG_DOCUMENT && relevantPart(text, ctx) !== "";
  }

  intervene(ctx: StepContext, actionType: ActionType): Intervention {
    const text = justRead(ctx, actionType);
    const quoted = relevantPart(text, ctx);
    if (quoted === "") return noop("no sentence stands out");
    return injectContext(
      `Go on from these sentences of the long text, the closest to the question:\n${quoted}`,
      `${text.length} characters were read; ${quoted.length} of them bear on the question`,
    );
  }
}

/** The text that this action brought to read; empty where it brought a list, or nothing. */
function justRead(ctx: StepContext, actionType: ActionType): string {
  const text = ctx.allReadContents.at(-1) ?? "";
  const isRead = actionType === "READ" || (actionType === "SEARCH" && text === ctx.lastSearchResultsText);
  return isRead ? text.slice(0, LOOKED_AT) : "";
}

/** The sentences that share most words with what is asked, in their order; empty where none stands out or nearly all do. */
function relevantPart(text: string, ctx: StepContext): string {
  const asked = tellingWords(
    [ctx.question, ctx.actionHistory.findLast((past) => past.type === "SEARCH")?.arg ?? "", ctx.thought].join(
      " ",
    ),
  );
  const sentences = sentencesOf(text);
  const scored = sentences
    .map((sentence, at) => ({ at, sentence, shared: countShared(asked, tellingWords(sentence)) }))
    .filter(({ shared }) => shared >= LEAST_SHARED)
    .sort((a, b) => b.shared - a.shared || a.at - b.at);
  const kept: { at: number; sentence: string }[] = [];
  let room = Math.min(MOST_QUOTED, text.length / 2);
  for (const { at, sentence } of scored) {
    if (kept.length === MOST_SENTENCES || sentence.length > room) continue;
    kept.push({ at, sentence });
    room -= sentence.length + 1;
  }
  return kept
    .sort((a, b) => a.at - b.at)
    .map(({ sentence }) => sentence)
    .join("\n");
}

/** Cut after a full stop with a blank and a capital; an initial ("John T. Walton") ends no sentence. */
function sentencesOf(text: string): string[] {
  return cutAt(text, /(?=\s)(?:(?<=[^\s.]{2}[.!?]["”)]?)\s+(?=["“(]?[\p{Lu}\d])|\n+)/gu)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 20);
}

/** What split() gives, which tries its pattern anew at every character. `cut`: global, and never of no characters. */
function cutAt(text: string, cut: RegExp): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (let found = cut.exec(text); found !== null; found = cut.exec(text)) {
    pieces.push(text.slice(from, found.index));
    from = cut.lastIndex;
  }
  return [...pieces, text.slice(from)];
}

function countShared(asked: ReadonlySet<string>, offered: ReadonlySet<string>): number {
  return [...offered].filter((word) => asked.has(word)).length;
}

/** The words of three letters and more worth comparing, in lower case. */
function tellingWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return new Set(words.filter((word) => !EMPTY_WORDS.has(word)));
}
