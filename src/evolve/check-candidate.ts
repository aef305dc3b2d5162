import type { SkillBacktest } from "../analysis/backtest.ts";
import type { ExecutableCheck } from "../analysis/executable-checks.ts";
import { runSkill } from "../analysis/run-skill.ts";
import { firesEverywhere } from "../analysis/trigger-rules.ts";
import type { Judging } from "../app/ports.ts";
import { isClean, once, type Diagnostic } from "../model/diagnostic.ts";
import type { CandidateChecks, CandidateRefusal, EvolveMode } from "../model/evolution.ts";
import type { SkillFolder } from "../skill/read-skill.ts";
import type { ReviewedTexts } from "../review/review-subject.ts";
import { copiedExampleText } from "./author/copied-example.ts";
import { copiedFromSeed, type SeedIndex } from "./refusals/copied-texts.ts";
import { sameCode, sameOnRecords } from "./refusals/near-duplicate.ts";

/** A proposed skill, as its folder holds it. */
export interface CandidateSkill {
  readonly folder: SkillFolder;
  readonly texts: ReviewedTexts;
}

/** A skill that acts, or an earlier candidate of the epoch. */
export interface OtherSkill {
  readonly skillId: string;
  readonly texts: ReviewedTexts;
}

/** All that a candidate is measured against. */
export interface CheckedAgainst {
  readonly mode: EvolveMode;
  readonly others: readonly OtherSkill[];
  readonly seed: SeedIndex;
  /** On the seed episodes, in one backtest that keeps interventions; without it, nothing is said about fires. */
  readonly backtests?: {
    /** Undefined where its Program Function does not load. */
    readonly candidate: SkillBacktest | undefined;
    readonly others: readonly SkillBacktest[];
  };
}

/** Checks of lite mode (SPEC §7): whether it compiles. */
const LITE_CHECKS: readonly string[] = ["syntax", "interface"];

/**
 * Phase D on one candidate: the four executable checks (of lite mode the first two) and what else keeps it from a library. All findings are given,
 * so that any gate can be asked later. Calls no model.
 */
export async function checkCandidate(
  candidate: CandidateSkill,
  { compiler, startHost }: Pick<Judging, "compiler" | "startHost">,
  about: CheckedAgainst,
): Promise<CandidateChecks> {
  const { folder } = candidate;
  const host = startHost();
  try {
    const { checks: all } = await runSkill(folder, host, { cases: false });
    const checks = about.mode === "lite" ? all.filter(({ name }) => LITE_CHECKS.includes(name)) : all;
    const passed = ({ outcome }: ExecutableCheck): boolean => outcome === "passed";
    const found = await writingFindings(folder, compiler);
    return {
      score: folder.pfSource === undefined ? 0 : checks.filter(passed).length / checks.length,
      compiles:
        folder.pfSource !== undefined && all.filter(({ name }) => LITE_CHECKS.includes(name)).every(passed),
      checks: checks.map(outcomeOf),
      refusals: [...found.map(refusalOf), ...refusalsOf(candidate, about)],
    };
  } finally {
    await host.close();
  }
}

function outcomeOf({ name, outcome, diagnostics }: ExecutableCheck): CandidateChecks["checks"][number] {
  const first = diagnostics.find(({ severity }) => severity === "error");
  return { name, outcome, ...(first !== undefined && { finding: refusalOf(first) }) };
}

/** A finding with its place in the message: `pf.ts:12: …`. */
function refusalOf({ code, message, file, range }: Diagnostic): CandidateRefusal {
  const name = file?.split(/[\\/]/).at(-1);
  const place = name === undefined ? "" : `${name}:${range.start.line + 1}: `;
  return { code, message: `${place}${message}` };
}

/** Errors in SKILL.md and pf.ts: types, broken rules, values that no skill may have. Cases are the teacher's to judge. */
async function writingFindings(
  folder: SkillFolder,
  compiler: Judging["compiler"],
): Promise<readonly Diagnostic[]> {
  const { pfSource, diagnostics } = folder;
  const typed = pfSource === undefined ? [] : await compiler.check(`${folder.folder}/pf.ts`, pfSource);
  const found = once([...diagnostics, ...typed]).filter(({ file }) => file?.endsWith("cases.yaml") !== true);
  const errors = found.filter((one) => !isClean([one]));
  return pfSource === undefined ? [...errors, noFunction(folder)] : errors;
}

