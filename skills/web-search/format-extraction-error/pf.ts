import {
  modifyAction,
  noop,
  ProgramFunction,
  type ActionType,
  type ExecutableActionType,
  type Intervention,
  type StepContext,
  type Teacher,
} from "hasp";

/** Characters of a reply that are looked at, and of an argument with a wrapping: a runaway one must not cost a second. */
const LOOKED_AT = 16_000;
/** Characters of an argument; a longer one is no argument. */
const MOST_ARGUMENT = 1_000;
/** Characters of the reply that the teacher sees. */
const SHOWN_TO_TEACHER = 600;
/** Words of an announced search or of a labelled answer; more is a plan or an explanation. */
const MOST_WORDS = 20;
/** Words of a reply that is nothing but an answer. */
const MOST_BARE_WORDS = 8;
/** A policy that speaks of itself or of its next step, and gives no answer. */
const SPEAKS = /^(?:I|I['’](?:m|ll|d|ve)|let|we|now|next|first|then|search|read|none|nothing)\b/i;

/** The three actions, and what the ReAct prompts that models have seen in training call them. */
const NAMES: ReadonlyMap<string, ExecutableActionType> = new Map([
  ["search", "SEARCH"],
  ["read", "READ"],
  ["lookup", "READ"],
  ["open", "READ"],
  ["final", "FINAL"],
  ["finish", "FINAL"],
  ["answer", "FINAL"],
]);
const NAME = `(${[...NAMES.keys()].join("|")})`;
/** Blanks and marks around a label: bold, a fence, a list, a quotation. Bounded, as a reply may be a megabyte of asterisks. */
const MARKS = "[-*>#_`\"' \\t]{0,16}";
const ACTION_LABEL = "action[* \\t]{0,4}\\d{0,3}[* \\t]{0,4}:?";
/** `**Action 2:** Search(`; the label may be missing where the line begins with the action. */
const ACTION_LINE = new RegExp(`^${MARKS}(?:${ACTION_LABEL}${MARKS})?${NAME}${MARKS}([[(])`, "im");
/** `Search[` anywhere in a line. A parenthesis follows its name at once: "I read (in 1990)" is no action. */
const INNER_ACTION = new RegExp(`\\b${NAME}(?:[ \\t]{0,2}(\\[)|(\\())`, "i");
const NAMED_ACTION = new RegExp(
  `^${MARKS}(?:${ACTION_LABEL}${MARKS})?(search|read|lookup|open|final|finish)[* \\t]{0,4}:[* \\t]{0,4}(\\S.{0,300})$`,
  "im",
);
const SPOKEN_ACTION = new RegExp(
  `^${MARKS}action[* \\t]{0,4}\\d{0,3}[* \\t]{0,4}:${MARKS}(search|read|lookup|open|final|finish)[ \\t]{1,4}(?:for[ \\t]{1,4})?(\\S.{0,300})$`,
  "im",
);
/** From here on a model plays the environment. */
const INVENTED = new RegExp(`^${MARKS}observation[* \\t]{0,4}\\d{0,3}[* \\t]{0,4}:`, "im");
const CLOSING: Readonly<Record<string, string>> = { "[": "]", "(": ")" };

interface Bare {
  readonly type: ExecutableActionType;
  readonly arg: string;
}

export default class FormatExtractionError extends ProgramFunction {
  override needsTeacher = true;
  /** A policy that writes its actions in another notation does so at every step, and each must run. */
  override maxFires = 100;

  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType === "invalid") return replyOf(ctx, arg) !== "";
    if (actionType === "other") return false;
    return bareArgument(actionType, arg) !== arg;
  }

  async intervene(
    ctx: StepContext,
    actionType: ActionType,
    arg: string,
    teacher?: Teacher,
  ): Promise<Intervention> {
    if (actionType !== "invalid" && actionType !== "other") {
      return modifyAction({
        arg: bareArgument(actionType, arg),
        reason: "the argument stood inside other words or signs",
      });
    }
    const reply = replyOf(ctx, arg);
    const found = actionIn(reply);
    if (found !== undefined)
      return modifyAction({ ...found, reason: "the reply held this action in another form" });
    const answer = bareAnswer(ctx, reply);
    if (answer !== undefined)
      return modifyAction({ ...answer, reason: "the reply was an answer without its action" });
    const named = teacher === undefined ? undefined : await ask(teacher, ctx.question, reply);
    if (named !== undefined)
      return modifyAction({ ...named, reason: "the teacher read this action in the reply" });
    return noop("the reply holds no action");
  }
}

