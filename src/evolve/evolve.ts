import { checked, need, refuse } from "../app/refusal.ts";
import { priceOf, type ModelOrder } from "../app/run/models.ts";
import { ModelError } from "../llm/chat-model.ts";
import { parseModelSpec } from "../llm/endpoint.ts";
import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import { PHASES, type Phase } from "../model/evolution.ts";
import { writeJson, type EvolutionFile, type PhaseResult } from "./artifacts.ts";
import { checkOrder } from "./check-order.ts";
import { artifactOf, Epoch } from "./epoch.ts";
import { evolutionPaths } from "./evolution-paths.ts";
import { readFinal, type FinalReading } from "./final-worth.ts";
import { openEvolveModels, spentOnCalls, type EvolveModels } from "./models.ts";
import type { EvolveOrder, EvolveServices } from "./order.ts";
import { admissionPhase } from "./phases/admission.ts";
import { checksPhase } from "./phases/checks.ts";
import { creditPhase } from "./phases/credit.ts";
import { dataPhase } from "./phases/data.ts";
import { failuresPhase } from "./phases/failures.ts";
import { proposalsPhase } from "./phases/proposals.ts";
import { reviewsPhase } from "./phases/reviews.ts";
import { rolloutPhase } from "./phases/rollout.ts";
import { takeSnapshot } from "./library-snapshots.ts";
import { openEvolution } from "./state.ts";

type Work = { readonly [P in Phase]: (epoch: Epoch) => Promise<PhaseResult<P>> };

const WORK: Work = {
  rollout: rolloutPhase,
  failures: failuresPhase,
  proposals: proposalsPhase,
  checks: checksPhase,
  reviews: reviewsPhase,
  admission: admissionPhase,
  credit: creditPhase,
  data: dataPhase,
};

/** The end of an evolution, or of a sitting. */
export interface Evolved {
  /** Epochs that are done. */
  readonly epochs: number;
  /** Why it ended before its last epoch; the same order resumes it. */
  readonly endedBy: "stopped" | "cancelled" | "budget" | undefined;
  /** The worth of the evolved skills on questions that nothing read before; undefined before the end. */
  readonly final: FinalReading | undefined;
  /** US dollars of all sittings, as far as prices are known. */
  readonly dollars: number;
  /** A model of unknown price was called. */
  readonly costUnknown: boolean;
}

/** Left of a file where a sitting was killed while it wrote. */
const HALF_WRITTEN = /\.[0-9a-f]{8}\.tmp$/;

async function removeHalfWritten(files: EvolveServices["files"], folder: string): Promise<void> {
  for (const name of await files.list(folder))
    if (HALF_WRITTEN.test(name)) await files.remove(`${folder}/${name}`);
}

async function runPhase(epoch: Epoch, phase: Phase): Promise<void> {
  const { on, files } = epoch.services;
  const { number } = epoch;
  const before = await epoch.stored(phase);
  if (before !== undefined) {
    epoch.keep(phase, before);
    on({ kind: "phase", epoch: number, phase, status: "done before", words: before.words });
    return;
  }
  on({ kind: "phase", epoch: number, phase, status: "begun" });
  await removeHalfWritten(files, epoch.paths.folder);
  const result = await WORK[phase](epoch);
  epoch.services.signal.throwIfAborted();
  await writeJson(files, artifactOf(epoch.paths, phase), result);
  // As a later sitting reads it, so that what follows does not depend on the sitting.
  epoch.keep(phase, (await epoch.stored(phase)) ?? result);
  on({ kind: "phase", epoch: number, phase, status: "done", words: result.words });
}

/** The phases of an epoch that are left; false where it was stopped between two of them. */
async function runEpoch(epoch: Epoch): Promise<boolean> {
  for (const phase of PHASES) {
    if (epoch.services.stop.aborted) return false;
    await runPhase(epoch, phase);
  }
  return true;
}

interface Sitting {
  readonly order: EvolveOrder;
  readonly services: EvolveServices;
  readonly evolution: string;
  readonly worthRule: EvolutionFile["worthRule"];
  readonly models: EvolveModels;
  readonly found: Epoch["found"];
}

type Ended = Pick<Evolved, "epochs" | "endedBy" | "final">;

const unfinished = (epochs: number, endedBy: Evolved["endedBy"]): Ended => ({
  epochs,
  endedBy,
  final: undefined,
});

