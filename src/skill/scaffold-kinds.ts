/** What a new skill can be. */
export type SkillKind = "rewrite" | "inject" | "final-code" | "final-llm" | "prompt";

/** The kinds, in the order in which they are offered, with what each means. */
export const SKILL_KINDS: readonly {
  readonly kind: SkillKind;
  readonly label: string;
  readonly about: string;
}[] = [
  {
    kind: "rewrite",
    label: "Rewrite an action",
    about: "The Program Function replaces the proposed action, e.g. a long search by a short one.",
  },
  {
    kind: "inject",
    label: "Inject a context",
    about: "The proposed action stays; the policy reads a text of yours before its next thought.",
  },
  {
    kind: "final-code",
    label: "Judge the answer by code",
    about: "The Program Function holds a FINAL back once, and votes on it afterwards.",
  },
  {
    kind: "final-llm",
    label: "Judge the answer by a question",
    about: "The teacher is asked your question about each FINAL, and votes. No code.",
  },
  {
    kind: "prompt",
    label: "Prompt only",
    about: "A summary and phase instructions, as text. No code.",
  },
];

export function isSkillKind(text: unknown): text is SkillKind {
  return SKILL_KINDS.some(({ kind }) => kind === text);
}

/** Kinds that can be made from a recorded step: their PF fires on it, and it is their first case. */
export function isKindOfStep(kind: unknown): kind is "rewrite" | "inject" {
  return kind === "rewrite" || kind === "inject";
}
