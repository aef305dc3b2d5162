import { test } from "vitest";
import { createSandbox } from "/work/main/src/sandbox/quickjs-host.ts";
import { createPfHost } from "/work/main/src/sandbox/create-pf-host.ts";
import { FRESH_STATE } from "/work/main/src/sandbox/pf-host.ts";
import { pfFixture, pfFixtureNames, question } from "/work/main/test/support/pf-fixtures.ts";
test("try", async () => {
  const host = createPfHost(createSandbox(() => performance.now()));
  console.log(await host.load(pfFixtureNames("unloadable").map((n) => pfFixture(n))));
  const good = pfFixtureNames("good").map((n) => pfFixture(n));
  console.log(await host.load(good));
  console.log(JSON.stringify(await host.step(new Map(good.map((g) => [g.skillId, FRESH_STATE])), question("SEARCH", "a b c d e f g h who")), null, 1));
  for (const name of pfFixtureNames("hostile")) {
    if (name.endsWith("native-loop")) continue;
    const bad = pfFixture(name);
    const l = await host.load([...good, bad]);
    const t0 = performance.now();
    const v = await host.step(new Map([...good, bad].map((g) => [g.skillId, FRESH_STATE])), question("SEARCH", "a b c d e f g h who"));
    const last: any = v.at(-1);
    console.log(name, l.at(-1)!.ok, (performance.now() - t0).toFixed(0), last.kind, last.cause, last.line, last.message, v.slice(0, -1).map((x) => x.kind).join());
  }
}, 60000);
