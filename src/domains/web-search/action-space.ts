import { FINAL, READ, SEARCH } from "../../model/action-types.ts";

/** Ask the search engine; read one of the documents it listed; give the answer (SPEC §1). */
export const WEB_SEARCH_ACTIONS = [SEARCH, READ, FINAL] as const;

export const WEB_SEARCH_FINAL = FINAL;
