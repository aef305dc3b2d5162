import { expect, it } from "vitest";
import { conditionsOf, refuseOtherConditions } from "../../../../src/app/internalised/comparable.ts";
import { checked } from "../../../../src/app/refusal.ts";
import { play } from "../../../support/episodes.ts";
import type { Run } from "../../../../src/model/episode.ts";

async function refusalOf(a: object, b: object): Promise<string | undefined> {
  const episode = await play({});
  const run = (settings: object): Run => ({
    schema: "hasp.run/1",
    id: "r",
    title: "r",
    domain: "web-search",
    createdAt: "2026-11-26T12:00:00Z",
    source: "hasp",
    settings: { ...settings },
  });
  const of = (name: "beforeOn" | "afterOn", settings: object) =>
    conditionsOf({ name, title: name, folder: name }, run(settings), episode);
  const { diagnostics } = await checked(async () =>
    refuseOtherConditions(of("beforeOn", a), of("afterOn", b)),
  );
  return diagnostics[0]?.message;
}

it("takes another port of a server of this machine for no difference, and another host for one", async () => {
  const served = (port: number, host = "127.0.0.1") => ({
    teacher: `http://${host}:${port}/v1#teacher`,
    retriever: { kind: "http", url: `http://${host}:${port}/search`, topK: 5 },
  });
  expect(await refusalOf(served(8001), served(9002))).toBeUndefined();
  expect(await refusalOf(served(8001), served(8001, "other.example"))).toContain(
    "differ in retriever, teacher.",
  );
});

it("takes the policy for no difference, and its sampling for one", async () => {
  const sampling = { temperature: 0.9, maxTokens: 512, seed: 42 };
  expect(await refusalOf({ policy: "a", sampling }, { policy: "b", sampling })).toBeUndefined();
  expect(await refusalOf({ sampling }, { sampling: { ...sampling, seed: 43 } })).toContain(
    "sampling and seed",
  );
});
