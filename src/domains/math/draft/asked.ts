import type { Asked } from "../math-types.d.ts";
import { combinedParts, readAskedForm } from "./asked-form.ts";
import { HOW_MANY, readAsking, type Asking } from "./asking.ts";
import { readBounds } from "./bounds.ts";
import { readCounted } from "./counted.ts";
import { unitName } from "./units.ts";

/** Reads what a question asks for, as far as its words say: bounds, unit, form, counted things. */
export function readAsked(question: string): Asked {
  const asking = readAsking(question);
  const isCombined = combinedParts(asking, question) !== undefined;
  const form = readAskedForm(asking, question);
  const unit = isCombined ? undefined : askedUnit(asking);
  const name = unit === undefined ? undefined : unitName(unit);
  const counted = isCombined ? undefined : readCounted(asking);
  return {
    bounds: readBounds(asking, isCombined),
    ...(unit !== undefined && { unit }),
    ...(name !== undefined && { unitName: name }),
    ...(form !== undefined && { form }),
    ...(counted !== undefined && { counted }),
  };
}

const COUNTED_UNIT = new RegExp(
  String.raw`${HOW_MANY} (?:(?:more|total|additional|fewer|extra|full|whole|of the) ){0,2}((?:square |cubic )?[a-z]+)( per [a-z]+)?\b`,
  "i",
);
const PERCENT = /^what (percent|percentage)\b|\bwhat is the (percent|percentage)\b/i;
/** "in minutes", "in square feet", "in miles per hour", "in dollars", and not "in week 2", "in second grade", "in day care". */
const IN_UNIT =
  /\bin (?:units of )?(?!(?:second|minute|hour|day|week|month|year|quarter|pound|yard|foot|cup|mile|dollar|degree)\b)((?:square |cubic )?[a-z]+)( per [a-z]+| squared| cubed)?\b(?! ?(?:\d|#|(?:one|two|three|four|five|six|seven|eight|nine|ten)\b))/gi;

function askedUnit({ clause, behind }: Asking): string | undefined {
  const [, one = "", rate = ""] = COUNTED_UNIT.exec(clause) ?? [];
  const percent = PERCENT.exec(clause);
  const named = [one + rate, one, percent?.[1] ?? percent?.[2] ?? ""];
  return named.find((words) => unitName(words) !== undefined) ?? unitIn(clause) ?? unitIn(behind);
}

function unitIn(text: string): string | undefined {
  for (const [, one = "", rate = ""] of text.matchAll(IN_UNIT)) {
    const found = [one + rate, one].find((words) => unitName(words) !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}
