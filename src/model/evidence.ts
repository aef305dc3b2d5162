import { z } from "./zod.ts";

/** One thing that was measured. `outcome` is absent where it is neither good nor bad by itself. */
export const evidenceLineSchema = z.object({
  text: z.string(),
  outcome: z.enum(["passed", "failed", "not run"]).optional(),
});
export type EvidenceLine = z.infer<typeof evidenceLineSchema>;

/** Measurements of a skill under one heading, in words. Texts of skills and of people are in it: it is shown as text. */
export const evidenceSectionSchema = z.object({
  title: z.string(),
  lines: z.array(evidenceLineSchema),
});
export type EvidenceSection = z.infer<typeof evidenceSectionSchema>;

/** Lines that speak against the skill. */
export function failedLines(sections: readonly EvidenceSection[]): readonly EvidenceLine[] {
  return sections.flatMap(({ lines }) => lines.filter(({ outcome }) => outcome === "failed"));
}
