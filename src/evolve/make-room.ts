import { counted } from "../model/counted.ts";
import { EVOLVE_LIMITS, type HeldOutWorth } from "../model/evolution.ts";
import type { EvolvedSkill } from "../model/library-history.ts";

/** An acting skill of a domain. */
export interface Occupant {
  readonly skillId: string;
  readonly version: number;
  readonly origin: "shipped" | "hand-written" | "generated";
  /** Without its generated versions, another skill of the same id acts: retiring them makes no room. */
  readonly hasFallback?: boolean;
  /** Of a generated one. */
  readonly evidence?: Evidence | undefined;
}

export interface Evidence {
  readonly worth?: Pick<HeldOutWorth, "better" | "worse"> | undefined;
  readonly qSkill?: number | undefined;
  readonly epoch: number;
}

export function evidenceOf({ epoch, scores: { worth, qSkill } }: EvolvedSkill): Evidence {
  return { epoch, worth, qSkill };
}

export type Room =
  | { readonly kind: "free" }
  /** These make room, with all their generated versions. `reason` is a sentence about each. */
  | { readonly kind: "retire"; readonly retire: readonly { occupant: Occupant; reason: string }[] }
  /** The candidate cannot be admitted. */
  | { readonly kind: "none"; readonly reason: string };

const gain = ({ evidence }: Occupant): number =>
  (evidence?.worth?.better ?? 0) - (evidence?.worth?.worse ?? 0);
const quality = ({ evidence }: Occupant): number => evidence?.qSkill ?? 0;
const epochOf = ({ evidence }: Occupant): number => evidence?.epoch ?? 0;

/** The least useful first: held-out questions won, then Q_skill, then the older, then by id. Unmeasured counts as 0. */
function byUse(a: Occupant, b: Occupant): number {
  return (
    gain(a) - gain(b) ||
    quality(a) - quality(b) ||
    epochOf(a) - epochOf(b) ||
    (a.skillId < b.skillId ? -1 : Number(a.skillId > b.skillId))
  );
}

function whyRetired(occupant: Occupant, cap: number): string {
  const { evidence } = occupant;
  const known = [
    evidence?.worth === undefined
      ? "held-out worth not measured"
      : `better on ${evidence.worth.better} and worse on ${evidence.worth.worse} held-out questions`,
    evidence?.qSkill === undefined ? "no review" : `Q_skill ${evidence.qSkill}`,
    ...(evidence === undefined ? [] : [`epoch ${evidence.epoch}`]),
  ];
  return `It made room in a library of ${cap} skills, as the least useful generated one: ${known.join(", ")}.`;
}

/**
 * Room for a candidate in a domain's library of at most `cap` acting skills, shipped and hand-written ones included. Over the cap, the least
 * useful generated skill by evidence is retired; never a pinned, shipped or hand-written one, nor one that would bring back another.
 */
export function makeRoom(
  acting: readonly Occupant[],
  incoming: { readonly skillId: string },
  {
    cap = EVOLVE_LIMITS.librarySize,
    pinned = new Set(),
  }: { readonly cap?: number; readonly pinned?: ReadonlySet<string> } = {},
): Room {
  // A new version takes the place of the one before.
  if (acting.some(({ skillId }) => skillId === incoming.skillId)) return { kind: "free" };
  const excess = acting.length + 1 - cap;
  if (excess <= 0) return { kind: "free" };
  const movable = acting.filter(
    ({ origin, skillId, hasFallback }) =>
      origin === "generated" && !pinned.has(skillId) && hasFallback !== true,
  );
  if (movable.length < excess) {
    const reason =
      `The library is full: ${counted(acting.length, "skill")} act, at most ${cap} may, and only ` +
      `${counted(movable.length, "generated skill")} could make room. Shipped, hand-written and pinned skills stay.`;
    return { kind: "none", reason };
  }
  const retire = movable.toSorted(byUse).slice(0, excess);
  return {
    kind: "retire",
    retire: retire.map((occupant) => ({ occupant, reason: whyRetired(occupant, cap) })),
  };
}
