/** Whether the proposals of a run or an episode were read from a record, and not made for what its policy saw. */
export const isRecorded = (policy: unknown): boolean =>
  typeof policy === "string" && policy.startsWith("recorded:");
