import { counted } from "../../model/counted.ts";
import type { CandidateChecks } from "../../model/evolution.ts";
import type { SkillBacktest } from "../../analysis/backtest.ts";
import type { SkillFolder } from "../../skill/read-skill.ts";
import { standingEpisodes } from "../../trace/placed-episodes.ts";
import { isInSplit } from "../../trace/question-split.ts";
import { exampleSkill } from "../author/author-prompt.ts";
import { checkCandidate, type OtherSkill } from "../check-candidate.ts";
import type { PhaseResult, ProposalFile } from "../artifacts.ts";
import type { Epoch } from "../epoch.ts";
import { authorRuns, baseOf } from "../epoch-runs.ts";
import { measureCandidates, type MeasuredCandidate } from "../measure.ts";
import { indexSeed, type SeedIndex } from "../refusals/copied-texts.ts";

/** Candidates are compared with these. */
export interface Comparison {
  readonly others: readonly OtherSkill[];
  readonly backtests: readonly SkillBacktest[];
  readonly seed: SeedIndex;
}

const textsOf = ({ skillMd, pfSource }: SkillFolder): OtherSkill["texts"] => ({
  ...(skillMd !== undefined && { "SKILL.md": skillMd }),
  ...(pfSource !== undefined && { "pf.ts": pfSource }),
});

/** The questions that the author's examples are from, with their accepted answers. */
async function seedIndex(epoch: Epoch): Promise<SeedIndex> {
  const { runs, split } = await authorRuns(epoch);
  const questions = new Map<string, { readonly question: string; readonly gold: readonly string[] }>();
  for await (const { episode } of standingEpisodes(epoch.services.files, runs, () => undefined)) {
    const { question, gold = [] } = episode;
    if (split === undefined || isInSplit(question, split)) questions.set(question.trim(), { question, gold });
  }
  return indexSeed([...questions.values()]);
}

const actingOf = async (epoch: Epoch): Promise<readonly SkillFolder[]> =>
  (await epoch.library()).filter(({ skill }) => skill !== undefined);

/** Backtests candidates on the author's questions, beside the acting skills; what was measured in this sitting is kept. */
export async function measureOnSeed(epoch: Epoch, candidates: readonly MeasuredCandidate[]): Promise<void> {
  const { services } = epoch;
  const missing = candidates.filter(({ id }) => !epoch.onSeed.has(id));
  if (missing.length === 0) return;
  const part = await authorRuns(epoch);
  const others = await actingOf(epoch);
  const order = { ...part, base: await baseOf(epoch, part), others, signal: services.signal };
  const measured = await measureCandidates(missing, order, services, services.on);
  for (const [id, one] of measured.candidates) epoch.onSeed.set(id, one);
  epoch.actingOnSeed = measured.others;
}

/** All that these candidates are compared with. Lite mode measures none on the author's questions. */
export async function comparisonOf(
  epoch: Epoch,
  candidates: readonly MeasuredCandidate[],
): Promise<Comparison> {
  if (epoch.order.mode !== "lite") await measureOnSeed(epoch, candidates);
  const acting = await actingOf(epoch);
  return {
    others: acting.map((folder) => ({ skillId: folder.skill?.skillId ?? "", texts: textsOf(folder) })),
    backtests: epoch.actingOnSeed,
    seed: (epoch.seed ??= await seedIndex(epoch)),
  };
}

const noSkill = ({ problem, problemCode }: ProposalFile): CandidateChecks => ({
  score: 0,
  compiles: false,
  checks: [],
  refusals: [{ code: problemCode ?? "HASP645", message: problem ?? "The author's replies held no skill." }],
});

/** Phase D of one candidate. `earlier`: candidates of the epoch before it, of which it must be no copy. */
export async function checkOne(
  epoch: Epoch,
  proposal: ProposalFile,
  { others, backtests, seed }: Comparison,
  earlier: readonly OtherSkill[],
): Promise<CandidateChecks> {
  const { id, folder } = proposal;
  if (folder === undefined) return noSkill(proposal);
  const { services, order } = epoch;
  const about = { mode: order.mode, others: [...others, ...earlier, exampleSkill()], seed };
  const candidate = { folder: await epoch.readSkill(folder), texts: await epoch.readTexts(folder) };
  if (order.mode === "lite") return checkCandidate(candidate, services, about);
  const own = epoch.onSeed.get(id)?.skill;
  return checkCandidate(candidate, services, { ...about, backtests: { candidate: own, others: backtests } });
}

/** Phase D (SPEC §7). */
export async function checksPhase(epoch: Epoch): Promise<PhaseResult<"checks">> {
  const { proposals } = epoch.result("proposals");
  const folders = proposals.flatMap(({ id, folder }) => (folder === undefined ? [] : { id, folder }));
  const skills = await Promise.all(
    folders.map(async ({ id, folder }) => ({ id, folder: await epoch.readSkill(folder) })),
  );
  const comparison = await comparisonOf(epoch, skills);
  const candidates: PhaseResult<"checks">["candidates"] = [];
  const earlier: OtherSkill[] = [];
  for (const proposal of proposals) {
    epoch.services.signal.throwIfAborted();
    candidates.push({ id: proposal.id, checks: await checkOne(epoch, proposal, comparison, earlier) });
    const own = skills.find(({ id }) => id === proposal.id)?.folder;
    if (own !== undefined) earlier.push({ skillId: proposal.skillId, texts: textsOf(own) });
  }
  const passed = candidates.filter(({ checks }) => checks.score === 1 && checks.refusals.length === 0).length;
  return { candidates, words: `${passed} of ${counted(candidates.length, "candidate")} passed` };
}
