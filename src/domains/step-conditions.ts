/** Conditions on the steps of an episode in which an agent searches and reads. */
export const SEARCH_CONDITIONS: readonly string[] = [
  "search_empty",
  "no_search_yet",
  "no_read_yet",
  "has_read",
  "single_source",
  "search_repeated",
  "sources_conflict",
];

/** Conditions on the steps of any episode that has several: in one step they always hold, or never do. */
export const STEP_CONDITIONS: readonly string[] = ["long_observation", "few_steps_left"];
