import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPfHost } from "../../../src/platform/worker-pf-host.ts";
import { FRESH_STATE, type PfHost } from "../../../src/sandbox/pf-host.ts";
import { transpile } from "../../../src/skill/transpile.ts";
import { ATTACKS, TRIGGER } from "../../support/attacks.ts";
import { pfFixture, pfFrom, question } from "../../support/pf-fixtures.ts";
import { bundleWorker } from "../../support/worker-bundle.ts";

/** Milliseconds, shorter than the product's: some attacks are waited for several times. */
const WALL = { loadMs: 3_000, graceMs: 1_200 };
const MET =
  /ran too long|ran out of memory|string too long|too large to allocate|too deeply|never settles|waits \(top-level await\)|cannot be put into words|trap|is an object of a class/;

let bundle: Awaited<ReturnType<typeof bundleWorker>>;
let host: PfHost;
beforeAll(async () => {
  bundle = await bundleWorker();
  host = startPfHost({ workerFile: bundle.file, ...WALL });
});
afterAll(async () => {
  await host.close();
  await bundle.remove();
});

const good = pfFixture("good/shorten");
const asked = question("SEARCH", `${TRIGGER} one two three four five six`);

describe("a PF that does not end is stopped, named, and the others go on", () => {
  it.each(ATTACKS)(
    "$at: $name",
    async ({ source, at }) => {
      const { value: code = "" } = transpile(source, "pf.ts");
      const [, bad] = await host.load([good, pfFrom("bad", code)]);
      if (at === "load") expect(bad).toMatchObject({ ok: false, message: expect.stringMatching(MET) });
      else {
        expect(bad).toMatchObject({ ok: true });
        const [other, verdict] = await host.step(
          new Map([
            ["shorten", FRESH_STATE],
            ["bad", FRESH_STATE],
          ]),
          asked,
        );
        expect(verdict).toMatchObject({ skillId: "bad", kind: "error", message: expect.stringMatching(MET) });
        expect(other).toMatchObject({ skillId: "shorten", kind: "fired" });
      }
      expect(await host.step(new Map([["shorten", FRESH_STATE]]), asked)).toMatchObject([{ kind: "fired" }]);
    },
    60_000,
  );

  it("in at least thirty ways", () => expect(ATTACKS.length).toBeGreaterThanOrEqual(30));
});
