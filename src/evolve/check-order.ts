import { isGeneratedFolder } from "../model/domain-folder.ts";
import { failed } from "../app/refusal.ts";
import type { Checked } from "../model/diagnostic.ts";
import { isOpen, needsReview } from "../model/evolution.ts";
import type { EvolveOrder } from "./order.ts";

const refused = (message: string, next: string): Checked<true> => failed("HASP673", message, next);

/** Contradictions of an order, before anything is asked or written (HASP673). */
export function checkOrder({
  mode,
  gate,
  worth,
  teacher,
  rollouts,
  epochs,
  caps,
  domain,
  generated,
}: EvolveOrder): Checked<true> {
  if (mode === "lite" && needsReview(gate))
    return refused(
      `The gate ${gate} needs a review, and lite mode asks no teacher.`,
      "Take `--gate exec-only`, or `--mode full`.",
    );
  if (needsReview(gate) && teacher === undefined)
    return refused(
      `The gate ${gate} needs a review, and no teacher is named.`,
      "Name one with --teacher, or take `--gate exec-only`.",
    );
  if (worth && isOpen(gate))
    return refused(
      `The gate ${gate} admits whatever compiles, so held-out worth cannot decide.`,
      "Leave out `--worth on`, or take another gate.",
    );
  if (!isGeneratedFolder(generated, domain.name))
    return refused(
      `${generated} cannot be the folder of generated skills.`,
      `Name a folder that ends in \`${domain.name}/generated\`.`,
    );
  if (rollouts.kind === "recorded" && rollouts.runs.every(({ index }) => index.entries.length === 0))
    return refused("The runs hold no episode.", "Name runs with episodes.");
  if (epochs < 1 || caps.candidates < 1 || caps.librarySize < 1)
    return refused("Epochs and caps are at least 1.", "Give numbers from 1.");
  return { value: true, diagnostics: [] };
}
