import { DATA_BLOCKS } from "../../dataset/experiments.ts";
import { FAMILIES, SLOTS, type FamilyNumbers, type SlotNumbers } from "../../model/signals.ts";
import type { DataCard, Dropped } from "../../model/data-card.ts";
import { CARD_SCHEMA } from "../../model/data-card.ts";
import { counted } from "../../model/counted.ts";
import type { Checked, Diagnostic } from "../../model/diagnostic.ts";
import {
  BLOCK_FILE,
  DROP_REASONS,
  DROP_WORDS,
  TRAIN_FILES,
  TRAIN_KINDS,
  type Objective,
  type TrainFile,
} from "../../model/train-data.ts";
import { domainKeys } from "../../domains/registry.ts";
import { checked, refuse } from "../refusal.ts";
import { blockText } from "./block.ts";
import { addCards } from "./cards.ts";
import { checkRuns } from "./check-runs.ts";
import { heldOutQuestions } from "./held-out-questions.ts";
import { writeStepRows, type StepCounts } from "./objective-a.ts";
import { writeCandidateRows, type CandidateCounts } from "./objective-b.ts";
import type { TrainDataOrder, TrainDataServices } from "./order.ts";
import { noticesOn, noticesOnRows, withoutCompletions } from "./notices.ts";
import { openOutputs, type Outputs } from "./outputs.ts";
import { waysToRows } from "./ways-to-rows.ts";

/** Training data that was built. */
export interface TrainData {
  readonly domain: string;
  /** One for each file, also for one without rows. */
  readonly cards: readonly DataCard[];
  /** Paths of the files that were written; none in a preview. */
  readonly written: readonly string[];
}

/** Rows of contexts are there for the experiment that learns from them alone. */
const kindsOf = ({ objectives, experiment }: TrainDataOrder): readonly TrainFile[] =>
  TRAIN_KINDS.filter(
    (kind) =>
      objectives.includes(TRAIN_FILES[kind].objective) &&
      (kind !== "a-context" ||
        (experiment !== undefined && DATA_BLOCKS[experiment].file === TRAIN_FILES[kind].file)),
  );

/** Counts that the cards of one objective share. */
interface Counts {
  readonly domain: string;
  readonly dropped: readonly Dropped[];
  /** Of the rows of contexts. */
  readonly contextsDropped: readonly Dropped[];
  readonly notices: readonly string[];
  readonly steps: StepCounts | undefined;
  readonly heldOutQuestions: number;
}

function inWords(counts: StepCounts["dropped"]): readonly Dropped[] {
  return DROP_REASONS.flatMap((reason) => {
    const count = counts.get(reason) ?? 0;
    return count === 0 ? [] : [{ reason: DROP_WORDS[reason], steps: count }];
  });
}

async function objectiveA(
  order: TrainDataOrder,
  services: TrainDataServices,
  outputs: Outputs,
  found: Diagnostic[],
): Promise<Counts> {
  const { name, domain } = await checkRuns(order.runs, services.files, found);
  const heldOut = await heldOutQuestions(order, name, services, found);
  const about = { domain, keys: domainKeys(name), heldOut };
  const steps = await writeStepRows(order, services, about, outputs, found);
  found.push(...withoutCompletions(order.runs, name, steps));
  const dropped = inWords(steps.dropped);
  const contextsDropped = inWords(steps.contextsDropped);
  return {
    domain: name,
    dropped,
    contextsDropped,
    notices: noticesOn(steps, order),
    steps,
    heldOutQuestions: heldOut.size,
  };
}

function ofCandidates({ domain, dropped, withoutDeltaEm }: CandidateCounts): Counts {
  const notices =
    withoutDeltaEm === 0
      ? []
      : [
          `${counted(withoutDeltaEm, "candidate")} without a change of the validation EM: r_skill is Q_skill alone.`,
        ];
  return { domain, dropped, contextsDropped: [], notices, steps: undefined, heldOutQuestions: 0 };
}

/** DPO takes the corrected steps of the rows; the others have nothing to prefer. */
function droppedOf(
  kind: TrainFile,
  { dropped, contextsDropped, steps }: Counts,
  rows: number,
  sftRows: number,
): readonly Dropped[] {
  if (kind === "a-context") return contextsDropped;
  if (kind !== "a-dpo" || steps === undefined || rows === sftRows) return dropped;
  return [...dropped, { reason: "nothing was modified, so nothing is preferred", steps: sftRows - rows }];
}