const RESUME = "Then repeat the command: what is done is kept.";

/** Ends that are no failure; any other error is thrown on. */
function endOf(error: unknown, { signal }: EvolveServices): "cancelled" | "budget" {
  if (signal.aborted) return "cancelled";
  if (!(error instanceof ModelError)) throw error;
  const { kind, message, next = "See that the model answers.", usage } = error;
  if (kind === "budget") return "budget";
  throw new ModelError(kind, message, `${next} ${RESUME}`, usage);
}

/** The epochs that are left, then the reading of the final part. */
async function runEpochs(sitting: Sitting): Promise<Ended> {
  const { order, services } = sitting;
  const tried = new Map<string, number>();
  let [first, validationBefore]: readonly (string | undefined)[] = [];
  let last: Epoch | undefined;
  for (let number = 1; number <= order.epochs; number++) {
    const epoch: Epoch = new Epoch({ ...sitting, number, validationBefore, tried });
    try {
      if (!(await runEpoch(epoch))) return unfinished(number - 1, "stopped");
    } catch (error) {
      return unfinished(number - 1, endOf(error, services));
    }
    last = epoch;
    first ??= epoch.result("rollout").validation;
    validationBefore = epoch.result("credit").validation ?? validationBefore;
    for (const { cluster } of epoch.result("proposals").proposals)
      tried.set(cluster, (tried.get(cluster) ?? 0) + 1);
  }
  try {
    const final = last === undefined ? undefined : await readFinal(last, first);
    return { epochs: order.epochs, endedBy: undefined, final };
  } catch (error) {
    return unfinished(order.epochs, endOf(error, services));
  }
}

const keyOf = ({ code, message, file, range }: Diagnostic): string =>
  JSON.stringify([code, message, file, range]);

/** A spec that names no model is refused where it is opened. */
const isWithoutPrice = (model: ModelOrder, services: EvolveServices): boolean =>
  priceOf(model, services.models) === undefined &&
  parseModelSpec(model.spec, services.models).value !== undefined;

/** Under a budget the first call of a model without a price would end the evolution as if all dollars were spent (HASP673). */
function refuseUnknownPrices(order: EvolveOrder, services: EvolveServices): void {
  const { maxDollars, rollouts, author, teacher } = order;
  const policy = rollouts.kind === "live" ? rollouts.run.policy : undefined;
  for (const model of [policy, author, teacher])
    if (maxDollars !== undefined && model !== undefined && isWithoutPrice(model, services))
      refuse(
        "HASP673",
        `There is a budget in dollars, and no price is known for ${model.spec}.`,
        "Give its price in dollars for a million tokens, `0/0` where it costs nothing, or leave out the budget.",
      );
}

/** The library as it was before the first admission, so that it can be put back. */
async function snapshotBefore(order: EvolveOrder, { library, clock }: EvolveServices): Promise<void> {
  const { plan } = evolutionPaths(order.folder).epoch(1);
  if (await library.exists(plan)) return;
  need(await takeSnapshot({ files: library, clock, library: order.generated }, order.folder, 0));
}

/**
 * Runs the epochs of an evolution (SPEC §7), or the rest of them: a phase that is done has its artifact and is not done again; in one that
 * was cut off, models repeat only the calls that were in flight. Without a value the order cannot be carried out. A spent budget, a
 * cancelled or a stopped evolution is a value that says so. Rejects on I/O errors and where a model fails for another reason.
 */
export async function evolve(order: EvolveOrder, services: EvolveServices): Promise<Checked<Evolved>> {
  const result = await checked(async (found) => {
    need(checkOrder(order));
    refuseUnknownPrices(order, services);
    const { files } = services;
    const paths = evolutionPaths(order.folder);
    const { id: evolution, epochs, worthRule } = await openEvolution(order, services);
    const whole = { ...order, epochs };
    const before = await spentOnCalls(files, paths.calls);
    const models = await openEvolveModels(whole, services, before.spent);
    await snapshotBefore(whole, services);
    const ended = await runEpochs({ order: whole, services, evolution, worthRule, models, found });
    const { spent: dollars, costUnknown } = await spentOnCalls(files, paths.calls);
    return { ...ended, dollars, costUnknown };
  });
  // Each rollout finds the same in the same file.
  return {
    ...result,
    diagnostics: [...new Map(result.diagnostics.map((one) => [keyOf(one), one])).values()],
  };
}
