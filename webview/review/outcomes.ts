/** How the outcome of a check looks. */
export const OUTCOMES = {
  passed: { icon: "pass", tone: "good" },
  failed: { icon: "error", tone: "bad" },
  "not run": { icon: "circle-slash", tone: "quiet" },
} as const;
