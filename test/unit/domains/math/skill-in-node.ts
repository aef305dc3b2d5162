import type { MathContext } from "../../../../src/domains/math/context-rules.ts";
import { skillInNode as inNode } from "../../../support/skill-in-node.ts";

/** Whether a shipped skill of math holds a FINAL back, and with which text. */
export type SkillInNode = (ctx: Pick<MathContext, "question" | "draft">) => string | undefined;

export const skillInNode = (name: string): SkillInNode => inNode(`math/${name}`);