/** The text of the policy. A step of another program's agent may keep it in the thought alone. */
function replyOf(ctx: StepContext, arg: string): string {
  return (arg.trim() === "" ? ctx.thought : arg).slice(0, LOOKED_AT).trim();
}

/** An action in a known notation, a labelled answer, or an announced search; undefined where the text has none of them. */
function actionIn(reply: string): Bare | undefined {
  const invented = INVENTED.exec(reply);
  const said = invented === null || invented.index === 0 ? reply : reply.slice(0, invented.index);
  return notatedAction(said) ?? jsonAction(said) ?? labelledAnswer(said) ?? announcedSearch(said);
}

/** The argument without its wrapping, in one line. In a call, quotation marks only say where the text begins and ends. */
function bareOf(name: string, arg: string): Bare | undefined {
  const type = NAMES.get(name.toLowerCase());
  if (type === undefined) return undefined;
  const line = arg.split("\n").map((part) => part.trim());
  const value = line.join(" ").replace(/^(?:query|q|answer|document|doc|id|text)\s?[=:]\s?/i, "");
  const bare = bareArgument(type, unquoted(value));
  return bare === "" ? undefined : { type, arg: bare };
}

/** An action at the beginning of a line first, since a thought may speak of others; the first of several. */
function notatedAction(reply: string): Bare | undefined {
  for (const form of [ACTION_LINE, INNER_ACTION]) {
    const found = form.exec(reply);
    if (found === null) continue;
    const [opening, name = "", bracket, parenthesis] = found;
    const rest = reply.slice(found.index + opening.length);
    const action = bareOf(name, argumentOf(rest, bracket ?? parenthesis ?? "["));
    if (action !== undefined) return action;
  }
  const named = NAMED_ACTION.exec(reply) ?? SPOKEN_ACTION.exec(reply);
  return named === null ? undefined : bareOf(named[1] ?? "", named[2] ?? "");
}

