import { appendFile, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fingerprintOfFolder } from "../../../src/review/review-subject.ts";
import { appendReview, changedSince, readReviews } from "../../../src/review/review-store.ts";
import { qSkillOf, REVIEWED_FILES, type Review } from "../../../src/model/review.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { reviewFiles } from "../../../src/platform/review-files.ts";
import { CLOCK, copySkill, GOOD } from "./support.ts";

const files = reviewFiles(nodeFiles());
let skill: Awaited<ReturnType<typeof copySkill>>;
let metadata: string;
beforeEach(async () => {
  skill = await copySkill();
  metadata = `${skill.folder}/metadata.json`;
});
afterEach(() => skill.remove());

async function reviewNow(comment = "fine"): Promise<Review> {
  return {
    schema: "hasp.review/1",
    when: CLOCK.now(),
    skillId: "insufficient_exploration",
    version: 1,
    reviewed: await fingerprintOfFolder(files, skill.folder),
    teacher: { id: "teacher", model: "teacher" },
    prompt: "review-1",
    scores: GOOD,
    qSkill: qSkillOf(GOOD),
    decision: "accept",
    basis: "q_skill",
    comments: { concept: comment },
    suggestions: [],
    cases: { held: 0, total: 0 },
    usage: { inputTokens: 1, outputTokens: 1 },
    tries: 1,
  };
}
const commentsIn = async (): Promise<string[]> =>
  ((await readReviews(files, skill.folder)).value ?? []).map((review) => review.comments.concept ?? "");

describe("metadata.json", () => {
  it("is made for the first review, and gets every later one at its end", async () => {
    expect(await readReviews(files, skill.folder)).toEqual({ value: [], diagnostics: [] });
    expect(await appendReview(files, skill.folder, await reviewNow("first"))).toEqual([]);
    expect(await appendReview(files, skill.folder, await reviewNow("second"))).toEqual([]);
    expect(await commentsIn()).toEqual(["first", "second"]);
    const raw = JSON.parse(await readFile(metadata, "utf8")) as object;
    expect(Object.keys(raw)).toEqual(["schema", "reviews"]);
    expect((await readdir(skill.folder)).toSorted()).toEqual([
      "SKILL.md",
      "cases.yaml",
      "metadata.json",
      "pf.ts",
    ]);
  });

  it("keeps what is not ours, in its place, and reviews that it cannot read", async () => {
    const foreign =
      '{"author": {"name": "A"}, "reviews": [{"schema": "hasp.review/9"}], "__proto__": 1, "x": null}';
    await writeFile(metadata, foreign);
    expect(await appendReview(files, skill.folder, await reviewNow())).toEqual([]);
    const text = await readFile(metadata, "utf8");
    const raw = JSON.parse(text) as { author: unknown; reviews: unknown[]; x: unknown };
    expect(Object.keys(raw)).toEqual(["schema", "author", "reviews", "__proto__", "x"]);
    expect(raw).toMatchObject({ author: { name: "A" }, x: null });
    expect(raw.reviews[0]).toEqual({ schema: "hasp.review/9" });
    const { value, diagnostics } = await readReviews(files, skill.folder);
    expect(value).toHaveLength(1);
    expect(diagnostics).toMatchObject([{ code: "HASP712", severity: "warning" }]);
  });

  it.each([
    ["{ broken", "HASP710"],
    ["", "HASP710"],
    ["[]", "HASP710"],
    ["null", "HASP710"],
    ['{"reviews": {}}', "HASP710"],
    ['{"schema": "hasp.skill-metadata/2", "reviews": []}', "HASP711"],
    ['{"schema": 7}', "HASP711"],
  ])("that reads %s is not replaced, and a diagnostic says why", async (text, code) => {
    await writeFile(metadata, text);
    expect(await appendReview(files, skill.folder, await reviewNow())).toMatchObject([
      { code, severity: "error", file: metadata },
    ]);
    expect(await readFile(metadata, "utf8")).toBe(text);
    expect((await readReviews(files, skill.folder)).value).toBeUndefined();
    expect(await readdir(skill.folder)).not.toContain("metadata.json.lock");
  });

  it("keeps all of many reviews that come at once, from several openers of the file", async () => {
    const names = Array.from({ length: 12 }, (_, i) => `review ${i}`);
    const reviews = await Promise.all(names.map((name) => reviewNow(name)));
    await Promise.all(reviews.map((review) => appendReview(reviewFiles(nodeFiles()), skill.folder, review)));
    expect((await commentsIn()).toSorted()).toEqual(names.toSorted());
    expect((await readdir(skill.folder)).filter((name) => /\.(lock|tmp)$/.test(name))).toEqual([]);
  });

  it("is not kept shut by a process that was killed", async () => {
    const lock = `${metadata}.lock`;
    await writeFile(lock, "");
    const old = new Date(Date.now() - 60_000);
    await utimes(lock, old, old);
    expect(await appendReview(files, skill.folder, await reviewNow())).toEqual([]);
    expect(await commentsIn()).toEqual(["fine"]);
  });

  it("does not believe a review whose numbers do not follow from its scores", async () => {
    const honest = await reviewNow();
    const bribed = [
      { ...honest, qSkill: 1 },
      { ...honest, scores: { ...GOOD, exec: 0.1 }, qSkill: qSkillOf({ ...GOOD, exec: 0.1 }) },
      { ...honest, said: "REJECT" },
      { ...honest, scores: { ...GOOD, concept: 2 } },
    ];
    await writeFile(
      metadata,
      JSON.stringify({ schema: "hasp.skill-metadata/1", reviews: [...bribed, honest] }),
    );
    const { value, diagnostics } = await readReviews(files, skill.folder);
    expect(value).toEqual([honest]);
    expect(diagnostics.map((d) => d.code)).toEqual(["HASP712", "HASP712", "HASP712", "HASP712"]);
  });
});

describe("a review", () => {
  it.each(REVIEWED_FILES)("is stale after an edit of %s, and says so by name", async (name) => {
    const review = await reviewNow();
    expect(changedSince(review, await fingerprintOfFolder(files, skill.folder))).toEqual([]);
    await appendFile(`${skill.folder}/${name}`, "\n");
    expect(changedSince(review, await fingerprintOfFolder(files, skill.folder))).toEqual([name]);
  });

  it("is stale when a file is gone, and current again when it is back; metadata.json does not count", async () => {
    const review = await reviewNow();
    const cases = `${skill.folder}/cases.yaml`;
    const text = await readFile(cases, "utf8");
    await rm(cases);
    expect(changedSince(review, await fingerprintOfFolder(files, skill.folder))).toEqual(["cases.yaml"]);
    await writeFile(cases, text);
    await appendReview(files, skill.folder, review);
    expect(changedSince(review, await fingerprintOfFolder(files, skill.folder))).toEqual([]);
  });
});
