import { describe, expect, it } from "vitest";
import { PHASE_SCHEMAS } from "../../../src/evolve/artifacts.ts";
import { epochPathSchema } from "../../../src/evolve/evolution-paths.ts";
import { evolvedCandidateSchema } from "../../../src/model/evolution.ts";
import { candidateOf } from "./candidates.ts";

const PROPOSAL = {
  id: "e1-c1",
  cluster: "c",
  skillId: "foo",
  name: "foo",
  errorCategory: "foo",
  replies: 1,
  messages: [],
  completion: "",
};

describe("a path in an epoch", () => {
  it.each([
    "epoch_1/proposals/e1-c1/web-search/foo",
    ".hasp/evolutions/web-1/epoch_1/proposals/e1-c1/web-search/foo",
    "./x//epoch_2/../epoch_1/proposals/e1-c1/web-search/foo",
    "/home/me/w/evolutions/web-1/epoch_1/proposals/e1-c1/web-search/foo",
    "C:\\Users\\me\\web-1/epoch_1/proposals/e1-c1/web-search/foo",
  ])("is below the evolution, as each version recorded it: %s", (recorded) => {
    expect(epochPathSchema.parse(recorded)).toBe("epoch_1/proposals/e1-c1/web-search/foo");
  });

  it.each([
    "",
    "/etc",
    "../other",
    "proposals/e1-c1",
    "epoch_1",
    "epoch_1/../../other",
    "x/epoch_1/..",
    "epoch_1//x",
    "epoch_1/x\\..\\..\\y",
    "epoch_01/x",
  ])("leads nowhere else: %j", (recorded) => {
    expect(epochPathSchema.safeParse(recorded).success).toBe(false);
  });
});

describe("artifacts of a stranger's evolution", () => {
  const parses = (proposal: object): boolean =>
    PHASE_SCHEMAS.proposals.safeParse({ proposals: [{ ...PROPOSAL, ...proposal }], words: "" }).success;

  it("name a candidate by its id, and a skill by one part of a path", () => {
    expect(parses({})).toBe(true);
    // Where no reply held a skill.
    expect(parses({ skillId: "", name: "" })).toBe(true);
    for (const id of ["", "../x", "e1-c1/../../x", "e1-c1-revised", "e0-c1", "c1"])
      expect(parses({ id })).toBe(false);
    for (const name of ["..", "../x", "a/b", "/etc", "a\\b"]) expect(parses({ name })).toBe(false);
  });

  it("hold runs of the evolution alone", () => {
    const rollout = { runs: [], episodes: 0, failed: 0, words: "" };
    const { validation } = PHASE_SCHEMAS.rollout.parse({ ...rollout, validation: "evo/epoch_1/validation" });
    expect(validation).toBe("epoch_1/validation");
    expect(PHASE_SCHEMAS.rollout.safeParse({ ...rollout, validation: "../run" }).success).toBe(false);
    expect(PHASE_SCHEMAS.credit.safeParse({ validation: "/run", words: "" }).success).toBe(false);
  });

  it("hold decided candidates with ids of candidates", () => {
    expect(evolvedCandidateSchema.safeParse(candidateOf()).success).toBe(true);
    expect(evolvedCandidateSchema.safeParse({ ...candidateOf(), id: "../../x" }).success).toBe(false);
  });
});
