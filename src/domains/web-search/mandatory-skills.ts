/** Pinned whatever the selector says (SPEC §3, "mandatory"). */
export const WEB_SEARCH_MANDATORY = [
  "retrieval_failure",
  "format_extraction_error",
  "relevant_content_extractor",
] as const;
