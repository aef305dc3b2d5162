import { counted } from "../../model/counted.ts";
import type { CandidateChecks } from "../../model/evolution.ts";
import { readTexts } from "../../review/review-subject.ts";
import { checkCandidate } from "../check-candidate.ts";
import type { PhaseResult, ProposalFile } from "../artifacts.ts";
import type { Epoch } from "../epoch.ts";
import { authorRuns, baseOf } from "../epoch-runs.ts";
import { measureCandidates, type MeasuredCandidate } from "../measure.ts";
import { seedTexts } from "../seed-texts.ts";

/** Backtests candidates on the author's questions, where that was not done in this sitting. */
export async function measureOnSeed(epoch: Epoch, candidates: readonly MeasuredCandidate[]): Promise<void> {
  const missing = candidates.filter(({ id }) => !epoch.onSeed.has(id));
  if (missing.length === 0) return;
  const { services } = epoch;
  const part = await authorRuns(epoch);
  const order = { ...part, base: await baseOf(epoch, part), signal: services.signal };
  const { candidates: measured } = await measureCandidates(missing, order, services, services.on);
  for (const [id, one] of measured) epoch.onSeed.set(id, one);
}

const NO_SKILL: CandidateChecks = { score: 0, compiles: false, checks: [], refusals: [] };

/** Phase D of one candidate: its checks, and what its text and its backtest show without a model. */
export async function checkOne(epoch: Epoch, proposal: ProposalFile): Promise<CandidateChecks> {
  const { services, order } = epoch;
  const { id, folder, problem } = proposal;
  if (folder === undefined)
    return {
      ...NO_SKILL,
      refusals: [{ code: "HASP645", message: problem ?? "The author's replies held no skill." }],
    };
  const read = await epoch.readSkill(folder);
  const isLite = order.mode === "lite";
  if (!isLite) await measureOnSeed(epoch, [{ id, folder: read }]);
  return checkCandidate(
    { folder: read, texts: await readTexts(services.files, folder) },
    { ...services, signal: services.signal },
    {
      domain: order.domain,
      mode: order.mode,
      acting: await epoch.library(),
      seed: await seedTexts(epoch),
      backtest: epoch.onSeed.get(id),
    },
  );
}

/** Phase D (SPEC §7). */
export async function checksPhase(epoch: Epoch): Promise<PhaseResult<"checks">> {
  const { proposals } = epoch.result("proposals");
  if (epoch.order.mode !== "lite") {
    const folders = proposals.flatMap(({ id, folder }) => (folder === undefined ? [] : { id, folder }));
    const skills = await Promise.all(
      folders.map(async ({ id, folder }) => ({ id, folder: await epoch.readSkill(folder) })),
    );
    await measureOnSeed(epoch, skills);
  }
  const candidates: PhaseResult<"checks">["candidates"] = [];
  for (const proposal of proposals) {
    epoch.services.signal.throwIfAborted();
    candidates.push({ id: proposal.id, checks: await checkOne(epoch, proposal) });
  }
  const passed = candidates.filter(({ checks }) => checks.score === 1 && checks.refusals.length === 0).length;
  return { candidates, words: `${passed} of ${counted(candidates.length, "candidate")} passed` };
}
