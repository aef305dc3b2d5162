// Apart from the schema of a decision, so that a view has the words without zod.

/** The parts of the harness that decide something beside the PFs (SPEC §4), in the order in which an episode meets them. */
export const CONTROL_PARTS = [
  "switches",
  "difficulty_gate",
  "skill_selector",
  "pf_selector",
  "observation_selector",
  "step_selector",
  "snippet_mode",
  "handler_vote",
  "answer_format",
  "retry",
  "hook_answer",
  "hook_degraded",
  "hook_unasked",
  "hook_followed",
  "hook_prompt",
  "hook_tasks",
] as const;
export type ControlPart = (typeof CONTROL_PARTS)[number];

/** What each part is called for people. */
export const PART_NAMES: Readonly<Record<ControlPart, string>> = {
  switches: "switches",
  difficulty_gate: "difficulty gate",
  skill_selector: "skill selector",
  pf_selector: "PF selector",
  observation_selector: "observation selector",
  step_selector: "step selector",
  snippet_mode: "snippet mode",
  handler_vote: "handler vote",
  answer_format: "answer format",
  retry: "retry",
  hook_answer: "answer to the host",
  hook_degraded: "what the host cannot do",
  hook_unasked: "PFs not asked",
  hook_followed: "what the host did",
  hook_prompt: "prompt of a program",
  hook_tasks: "ends of tasks in the background",
};

const AFTER_LAST: ReadonlySet<ControlPart> = new Set(["answer_format"]);

/** The decisions that belong to step `t` of `length`: its own, at the first also the selection, at the last also what closed the episode. */
export function decisionsAt<D extends { readonly part: ControlPart; readonly t?: number | undefined }>(
  decisions: readonly D[],
  t: number,
  length: number,
): readonly D[] {
  const last = Math.max(0, length - 1);
  return decisions.filter(({ part, t: own }) => {
    if (own !== undefined) return own === t;
    return AFTER_LAST.has(part) ? t === last : t === 0;
  });
}
