import type { PfLists } from "../domain.ts";

/** What the heuristic PFSelector chooses from (SPEC §3 "mandatory", §4). The paper names the groups and not who is in them. */
export const WEB_SEARCH_PF_LISTS: PfLists = {
  mandatory: ["retrieval_failure", "format_extraction_error", "relevant_content_extractor"],
  light: ["insufficient_exploration", "answer_confidence_guard", "citation_mismatch", "iterative_refinement"],
  safe: ["insufficient_exploration", "answer_completeness"],
  decomposition: ["decompose_complex_question", "multi_hop_reasoning_failure"],
  entityAware: ["wrong_entity_confusion", "citation_mismatch"],
};
