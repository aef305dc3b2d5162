import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { trainDataOrder, type TrainDataRequest } from "../../../src/app/train-data/assemble.ts";
import { nodeFiles } from "../../../src/platform/files.ts";
import { episode } from "../trace/support.ts";

vi.mock(import("../../../src/domains/registered.ts"), async (original) => {
  const { REGISTERED } = await original();
  const { estimate } = await import("../../support/estimate-domain/estimate.ts");
  return { REGISTERED: [...REGISTERED, estimate] };
});

let root = "";
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "hasp-pairs-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Whether an order of a run of this domain has pairs of revisions. */
async function pairsOf(domain: string, more: Partial<TrainDataRequest> = {}): Promise<boolean | undefined> {
  const run = path.join(root, domain);
  await mkdir(run, { recursive: true });
  const one = episode("a");
  const line = JSON.stringify({ ...one, facts: { ...one.facts, domain } });
  await writeFile(path.join(run, "episodes.jsonl"), `${line}\n`);
  const request = { runs: [run], output: undefined, signal: new AbortController().signal, ...more };
  return (await trainDataOrder(request, nodeFiles())).value?.dpoRevised;
}

it("a domain in which nothing is ever modified has pairs of revisions, unless a person says otherwise", async () => {
  expect(await pairsOf("estimate")).toBe(true);
  expect(await pairsOf("estimate", { dpoRevised: false })).toBe(false);
  expect(await pairsOf("web-search")).toBe(false);
  expect(await pairsOf("web-search", { dpoRevised: true })).toBe(true);
});
