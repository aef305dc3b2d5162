import {
  authorDpoRow,
  authorSftRow,
  candidatePairs,
  CANDIDATE_DROPS,
  isAdmitted,
  parseCandidates,
  rewarded,
  type RewardedCandidate,
} from "../../dataset/candidate-rows.ts";
import type { CountedRow } from "../../dataset/card-tally.ts";
import { redactTexts } from "../../llm/redact.ts";
import type { Dropped } from "../../model/data-card.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { refuse, take } from "../refusal.ts";
import type { TrainDataOrder, TrainDataServices } from "./order.ts";
import type { Outputs } from "./outputs.ts";

/** Counts of a build of objective B beside its rows. */
export interface CandidateCounts {
  readonly domain: string;
  readonly dropped: readonly Dropped[];
  /** Candidates whose reward is Q_skill alone. */
  readonly withoutDeltaEm: number;
}

function countedRow(file: string, one: RewardedCandidate): CountedRow {
  const { id, skillId, version, messages, completion, reward, decision } = one;
  return {
    place: { run: file, episode: id, questionId: skillId, sample: version, step: 1 },
    weight: Math.max(0, reward),
    skills: [skillId],
    correction: decision,
    prompt: messages,
    target: completion,
    rendered: false,
    isTranscript: false,
  };
}

/** The candidates of all files. Refuses files of several domains (HASP625), and an order without any candidate (HASP630). */
function readCandidates({ candidates }: TrainDataOrder, found: Diagnostic[]) {
  const read = candidates.flatMap(({ file, text }) =>
    take(parseCandidates(text, file), found).map((candidate) => ({ file, candidate })),
  );
  const [first] = read;
  if (first === undefined)
    return refuse(
      "HASP630",
      "Objective B needs candidates, and there is none.",
      "Name files of candidates with --candidates, as docs/training-data.md describes them.",
      candidates[0]?.file,
    );
  const other = read.find(({ candidate }) => candidate.domain !== first.candidate.domain);
  if (other !== undefined)
    refuse(
      "HASP625",
      `The candidates are of different domains: ${first.candidate.domain} and ${other.candidate.domain}.`,
      "Build a folder of training data for each domain.",
      other.file,
    );
  return { read, domain: first.candidate.domain };
}

/** Layer 2 of objective B (SPEC §8): rows for the author of skills, from candidates with their reviews. */
export async function writeCandidateRows(
  order: TrainDataOrder,
  { redact }: TrainDataServices,
  outputs: Outputs,
  found: Diagnostic[],
): Promise<CandidateCounts> {
  const { read, domain } = readCandidates(order, found);
  const files = new Map(read.map(({ file, candidate }) => [candidate.id, file]));
  const fileOf = ({ id }: RewardedCandidate): string => files.get(id) ?? "";
  const { usable, dropped } = rewarded(read.map(({ candidate }) => redactTexts(candidate, redact)));
  for (const one of usable.filter(isAdmitted))
    await outputs.file("b-sft").add(authorSftRow(one), countedRow(fileOf(one), one));
  for (const pair of candidatePairs(usable)) {
    const row = countedRow(fileOf(pair.chosen), pair.chosen);
    await outputs.file("b-dpo").add(authorDpoRow(pair), { ...row, rejected: pair.rejected.completion });
  }
  const rejected = usable.filter((one) => !isAdmitted(one)).length;
  const counts = rejected === 0 ? dropped : new Map([...dropped, ["rejected", rejected] as const]);
  return {
    domain,
    dropped: [...counts].map(([reason, steps]) => ({ reason: CANDIDATE_DROPS[reason], steps })),
    withoutDeltaEm: usable.filter(({ deltaEm }) => deltaEm === undefined).length,
  };
}