/** Up to the bracket that closes the first; without one, to the end of the line. */
function argumentOf(rest: string, open: string): string {
  const text = rest.slice(0, MOST_ARGUMENT);
  const close = CLOSING[open] ?? "]";
  let depth = 1;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === open) depth++;
    else if (text[at] === close && --depth === 0) return text.slice(0, at);
  }
  const line = text.split("\n", 1)[0] ?? "";
  const end = line.lastIndexOf(close);
  return (end === -1 ? line : line.slice(0, end)).replace(/[`*]{1,8}\s{0,8}$/, "");
}

/** `{"action": "search", "query": "…"}`, also where text stands around it. */
function jsonAction(reply: string): Bare | undefined {
  const name = /"(?:action|tool|name|type)"\s*:\s*"(\w{1,20})"/i.exec(reply)?.[1];
  const arg =
    /"(?:query|input|action_input|arg|argument|answer|q|document|doc)"\s*:\s*"((?:[^"\\]|\\.){1,300})"/i.exec(
      reply,
    )?.[1];
  return name === undefined || arg === undefined ? undefined : bareOf(name, arg.replaceAll('\\"', '"'));
}

function labelledAnswer(reply: string): Bare | undefined {
  const tagged = /<answer>([^<]{1,300})<\/answer>/i.exec(reply)?.[1];
  const boxed = /\\boxed\{([^{}]{1,300})\}/.exec(reply)?.[1];
  const said = /\b(?:the|my) (?:final )?answer (?:to (?:the|this) question )?is:?\s+(\S[^\n]{0,300})$/im.exec(
    reply,
  )?.[1];
  const label = /^[^\w\n]{0,16}(?:final )?answer\s{0,4}:[* \t]{0,8}(\S[^\n]{0,300})$/im.exec(reply)?.[1];
  const sentence = said ?? label;
  const answer = tagged ?? boxed ?? (sentence === undefined ? undefined : withoutFullStop(sentence));
  return answer === undefined || wordsIn(answer) > MOST_WORDS ? undefined : bareOf("final", answer);
}

/** A few words alone, where the last step asks for an answer, or where the policy has said them in this way before. */
function bareAnswer({ stepCount, maxSteps, actionHistory }: StepContext, reply: string): Bare | undefined {
  if (/[:\n?]/.test(reply) || SPEAKS.test(reply) || wordsIn(reply) > MOST_BARE_WORDS) return undefined;
  const isSaidAgain = actionHistory.some(({ type, arg }) => type === "invalid" && arg.trim() === reply);
  return isSaidAgain || stepCount + 1 >= maxSteps ? bareOf("final", withoutFullStop(reply)) : undefined;
}

/** `I will search for "Helen Walton"`: without quotation marks nobody can tell where the query ends. */
function announcedSearch(reply: string): Bare | undefined {
  const query = /\bsearch(?:ing)?(?: \w+){0,2} ["“]([^"”\n]{2,200})["”]/i.exec(reply)?.[1];
  return query === undefined || wordsIn(query) > MOST_WORDS ? undefined : bareOf("search", query);
}

function wordsIn(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

/** The argument without what stands around it; the argument itself where nothing does, or where nothing would be left. */
function bareArgument(type: ExecutableActionType, arg: string): string {
  if (arg.length > LOOKED_AT) return arg;
  let text = arg;
  // Wrappings come inside one another: **"Sam Walton"**.
  for (let layer = 0; layer < 4; layer++) {
    // Quotation marks alone around a query ask for that very phrase; around what stood in a wrapping they are part of it.
    const inner = (layer > 0 ? unquoted(unwrapped(type, text)) : unwrapped(type, text)).trim();
    if (inner === "" || inner === text) break;
    text = inner;
  }
  return text.trim() === arg.trim() ? arg : text;
}

function unwrapped(type: ExecutableActionType, text: string): string {
  const inner = insideMarks(text.trim());
  if (inner !== undefined) return inner;
  if (type !== "SEARCH") {
    const bare = unquoted(text);
    if (bare !== text) return bare;
  }
  if (type === "FINAL") return withoutAnswerLabel(text);
  if (type === "SEARCH") return text.replace(/^(?:search\s+)?query\s*:\s*/i, "");
  return text.replace(/^(?:document|doc)[\s_#-]*(\d{1,3})\.?$/i, "doc_$1");
}

/** The text within one pair of quotation marks; `"A" and "B"` begins and ends with one, and they are no pair. */
function unquoted(text: string): string {
  return (
    /^["“]([^"“”]+)["”]$|^['‘`]([^'‘’`]+)['’`]$/
      .exec(text.trim())
      ?.slice(1)
      .find((inner) => inner) ?? text
  );
}

/** What one pair of marks around the whole text holds; undefined where there is no such pair. */
function insideMarks(text: string): string | undefined {
  if (!/^[<$\\*`]|\[/.test(text)) return undefined;
  const forms = [
    /^<answer>([\s\S]+)<\/answer>$/i,
    /^\$?\\boxed\{([^{}]+)\}\$?$/,
    /^(?:search|read|final|finish|answer)\[([^[\]]+)\]?$/i,
    /^\*\*([^*]+)\*\*$/,
    /^`+([^`]+)`+$/,
    /^\[([^[\]]+)\]$/,
  ];
  for (const form of forms) {
    const inner = form.exec(text)?.[1];
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** "The answer is Sam Walton." without its label and the full stop of its sentence. */
function withoutAnswerLabel(text: string): string {
  const said =
    /^(?:so,?\s+|therefore,?\s+)?(?:the|my)\s+(?:final\s+|correct\s+)?answer\s+is:?\s+(\S[^\n]*)$/i.exec(
      text.trim(),
    )?.[1];
  const label = /^(?:final\s+)?answer\s*:\s*(\S[^\n]*)$/i.exec(text.trim())?.[1];
  const bare = said ?? label;
  return bare === undefined ? text : withoutFullStop(bare);
}

/** "Sam Walton." without the end of its sentence; "St. Louis, Mo." and "Vonnegut Jr." keep theirs. */
function withoutFullStop(sentence: string): string {
  return sentence.trim().replace(/(?<=[^\s.]{3})\.$/, "");
}

/** The action the teacher reads in the reply, or undefined where it failed or named none. */
async function ask(teacher: Teacher, question: string, reply: string): Promise<Bare | undefined> {
  const prompt = [
    "An agent answers a question by searching. Its last reply is in no form that its tools can read.",
    `Question: ${question}`,
    `Reply: ${reply.slice(0, SHOWN_TO_TEACHER)}`,
    "Which action does the reply mean? Answer with one line, SEARCH[query] or FINAL[answer], in the reply's own words.",
    "Answer NONE if it means neither.",
  ].join("\n");
  try {
    const named = notatedAction(await teacher.ask(prompt, { maxTokens: 60, temperature: 0 }));
    return named?.type === "READ" ? undefined : named;
  } catch {
    // No teacher, no answer: the policy is told the form by its environment.
    return undefined;
  }
}
