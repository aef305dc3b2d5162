import { injectContext, ProgramFunction, type ActionType, type Intervention, type StepContext } from "hasp";

/** Characters of what was read that are compared word by word: a whole book must not cost a second. */
const LOOKED_AT = 20_000;
/** Characters of the answer and of the thought that are looked at. */
const CLAIM_LOOKED_AT = 2_000;
/** Years and dates that the warning names; more would not be read. */
const MOST_NAMED = 4;
const MONTHS: readonly string[] =
  "january february march april may june july august september october november december".split(" ");

export default class TemporalConfusion extends ProgramFunction {
  shouldActivate(ctx: StepContext, actionType: ActionType, arg: string): boolean {
    if (actionType !== "FINAL") return false;
    // Where nothing was read nothing could support a year, and this says nothing about it.
    if (ctx.allReadContents.length === 0) return false;
    return unsupported(ctx, arg).length > 0;
  }

  intervene(ctx: StepContext, _actionType: ActionType, arg: string): Intervention {
    const named = unsupported(ctx, arg).slice(0, MOST_NAMED);
    ctx.memory.told = [...toldIn(ctx), ...named];
    const list = named.join(", ");
    const seen = [...new Set(sourcesOf(ctx).match(/\b(?:1\d|20)\d\d\b/g) ?? [])].slice(0, 6).join(", ");
    const advice =
      seen === ""
        ? "they name no year at all. Search for a text that dates what the question asks about."
        : `the years that they do name are ${seen}. Answer with the one that a text gives for what the question asks.`;
    return injectContext(
      `No text that you have read has ${list}; ${advice}`,
      `${list}: in the answer or the thought, and in no source`,
    );
  }
}

/** Years and dates that the policy was told about: it has decided, and a second time would only keep the episode from ending. */
function toldIn(ctx: StepContext): readonly string[] {
  const { told } = ctx.memory;
  return Array.isArray(told) ? told.filter((date) => typeof date === "string") : [];
}

/** Years of the answer and the thought, and full dates of the answer, that neither a source nor the question has; not those told. */
function unsupported(ctx: StepContext, arg: string): readonly string[] {
  const answer = arg.slice(0, CLAIM_LOOKED_AT);
  const claimed = `${answer}\n${ctx.thought.slice(0, CLAIM_LOOKED_AT)}`;
  const isWritten = (year: string): boolean => ctx.allReadContents.some((text) => text.includes(year));
  const years = [...new Set(yearsIn(claimed))].filter((year) => !isWritten(year));
  const named = datesIn(answer);
  if (years.length === 0 && named.length === 0) return [];
  const known = `${ctx.question}\n${sourcesOf(ctx)}`;
  const knownYears = years.length === 0 ? [] : yearsIn(known);
  const dates = named.filter(({ forms }) => !forms.test(known));
  const told = toldIn(ctx);
  return [
    ...years.filter((year) => !knownYears.some((other) => agree(year, other))),
    ...dates.map(({ text }) => text),
  ].filter((date) => !told.includes(date));
}

function sourcesOf(ctx: StepContext): string {
  return [...ctx.allReadContents, ctx.lastSearchResultsText].join("\n").slice(-LOOKED_AT);
}

/** Years and decades as written, "1990s" with its s; of "1997–98" both. Quantities such as "1,500" and "1500 metres" are none. */
function yearsIn(text: string): readonly string[] {
  // Few places can begin a year: the long pattern is tried there alone.
  const places = /[12]\d{3}/g;
  const pattern =
    /(?:(?<![\p{L}\d$€£.,#/-])(?<!\d[ ,.])((?:1\d|20)\d\d)(s?)(?:[–-](\d\d)\b(?!-))?(?![\p{L}\d%])(?![,.]\d)(?! (?:m|km|metres|meters|feet|ft|miles|people|members|seats|species|inhabitants|kilometres|kilometers|acres|tons|copies|games|points)\b)|(?<=[–-])((?:1\d|20)\d\d)\b)/iuy;
  const years: string[] = [];
  for (let place = places.exec(text); place !== null; place = places.exec(text)) {
    pattern.lastIndex = place.index;
    const match = pattern.exec(text);
    places.lastIndex = match === null ? place.index + 1 : pattern.lastIndex;
    if (match !== null) years.push(...yearsOf(match));
  }
  return years;
}

function yearsOf(match: RegExpExecArray): readonly string[] {
  const year = match[1] ?? match[4] ?? "";
  const end = match[3];
  return end === undefined ? [year + (match[2] ?? "")] : [year, year.slice(0, 2) + end];
}

/** The same year, or a year and its decade. */
function agree(claimed: string, known: string): boolean {
  if (claimed === known) return true;
  const isDecade = claimed.endsWith("s") || known.endsWith("s");
  return isDecade && claimed.slice(0, 3) === known.slice(0, 3);
}

/** "May 1, 2011" and "1 May": each with the forms in which a source may write it. */
function datesIn(text: string): readonly { readonly text: string; readonly forms: RegExp }[] {
  if (!/\d/.test(text)) return [];
  const month = `(?:${MONTHS.join("|")})`;
  const found = text.matchAll(
    new RegExp(`\\b(?:(${month}) (\\d{1,2})|(\\d{1,2})(?:st|nd|rd|th)? (?:of )?(${month}))\\b`, "giu"),
  );
  return [...found].map((match) => {
    const name = (match[1] ?? match[4] ?? "").toLowerCase();
    const day = match[2] ?? match[3] ?? "";
    return { text: match[0], forms: formsOf(name, day) };
  });
}

function formsOf(month: string, day: string): RegExp {
  const short = `${month.slice(0, 3)}\\p{L}*\\.?`;
  const number = String(MONTHS.indexOf(month) + 1);
  const ordinal = `0?${day}(?:st|nd|rd|th)?`;
  return new RegExp(
    `\\b${short} ${ordinal}\\b|\\b${ordinal}(?: of)? ${short}(?!\\p{L})|\\b\\d{4}-0?${number}-0?${day}\\b|\\b0?${number}/0?${day}/|\\b0?${day}[./]0?${number}[./]`,
    "iu",
  );
}
