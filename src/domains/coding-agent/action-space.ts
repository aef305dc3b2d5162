import { CODING_FINAL, CODING_TOOLS, REFUSE } from "../../model/coding-tools.ts";

/** The canonical tools, then the refusal that only a PF can put in a call's place, then the wish to stop. */
export const CODING_ACTIONS: readonly string[] = [...Object.keys(CODING_TOOLS), REFUSE, CODING_FINAL];
