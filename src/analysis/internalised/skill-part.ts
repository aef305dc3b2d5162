import {
  INTERNALISED_RULE,
  type Gain,
  type InternalisedSkill,
  type InternalisedVerdict,
} from "../../model/internalised.ts";
import { counted } from "../../model/counted.ts";
import { pText } from "../../model/p-text.ts";
import { signTest } from "../compare-measures.ts";
import { countedShare } from "../../scoring/exact-interval.ts";
import { gainOf, pairsOfRight, type RunQuestions } from "./by-question.ts";
import { keptGain } from "./kept-gain.ts";

/** The runs of a report; those without Program Functions may be missing. */
export interface ReportRuns {
  readonly beforeOn: RunQuestions;
  readonly afterOn: RunQuestions;
  readonly beforeOff?: RunQuestions | undefined;
  readonly afterOff?: RunQuestions | undefined;
}

const percent = (share: number): string => `${Math.round(share * 100)}%`;

type Evidence = Pick<InternalisedSkill, "silent" | "woken" | "p"> & { readonly stillHelps: Gain | undefined };
type Judged = readonly [verdict: InternalisedVerdict, why: string];

/** A skill that has fallen silent: what keeps it in the library, if anything does. */
function judgeSilent({ silent, stillHelps }: Evidence): Judged {
  const { leastSilent, alpha } = INTERNALISED_RULE;
  const share = `silent on ${silent.count} of ${silent.of} questions`;
  if (silent.low < leastSilent)
    return [
      "partly",
      `It is ${share}, but the interval begins at ${percent(silent.low)}, below ${percent(leastSilent)}.`,
    ];
  if (stillHelps === undefined)
    return ["partly", `It is ${share}. Whether it can go needs the run after training with PFs off, judged.`];
  const { better, worse, p } = stillHelps;
  const answers = `on its questions PFs now gain ${better} and lose ${worse}`;
  if (better > worse && p < alpha)
    return ["partly", `It is ${share}, but ${answers}, more than chance may give (p ${pText(p)}).`];
  return ["internalised", `It is ${share}, and ${answers}, no more than chance may give.`];
}

/** The rule of docs/internalisation.md. */
function judge(evidence: Evidence): Judged {
  const { silent, woken, p } = evidence;
  const { leastQuestions, alpha } = INTERNALISED_RULE;
  if (silent.of < leastQuestions)
    return [
      "too_few",
      `It was applied on ${counted(silent.of, "question")} before training; the rule asks for ${leastQuestions}.`,
    ];
  if (silent.count > woken && p < alpha) return judgeSilent(evidence);
  const { count } = silent;
  return [
    "not",
    `It is silent on ${counted(count, "question")} and newly applied on ${woken}, as chance alone may give (p ${pText(p)}).`,
  ];
}

/** The part of one skill: where it was and is applied, what that does to the answers, and the verdict. */
export function skillPart(skillId: string, runs: ReportRuns): InternalisedSkill {
  const { beforeOn, afterOn, beforeOff, afterOff } = runs;
  const idsWhere = (run: RunQuestions, what: "applied" | "triggered"): readonly string[] =>
    [...run].filter(([, question]) => question[what].has(skillId)).map(([id]) => id);
  const [before, after] = [idsWhere(beforeOn, "applied"), new Set(idsWhere(afterOn, "applied"))];
  const had = new Set(before);
  const silent = countedShare(before.filter((id) => !after.has(id)).length, before.length);
  const woken = [...after].filter((id) => !had.has(id)).length;
  const p = signTest(silent.count, woken);
  const touched =
    afterOff && pairsOfRight(afterOff, afterOn).filter(({ id }) => had.has(id) || after.has(id));
  const stillHelps = touched && gainOf(touched);
  const [verdict, why] = judge({ silent, woken, p, stillHelps });
  const rate = (run: RunQuestions) => countedShare(idsWhere(run, "triggered").length, run.size);
  return {
    skillId,
    verdict,
    why,
    triggered: { before: rate(beforeOn), after: rate(afterOn) },
    silent,
    woken,
    p,
    ...(stillHelps !== undefined && { stillHelps }),
    ...(beforeOff !== undefined &&
      afterOff !== undefined && { gain: keptGain({ beforeOff, beforeOn, afterOff }, before) }),
  };
}
