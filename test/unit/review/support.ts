import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Said, Scores } from "../../../src/model/review.ts";
import { ROOT } from "../../support/core.ts";
import { paperSkill } from "../../support/shipped.ts";

export const GOOD: Scores = { concept: 0.8, trigger: 0.7, intervene: 0.9, exec: 1, val: 0.6 };

/** A reply in the form that the prompt asks for. */
export function replyOf(scores: Partial<Scores>, said?: Said): string {
  const lines = Object.entries(scores).flatMap(([name, score]) => [
    `${name.toUpperCase()}: ${score}`,
    `${name.toUpperCase()} WHY: because of ${name}`,
  ]);
  const end = said === undefined ? [] : [`DECISION: ${said}`];
  return [...lines, "SUGGESTIONS:", "- keep `names`", "- add a near miss", ...end].join("\n");
}

/** A copy of a shipped skill that a test may change: `…/skills/web-search/<name>`. */
export async function copySkill(
  name = "insufficient-exploration",
): Promise<{ root: string; folder: string; remove: () => Promise<void> }> {
  const root = await mkdtemp(path.join(tmpdir(), "hasp-review-"));
  const folder = `${root}/skills/web-search/${name}`;
  await cp(path.join(ROOT, paperSkill(name)), folder, { recursive: true });
  return { root, folder, remove: () => rm(root, { recursive: true, force: true }) };
}

export const CLOCK = { now: () => "2026-01-02T03:04:05.000Z" };