function cardOf(
  kind: TrainFile,
  counts: Counts,
  order: TrainDataOrder,
  outputs: Outputs,
  createdAt: string,
): DataCard {
  const { file, objective } = TRAIN_FILES[kind];
  const { tally } = outputs.file(kind);
  const figures = tally.end();
  const own = noticesOnRows(kind, figures, tally.overDefault());
  const { steps, domain, notices, heldOutQuestions } = counts;
  const { weights, filter, floor, dpoRevised } = order;
  const sftRows = objective === "a" ? outputs.file("a-sft").tally.end().rows : 0;
  return {
    schema: CARD_SCHEMA,
    file,
    kind,
    objective,
    domain,
    createdAt,
    sources: (steps?.sources ?? []).map((source) => ({ ...source, rows: tally.rowsOf(source.run) })),
    order: { filter, floor, dpoRevised, weights: copyOf(weights) },
    scored: {
      steps: steps?.report.all.steps ?? 0,
      overFloor: steps?.report.all.overFloor ?? 0,
      reward: steps?.report.all.reward ?? 0,
    },
    ...figures,
    dropped: droppedOf(kind, counts, figures.rows, sftRows),
    heldOutQuestions,
    notices: [...notices, ...own],
  };
}

function copyOf({ families, slots, dropped }: TrainDataOrder["weights"]): DataCard["order"]["weights"] {
  return {
    families: Object.fromEntries(FAMILIES.map((name) => [name, families[name]])) as FamilyNumbers,
    slots: Object.fromEntries(SLOTS.map((name) => [name, slots[name]])) as SlotNumbers,
    dropped,
  };
}

const leftOut = ({ dropped }: DataCard): string =>
  dropped.length === 0
    ? "The runs hold no step."
    : `Left out: ${dropped.map(({ reason, steps }) => `${steps}: ${reason}`).join("; ")}.`;

/** Self-distillation has nothing to learn from runs in which no policy read a context. */
function refuseWithoutContexts(cards: readonly DataCard[], order: TrainDataOrder): void {
  const card = cards.find(({ kind }) => kind === "a-context");
  if (card === undefined || card.rows > 0) return;
  refuse(
    "HASP627",
    `There is no row to write to ${card.file}, which this experiment trains on. ${leftOut(card)}`,
    "Name runs with Program Functions that inject contexts, of a policy that is a model.",
    order.runs[0]?.index.path,
  );
}

function refuseNothing(
  cards: readonly DataCard[],
  order: TrainDataOrder,
  steps: StepCounts | undefined,
): void {
  if (order.allowEmpty) return;
  refuseWithoutContexts(cards, order);
  const [first] = cards;
  if (cards.some(({ rows }) => rows > 0)) return;
  const why = first === undefined ? "The runs hold no step." : leftOut(first);
  const ways = steps === undefined ? [] : waysToRows(steps, order);
  const other = "Choose other runs, another filter, or a lower --floor; `hasp signals` shows the rewards.";
  refuse(
    "HASP627",
    `There is no row to write. ${why}`,
    ways.length > 0 ? ways.join(" ") : other,
    order.runs[0]?.index.path,
  );
}

/**
 * Builds training data from recorded runs (SPEC §8, layers 0 to 3): rows of objective A from their steps, rows of objective B from candidates,
 * a card beside each file, and the block of the experiment. Every file is replaced whole once all are complete; a build that fails, is
 * aborted or has no row leaves the folder as it was. Without an output it is a preview. Calls no model. Findings: HASP624 to HASP632.
 */
export async function buildTrainData(
  order: TrainDataOrder,
  services: TrainDataServices,
): Promise<Checked<TrainData>> {
  return checked(async (found) => {
    const { objectives, output, allowEmpty } = order;
    const { files, clock } = services;
    const kinds = kindsOf(order);
    const outputs = openOutputs(files, output, { kinds, withSteps: objectives.includes("a"), allowEmpty });
    try {
      const byObjective: Partial<Record<Objective, Counts>> = {};
      if (objectives.includes("a")) byObjective.a = await objectiveA(order, services, outputs, found);
      if (objectives.includes("b"))
        byObjective.b = ofCandidates(await writeCandidateRows(order, services, outputs, found));
      const createdAt = clock.now();
      const cards = kinds.flatMap((kind) => {
        const counts = byObjective[TRAIN_FILES[kind].objective];
        return counts === undefined ? [] : [cardOf(kind, counts, order, outputs, createdAt)];
      });
      refuseNothing(cards, order, byObjective.a?.steps);
      const domain = byObjective.a?.domain ?? byObjective.b?.domain ?? "";
      if (output === undefined) return { domain, cards, written: [] };
      await addCards(outputs, cards);
      await outputs.addFile(BLOCK_FILE, blockText(order, createdAt));
      return { domain, cards, written: await outputs.commit() };
    } catch (error) {
      await outputs.discard();
      throw error;
    }
  });
}
