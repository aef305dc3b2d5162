import { writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Candidate } from "../../src/model/candidate.ts";
import type { Episode } from "../../src/model/episode.ts";
import type { EvolvedCandidate } from "../../src/model/evolution.ts";
import {
  differences,
  EVO,
  filesBelow,
  GENERATED,
  linesWith,
  openEvolveScene,
  outcomeOf,
  type EvolveScene,
} from "../support/evolve-scene.ts";
import { THOROUGH } from "../support/thorough.ts";
import {
  kindOf,
  play,
  REVISED_WORDS,
  roleOf,
  teacherTask,
  vaultOf,
  type Kind,
} from "../support/evolve-world.ts";
import type { Ended } from "../support/hook-process.ts";

/** `hasp evolve` with live rollouts, whose three models are a server on this machine that plays them by rules. */

const PATIENCE = 240_000;
/** Deals 8 `unread`, 7 `gives-up` and 1 `careful` questions out to the gate, and 6, 6 and 4 to the final reading. */
const SEED = ["--evolve-seed", "7"];

const open: EvolveScene[] = [];
async function scene(...args: Parameters<typeof openEvolveScene>): Promise<EvolveScene> {
  const made = await openEvolveScene(...args);
  open.push(made);
  return made;
}
const closeAll = async (): Promise<void> => {
  for (const one of open.splice(0)) await one.end();
};

const kindsIn = (episodes: readonly Episode[], outcome?: Episode["outcome"]): Record<Kind, number> => {
  const counts = { unread: 0, "gives-up": 0, careful: 0 };
  for (const one of episodes)
    if (outcome === undefined || one.outcome === outcome) counts[kindOf(vaultOf(one.question))]++;
  return counts;
};