function noFunction({ folder }: SkillFolder): Diagnostic {
  const at = { line: 0, character: 0 };
  const message = "The skill has no Program Function.";
  return {
    code: "HASP645",
    severity: "error",
    message,
    file: `${folder}/pf.ts`,
    range: { start: at, end: at },
  };
}

type Refusal = (candidate: CandidateSkill, about: CheckedAgainst) => CandidateRefusal | undefined;

/** Each looks for one thing alone. */
const REFUSALS: readonly Refusal[] = [
  sameSkill,
  duplicateOnRecords,
  duplicateCode,
  alwaysFires,
  copiesSeed,
  ({ texts }) => copiedExampleText(texts["SKILL.md"] ?? ""),
];

function refusalsOf(candidate: CandidateSkill, about: CheckedAgainst): readonly CandidateRefusal[] {
  return REFUSALS.flatMap((refusal) => refusal(candidate, about) ?? []);
}

/** White space at the ends of lines and the version do not make another skill. */
const plain = (text: string | undefined): string =>
  (text ?? "")
    .replaceAll(/[^\S\n]*\r?\n/g, "\n")
    .replace(/^(\s*version:).*$/m, "$1")
    .trim();

/** The id acts already, with the same text (HASP654). */
function sameSkill(
  { folder: { skill }, texts }: CandidateSkill,
  { others }: CheckedAgainst,
): CandidateRefusal | undefined {
  const same = others.find(
    (other) =>
      other.skillId === skill?.skillId &&
      plain(other.texts["SKILL.md"]) === plain(texts["SKILL.md"]) &&
      plain(other.texts["pf.ts"]) === plain(texts["pf.ts"]),
  );
  return same && { code: "HASP654", message: `${same.skillId} is there already, with the same text.` };
}

/** Also an earlier version of itself: the new one would change nothing. */
function duplicateOnRecords(_: CandidateSkill, { backtests }: CheckedAgainst): CandidateRefusal | undefined {
  if (backtests?.candidate === undefined) return undefined;
  const same = sameOnRecords(backtests.candidate, backtests.others);
  if (same === undefined) return undefined;
  const times = same.steps === 1 ? "once" : `${same.steps} times`;
  const message = `It fires where ${same.skillId} does and says the same, ${times} in the seed episodes: a near duplicate.`;
  return { code: "HASP650", message };
}

/** Its own earlier version may be nearly the same: one number can be the repair. */
function duplicateCode(
  { folder, texts }: CandidateSkill,
  { others }: CheckedAgainst,
): CandidateRefusal | undefined {
  const pf = texts["pf.ts"];
  if (pf === undefined) return undefined;
  const foreign = others.filter(({ skillId }) => skillId !== folder.skill?.skillId);
  const same = sameCode(
    pf,
    foreign.map(({ skillId, texts }) => ({ skillId, pf: texts["pf.ts"] })),
  );
  if (same === undefined) return undefined;
  const share = `${Math.round(same.share * 100)}%`;
  const message = `pf.ts: its code is nearly that of ${same.skillId}: ${share} of the tokens of both are the same, a near duplicate.`;
  return { code: "HASP651", message };
}

/** HASP314, here a refusal. */
function alwaysFires(
  { folder }: CandidateSkill,
  { backtests }: CheckedAgainst,
): CandidateRefusal | undefined {
  const candidate = backtests?.candidate;
  if (candidate === undefined || !firesEverywhere(candidate)) return undefined;
  const line = (folder.pfSource ?? "").split("\n").findIndex((text) => /\bshouldActivate\s*\(/.test(text));
  const message = `pf.ts:${Math.max(line, 0) + 1}: it fires on every step of the recorded seed episodes (${candidate.stepsAsked} steps).`;
  return { code: "HASP652", message };
}

function copiesSeed(
  { folder, texts }: CandidateSkill,
  { seed }: CheckedAgainst,
): CandidateRefusal | undefined {
  const found = copiedFromSeed(texts, folder.folder, seed);
  return found && refusalOf(found);
}
