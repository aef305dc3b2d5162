import { verdictOf, WORTH_NULL_WORDS, type HeldOutWorth } from "../../model/evolution.ts";
import { hasFailed } from "../../model/outcomes.ts";
import { isNewCategory } from "../admission-plan.ts";
import { worthNullOf, type ReviewedCandidate } from "../artifacts.ts";
import { baseRateWorths, type EarlierWorth, type TestedCandidate } from "../base-rate-worth.ts";
import { programHash } from "../candidate-hash.ts";
import { readResult, type Epoch } from "../epoch.ts";
import { baseOf, heldOutRuns } from "../epoch-runs.ts";
import { evolutionPaths } from "../evolution-paths.ts";
import { fairCoinWorths } from "../fair-coin-worth.ts";
import { ruleBy } from "../gate.ts";
import { measureCandidates, type MeasuredCandidate } from "../measure.ts";
import { alphaOfNext } from "../worth-alpha.ts";
import { worthEpisodes } from "../worth-episodes.ts";
import type { Ruling } from "../worth-verdict.ts";
import { measureOnSeed } from "./checks.ts";

/** The results of the epochs before this one, by epoch. Read anew, so that a resumed evolution spends as one that was never cut off. */
async function earlierWorths(epoch: Epoch): Promise<readonly (readonly EarlierWorth[])[]> {
  const { services, order } = epoch;
  const paths = evolutionPaths(order.folder);
  const before = Array.from({ length: epoch.number - 1 }, (_, i) => i + 1);
  return Promise.all(
    before.map(async (number) => {
      const read = await readResult(services.files, paths.epoch(number), "reviews");
      const candidates = read.value?.candidates ?? [];
      return candidates.flatMap(({ id, worth }) =>
        worth === undefined ? [] : [{ id, epoch: number, worth }],
      );
    }),
  );
}

const passedOf = (worths: readonly EarlierWorth[]): readonly boolean[] =>
  worths.flatMap(({ worth }) => (worth.baseRate?.tested === true ? [worth.passed] : []));

/** Whether a change of it helps or could help in any failed episode of the author's questions. */
function wouldHelp(epoch: Epoch, id: string): boolean {
  const hits = epoch.onSeed.get(id)?.skill.hits ?? [];
  return hits.some(
    ({ outcome, worth }) =>
      hasFailed(outcome) && (worth?.value === "helped" || worth?.value === "could_help"),
  );
}

/** Why a candidate is not tested: nothing of the held-out questions plays a part in it. */
async function barOf(epoch: Epoch, candidate: ReviewedCandidate): Promise<Ruling | undefined> {
  const { id, checks, proposal, review } = candidate;
  const newCategory = isNewCategory(epoch, proposal, await epoch.library());
  if (ruleBy(epoch.order.gate, false, { checks, review, newCategory }).ruling !== "admitted")
    return { verdict: "undecided", why: "Its worth was not tested, because the gate refuses it anyway." };
  if (wouldHelp(epoch, id)) return undefined;
  const why =
    "In none of the failed episodes that its author may read would its changes help, so its worth was not tested.";
  return { verdict: "refused", why };
}

type Effects = Pick<TestedCandidate, "id" | "episodes">;

/** What the epoch may spend depends on the tests of earlier ones. */
async function againstBaseRate(
  epoch: Epoch,
  planned: number,
  candidates: readonly ReviewedCandidate[],
  found: readonly Effects[],
): Promise<readonly HeldOutWorth[]> {
  const skills = await skillsOf(epoch, candidates);
  await measureOnSeed(epoch, skills);
  const programs = new Map(skills.map(({ id, folder }) => [id, programHash(folder.pfSource ?? "")]));
  const bars = new Map<string, Ruling | undefined>();
  for (const one of candidates) bars.set(one.id, await barOf(epoch, one));
  const tested = found.map(({ id, episodes }) => ({
    id,
    episodes,
    program: programs.get(id) ?? "",
    barred: bars.get(id),
  }));
  const earlier = await earlierWorths(epoch);
  const alpha = alphaOfNext(planned, earlier.map(passedOf));
  return baseRateWorths(tested, { alpha, epoch: epoch.number, earlier: earlier.flat() });
}

const skillsOf = (
  epoch: Epoch,
  candidates: readonly ReviewedCandidate[],
): Promise<readonly MeasuredCandidate[]> =>
  Promise.all(
    candidates.map(async ({ id, proposal }) => ({
      id,
      folder: await epoch.readSkill(proposal.folder ?? ""),
    })),
  );

/** Worth on questions that the author never saw, of every candidate that can be loaded, by its id. */
export async function heldOutWorths(
  epoch: Epoch,
  candidates: readonly ReviewedCandidate[],
): Promise<ReadonlyMap<string, HeldOutWorth>> {
  const { services, order, worthRule } = epoch;
  // An audit stores what another gate would have asked for.
  if (!order.worth && order.gate !== "audit") return new Map();
  const part = await heldOutRuns(epoch, "gate");
  const usable = candidates.filter(
    ({ checks, proposal }) => checks.compiles && proposal.folder !== undefined,
  );
  const measured = await measureCandidates(
    await skillsOf(epoch, usable),
    { ...part, base: await baseOf(epoch, part), others: [], signal: services.signal },
    services,
    services.on,
  );
  const found: readonly Effects[] = [...measured.candidates].map(([id, { skill }]) => ({
    id,
    episodes: worthEpisodes(measured.episodes, skill),
  }));
  const worths =
    worthRule === undefined
      ? fairCoinWorths(found.map(({ episodes }) => episodes))
      : await againstBaseRate(epoch, worthRule.epochs, usable, found);
  return new Map(found.flatMap(({ id }, i) => (worths[i] === undefined ? [] : [[id, worths[i]] as const])));
}

/** `, 1 of 3 with worth on held-out questions, 1 undecided (against a trigger that knows nothing)`; empty where none was measured. */
export function worthInWords({ worthRule }: Epoch, worths: readonly HeldOutWorth[]): string {
  if (worths.length === 0) return "";
  const verdicts = worths.map(verdictOf);
  const passed = verdicts.filter((one) => one === "passed").length;
  const open = verdicts.filter((one) => one === "undecided").length;
  const undecided = open === 0 ? "" : `, ${open} undecided`;
  const rule = WORTH_NULL_WORDS[worthNullOf({ worthRule })];
  return `, ${passed} of ${worths.length} with worth on held-out questions${undecided} (${rule})`;
}