describe("two epochs of live rollouts, begun before the base rate was the rule of worth", () => {
  let world: EvolveScene;
  let ended: Ended;
  beforeAll(async () => {
    let isDown = true;
    world = await openEvolveScene(80, (call) =>
      isDown ? { kind: "raw", status: 401, body: "{}" } : play(call),
    );
    // Begun, and then as versions before the base rate wrote it.
    await world.hasp(...world.order(...SEED));
    isDown = false;
    const { worthRule, ...begun } = world.json(EVO, "evolution.json") as Record<string, unknown>;
    expect(worthRule).toEqual({ null: "base rate", epochs: 2 });
    writeFileSync(world.at(EVO, "evolution.json"), JSON.stringify(begun));
    const asked = await world.hasp(...world.order(...SEED));
    const [content = ""] = linesWith(asked, "content ");
    ended = await world.hasp(...world.order(...SEED, `--yes=${content.split(/ +/)[1]}`));
  }, PATIENCE);
  afterAll(() => world.end());

  const candidates = (epoch: number): EvolvedCandidate[] =>
    world.lines<EvolvedCandidate>(EVO, `epoch_${epoch}`, "candidates.jsonl");

  it("come to an end, with the artifacts of every phase", () => {
    expect([ended.code, ended.err]).toEqual([0, ""]);
    const files = new Set(filesBelow(world.at(EVO)));
    const phases = ["rollout", "failures", "proposals", "checks", "reviews", "admission", "credit", "data"];
    for (const epoch of ["epoch_1", "epoch_2"])
      expect(phases.filter((phase) => !files.has(`${epoch}/${phase}.json`))).toEqual([]);
    for (const run of [
      "epoch_1/rollout",
      "epoch_1/validation",
      "epoch_1/validation-after",
      "epoch_2/rollout",
    ])
      expect(files).toContain(`${run}/episodes.jsonl`);
    // The validation before the second epoch is that after the first one.
    expect(files).not.toContain("epoch_2/validation/episodes.jsonl");
    expect([...files].filter((name) => /\.(?:tmp|lock)$|\/live\//.test(name))).toEqual([]);
  });

  it("asks each model only for its own role", () => {
    for (const { request } of world.model.calls) expect(request.model).toBe(roleOf(request));
  });

  it("admits the skill whose revision the teacher accepts, and rejects the others for their reasons", () => {
    const [hasty, curious, unread] = candidates(1);
    expect([hasty?.skillId, hasty?.decision]).toEqual([
      "hasty_answer",
      { admitted: false, by: "gate", reason: "The teacher's decision is REJECT (Q_skill 0.56)." },
    ]);
    expect(curious?.checks.compiles).toBe(false);
    expect(curious?.decision.reason).toContain('HASP251: pf.ts:1: imports "node:fs"');
    // A first try, two repairs that are none.
    expect(curious?.replies).toBe(3);
    // A first try, a repair, a revision.
    expect([unread?.skillId, unread?.replies, unread?.decision.admitted]).toEqual(["unread_answer", 3, true]);
    expect(world.text(GENERATED, "unread_answer__v1/unread-answer/SKILL.md")).toContain(REVISED_WORDS);
    expect(world.text(EVO, "epoch_1/proposals/e1-c3/web-search/unread-answer/SKILL.md")).not.toContain(
      REVISED_WORDS,
    );
    const reviews = world.calls("teacher").filter(({ request }) => teacherTask(request) === "review");
    // hasty, unread and its revision; in the second epoch gives-up and hasty. What cannot be loaded is not reviewed.
    expect(reviews).toHaveLength(5);
    expect(candidates(2).map(({ skillId, decision }) => [skillId, decision.admitted])).toEqual([
      ["gives_up_early", true],
      ["hasty_answer", false],
      ["curious_answer", false],
    ]);
  });

  it("measures worth on the questions of the gate alone", () => {
    const [hasty, , unread] = candidates(1);
    // 2^-8, under 0.05 / 2 and then 0.05: two candidates could be measured.
    expect(unread?.worth).toMatchObject({ better: 8, worse: 0, ties: 8, p: 2 ** -8, passed: true });
    expect(new Set([hasty?.worth?.level, unread?.worth?.level])).toEqual(new Set([0.025, 0.05]));
    // 2^-7. One more of the others is held back, and no worse for it.
    expect(candidates(2)[0]?.worth).toMatchObject({ better: 7, worse: 0, p: 2 ** -7, passed: true });
    expect(linesWith(ended, "With the generated skills")).toEqual([
      "With the generated skills 12 questions come out better, 0 worse and 4 the same (one-sided sign test: p = 0.000244).",
    ]);
  });

  it("says that worth is tested against a fair coin, as the evolution was begun", () => {
    expect(ended.out).toContain(
      "1 of 2 with worth on held-out questions (against a fair coin, the rule of the version that began this evolution)",
    );
    expect(candidates(1)[2]?.decision.reason).toContain("of a sign test with a fair coin is below");
    expect(world.json(EVO, "evolution.json")).not.toHaveProperty("worthRule");
  });

  it("credits each admitted skill with the change of the validation EM", () => {
    const runs = ["epoch_1/validation", "epoch_1/validation-after", "epoch_2/validation-after"].map((run) =>
      world.lines<Episode>(EVO, run, "episodes.jsonl"),
    );
    // Of 32 validation questions 14 are answered unread, 13 given up, 5 answered with care.
    expect(runs.map((run) => kindsIn(run))).toEqual(
      runs.map(() => ({ unread: 14, "gives-up": 13, careful: 5 })),
    );
    expect(runs.map((run) => kindsIn(run, "correct"))).toEqual([
      { unread: 0, "gives-up": 0, careful: 5 },
      { unread: 14, "gives-up": 0, careful: 5 },
      { unread: 14, "gives-up": 13, careful: 5 },
    ]);
    // ΔEM = 14/32 and 13/32; r_skill = 0.81 + 0.5·ΔEM.
    expect(candidates(1).map(({ deltaEm }) => deltaEm)).toEqual([undefined, undefined, 0.4375]);
    expect(candidates(1)[2]?.reward).toBeCloseTo(1.02875, 10);
    expect(candidates(2)[0]?.deltaEm).toBeCloseTo(0.40625, 10);
    expect(candidates(2)[0]?.reward).toBeCloseTo(1.013125, 10);
    // Without a place in the library a candidate has changed nothing.
    expect(candidates(1)[0]?.reward).toBeCloseTo(0.56, 10);
    expect(world.json(EVO, "epoch_1/credit.json")).toMatchObject({
      before: 5 / 32,
      after: 19 / 32,
      words: "validation EM +43.8 points; invalid 0 of 82 replies → invalid 0% of 110 replies",
    });
  });

  it("writes the candidates and the training data of both objectives", () => {
    const rows = [1, 2].flatMap((n) => world.lines<Candidate>(EVO, `epoch_${n}`, "credit.jsonl"));
    expect(rows.map(({ id, decision, deltaEm, qSkill }) => [id, decision, deltaEm, qSkill])).toEqual([
      ["evo/e1-c1", "reject", undefined, 0.56],
      ["evo/e1-c2", "reject", undefined, undefined],
      ["evo/e1-c3", "accept", 0.4375, 0.81],
      ["evo/e2-c1", "accept", 0.40625, 0.81],
      ["evo/e2-c2", "reject", undefined, 0.56],
      ["evo/e2-c3", "reject", undefined, undefined],
    ]);
    expect(rows[2]?.completion).toContain(REVISED_WORDS);
    type Card = Readonly<Record<string, number>>;
    const built = [1, 2].map((n) => (world.json(EVO, `epoch_${n}`, "data.json") as { rows: Card }).rows);
    for (const card of built) expect(card["b-sft.jsonl"]).toBeGreaterThan(0);
    for (const [i, card] of built.entries())
      for (const [file, count] of Object.entries(card)) {
        const folder = file.startsWith("a-") ? "a" : "b";
        if (count > 0) expect(world.lines(EVO, `epoch_${i + 1}/data/${folder}`, file)).toHaveLength(count);
      }
    expect(built[1]?.["a-sft.jsonl"]).toBeGreaterThan(built[0]?.["a-sft.jsonl"] ?? 0);
  });

  it("keeps the library of each epoch, and its history", () => {
    type Snapshot = { versions: { skillId: string; version: number; acts: boolean }[] };
    const acting = [0, 1, 2].map((n) =>
      (world.json(EVO, `snapshots/epoch_${n}`, "library.json") as Snapshot).versions.map(
        ({ skillId, version, acts }) => `${skillId}__v${version} ${acts}`,
      ),
    );
    expect(acting).toEqual([
      [],
      ["unread_answer__v1 true"],
      ["gives_up_early__v1 true", "unread_answer__v1 true"],
    ]);
    const { entries } = world.json(GENERATED, "library_history.json") as {
      entries: { key: string; scores: { qSkill?: number } }[];
    };
    expect(entries.map(({ key, scores }) => `${key} ${scores.qSkill}`)).toEqual([
      "evo/epoch_1/e1-c1/rejected 0.56",
      "evo/epoch_1/e1-c2/rejected undefined",
      "evo/epoch_1/e1-c3/admitted 0.81",
      "evo/epoch_2/e2-c1/admitted 0.81",
      "evo/epoch_2/e2-c2/rejected 0.56",
      "evo/epoch_2/e2-c3/rejected undefined",
    ]);
  });

  it("is not done again", async () => {
    const [before, asked] = [outcomeOf(world), world.model.calls.length];
    const again = await world.hasp(...world.order(...SEED));
    expect([again.code, again.err, world.model.calls.length]).toEqual([0, "", asked]);
    expect(linesWith(again, "epoch").every((line) => line.includes("done before"))).toBe(true);
    expect(differences(outcomeOf(world), before)).toEqual([]);
  });

  it("acts for another user after a yes to its order", async () => {
    const own = world.env["XDG_STATE_HOME"];
    world.env["XDG_STATE_HOME"] = `${world.base}/state of another`;
    const refused = await world.hasp(...world.order(...SEED));
    expect([refused.code, refused.err]).toEqual([
      3,
      expect.stringContaining("You did not make the evolution evo"),
    ]);
    expect(linesWith(refused, `author ${world.spec("author")}`.replace(" ", "   "))).toHaveLength(1);
    const [content = ""] = linesWith(refused, "content ");
    const allowed = await world.hasp(...world.order(...SEED, `--yes=${content.split(/ +/)[1]}`));
    expect([allowed.code, allowed.err]).toEqual([0, ""]);
    world.env["XDG_STATE_HOME"] = own;
  });

  it("is refused with another order", async () => {
    const other = await world.hasp(...world.order(...SEED, "--set", "max_steps=5"));
    expect(other.code).toBe(2);
    expect(other.err).toContain("was begun with another order (rollouts)");
  });
});

describe("parts of an evolution", () => {
  afterEach(closeAll);

  it(
    "candidates that too few held-out questions can tell from chance stay proposals, which a person may accept",
    async () => {
      const one = await scene(24);
      const end = await one.hasp(...one.order("--epochs", "1", "--gate", "exec-only"));
      expect([end.code, end.err]).toEqual([0, ""]);
      const made = one.lines<EvolvedCandidate>(EVO, "epoch_1/candidates.jsonl");
      const open = made.filter(({ decision }) => decision.undecided === true);
      expect(open.map(({ skillId }) => skillId)).toContain("unread_answer");
      expect(made.filter(({ decision }) => decision.admitted)).toEqual([]);
      for (const { id, worth, decision } of open) {
        expect(worth).toMatchObject({ passed: false, baseRate: { verdict: "undecided", tested: false } });
        expect(decision.reason).toBe(worth?.why);
        expect(end.out).toContain(`    ${id}  undecided  `);
      }
      expect(end.out).toContain(`0 of 3 candidates admitted, ${open.length} undecided`);
      expect(end.out).toContain("(against a trigger that knows nothing)");
      // No example of a bad skill for the next author.
      const rows = one.lines<Candidate>(EVO, "epoch_1/credit.jsonl").map(({ skillId }) => skillId);
      expect(rows).not.toContain("unread_answer");
      const history = await one.hasp("library", "history", "--library", GENERATED);
      expect(history.out).toMatch(/ undecided +unread_answer__v1 /);
      const id = open.find(({ skillId }) => skillId === "unread_answer")?.id ?? "";
      const accepted = await one.hasp("library", "accept", EVO, id, "--reason", "Right for us.");
      expect([accepted.code, accepted.err]).toEqual([0, ""]);
      const [now] = one
        .lines<EvolvedCandidate>(EVO, "epoch_1/candidates.jsonl")
        .filter((candidate) => candidate.id === id);
      expect(now?.decision).toEqual({ admitted: true, reason: "Right for us.", by: "person" });
    },
    PATIENCE,
  );

  it(
    "--prefilter rolls only the questions out that fail without skills",
    async () => {
      const one = await scene(24);
      const end = await one.hasp(
        ...one.order("--epochs", "1", "--gate", "exec-only", "--worth", "off", "--prefilter"),
      );
      expect([end.code, end.err]).toEqual([0, ""]);
      const plain = one.lines<Episode>(EVO, "epoch_1/prefilter/episodes.jsonl");
      const failed = plain.filter(({ outcome }) => outcome !== "correct").map(({ questionId }) => questionId);
      expect(failed.length).toBeLessThan(plain.length);
      const rolled = one.lines<Episode>(EVO, "epoch_1/rollout/episodes.jsonl");
      expect(rolled.map(({ questionId }) => questionId)).toEqual(failed);
      expect(new Set(plain.map(({ settings }) => settings?.["setting"]))).toEqual(new Set(["ra-agent"]));
      expect(new Set(rolled.map(({ settings }) => settings?.["setting"]))).toEqual(new Set(["pf-only"]));
    },
    PATIENCE,
  );

  it(
    "lite mode asks no teacher, forms no clusters and makes at most three proposals",
    async () => {
      const one = await scene(24);
      const lite = one.order("--epochs", "1", "--mode", "lite", "--candidates", "5", "--setting", "full");
      for (const gate of ["strict", "teacher-only"]) {
        const refused = await one.hasp(...lite, "--gate", gate);
        expect([refused.code, filesBelow(one.at(EVO))]).toEqual([2, []]);
        expect(refused.err).toContain(`The gate ${gate} needs a review, and lite mode asks no teacher.`);
      }
      const end = await one.hasp(...lite, "--worth", "off");
      expect([end.code, end.err]).toEqual([0, ""]);
      expect(one.calls("teacher")).toEqual([]);
      const { clusters } = one.json(EVO, "epoch_1/failures.json") as { clusters: { id: string }[] };
      expect(clusters.map(({ id }) => id)).toEqual(["lite:1", "lite:2", "lite:3"]);
      const made = one.lines<EvolvedCandidate>(EVO, "epoch_1/candidates.jsonl");
      expect(made).toHaveLength(3);
      for (const { checks, review } of made)
        expect([checks.checks.map(({ name }) => name), review]).toEqual([["syntax", "interface"], undefined]);
    },
    PATIENCE,
  );

  it("without a teacher a gate has to be named that needs none", async () => {
    const one = await scene(24);
    const order = one.order();
    const at = order.indexOf("--teacher");
    const end = await one.hasp(...order.toSpliced(at, 2));
    expect([end.code, filesBelow(one.at(EVO)), one.model.calls.length]).toEqual([2, [], 0]);
    expect(end.err).toContain("no teacher is named");
    expect(end.err).toContain("--gate exec-only");
  });

  it.runIf(THOROUGH)(
    "the same order makes the same files in another folder; another seed deals the questions out anew",
    async () => {
      const first = await scene(24);
      const order = ["--evolve-seed", "3", "--epochs", "1"];
      await first.hasp(...first.order(...order));
      const before = outcomeOf(first);
      const { port } = first.model;
      await first.model.close();
      const second = await scene(24, undefined, port);
      const end = await second.hasp(...second.order(...order));
      expect([end.code, end.err]).toEqual([0, ""]);
      expect(differences(outcomeOf(second), before)).toEqual([]);
      const worths = (one: EvolveScene): unknown =>
        one.lines<EvolvedCandidate>(EVO, "epoch_1/candidates.jsonl").map(({ worth }) => worth);
      const others = worths(second);
      await second.model.close();
      const third = await scene(24, undefined, port);
      await third.hasp(...third.order("--evolve-seed", "4", "--epochs", "1"));
      expect(worths(third)).not.toEqual(others);
    },
    PATIENCE,
  );
});
