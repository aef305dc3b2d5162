import type { OwnRecords } from "../../src/model/own-records.ts";

/** A user who has made every order: for tests of something else. */
export const EVERY_RECORD: OwnRecords = { has: () => true, keep: () => undefined };
