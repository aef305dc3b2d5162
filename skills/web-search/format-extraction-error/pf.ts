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

/** Characters of a reply that are looked at; an action stands near its beginning or its end. */
const LOOKED_AT = 4_000;
/** Characters of the reply that the teacher sees. */
const SHOWN_TO_TEACHER = 600;
/** Words of an announced search or of a labelled answer; more is a plan or an explanation. */
const MOST_WORDS = 20;

interface Bare {
  readonly type: ExecutableActionType;
  readonly arg: string;
}

export default class FormatExtractionError extends ProgramFunction {
  override needsTeacher = true;

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
      return modifyAction({ arg: bareArgument(actionType, arg), reason: "the argument stood in a wrapping" });
    }
    const reply = replyOf(ctx, arg);
    const found = actionIn(reply);
    if (found !== undefined)
      return modifyAction({ ...found, reason: "the reply held this action in another form" });
    const named = teacher === undefined ? undefined : await ask(teacher, ctx.question, reply);
    if (named !== undefined)
      return modifyAction({ ...named, reason: "the teacher read this action in the reply" });
    return noop("the reply holds no action");
  }
}

/** What the policy said. An imported step keeps it in the thought. */
function replyOf(ctx: StepContext, arg: string): string {
  return (arg.trim() === "" ? ctx.thought : arg).slice(0, LOOKED_AT).trim();
}

/** An action in a known notation, a labelled answer, or an announced search; undefined where the text has none of them. */
function actionIn(reply: string): Bare | undefined {
  return notatedAction(reply) ?? jsonAction(reply) ?? labelledAnswer(reply) ?? announcedSearch(reply);
}

function typeOf(name: string): ExecutableActionType | undefined {
  const lower = name.toLowerCase();
  if (lower === "search") return "SEARCH";
  if (lower === "read" || lower === "lookup" || lower === "open") return "READ";
  return lower === "final" || lower === "finish" || lower === "answer" ? "FINAL" : undefined;
}

function bareOf(name: string, arg: string): Bare | undefined {
  const type = typeOf(name);
  if (type === undefined) return undefined;
  const bare = bareArgument(type, arg);
  return bare === "" ? undefined : { type, arg: bare };
}

/** `Search[…]` anywhere in a line, `SEARCH: …` and `Action: search …` at its beginning. */
function notatedAction(reply: string): Bare | undefined {
  const bracketed = /\b(search|read|lookup|open|final|finish|answer)\s*[[(]\s*([^\]\n)]{1,300})/i.exec(reply);
  if (bracketed !== null) return bareOf(bracketed[1] ?? "", bracketed[2] ?? "");
  const labelled =
    /^\W*(?:action\s*\d*\s*:\s*)?(search|read|lookup|open|final|finish)\s*:\s*(\S.{0,300})$/im.exec(reply);
  if (labelled !== null) return bareOf(labelled[1] ?? "", labelled[2] ?? "");
  const spoken =
    /^\W*action\s*\d*\s*:\s*(search|read|lookup|open|final|finish)\s+(?:for\s+)?(\S.{0,300})$/im.exec(reply);
  return spoken === null ? undefined : bareOf(spoken[1] ?? "", spoken[2] ?? "");
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
  const label = /^\W*(?:final )?answer\s*:\s*(\S[^\n]{0,300})$/im.exec(reply)?.[1];
  const sentence = said ?? label;
  const answer = tagged ?? boxed ?? (sentence === undefined ? undefined : withoutFullStop(sentence));
  return answer === undefined || wordsIn(answer) > MOST_WORDS ? undefined : bareOf("final", answer);
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
  let text = arg;
  // Wrappings come inside one another: **"Sam Walton"**.
  for (let layer = 0; layer < 4; layer++) {
    // Quotation marks alone are an exact phrase or a title; around what stood in a wrapping they are part of it.
    const inner = (layer > 0 ? unquoted(unwrapped(type, text)) : unwrapped(type, text)).trim();
    if (inner === "" || inner === text) break;
    text = inner;
  }
  return text.trim() === arg.trim() ? arg : text;
}

function unwrapped(type: ExecutableActionType, text: string): string {
  const inner = insideMarks(text.trim());
  if (inner !== undefined) return inner;
  if (type === "FINAL") return withoutAnswerLabel(text);
  if (type === "SEARCH") return text.replace(/^(?:search\s+)?query\s*:\s*/i, "");
  return text.replace(/^(?:document|doc)[\s_#-]*(\d{1,3})\.?$/i, "doc_$1");
}

function unquoted(text: string): string {
  return /^["“]([^"“”]+)["”]$/.exec(text.trim())?.[1] ?? text;
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
