import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decisionOf, openScene, preEvent, type HookScene } from "../support/hook-process.ts";

/** Code that V8 compiled is kept with the user, and nowhere that another user could have laid it. */
let scene: HookScene;
beforeEach(() => {
  scene = openScene("caches");
  mkdirSync(temporary());
  scene.env["TMPDIR"] = temporary();
});
afterEach(() => scene.close());

const PATIENCE = 60_000;
const temporary = (): string => path.join(scene.base, "tmp");
const cache = (): string => path.join(scene.base, "cache/hasp/v8");
const filesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];

async function commands(): Promise<void> {
  expect(decisionOf(await scene.hook(preEvent(scene, "s", "1")))).toBe("deny");
  expect((await scene.hasp("validate", "hasp.yaml")).code).toBeGreaterThanOrEqual(0);
}

describe("the code cache of V8", () => {
  it(
    "is a folder of the user's own, for nobody else",
    async () => {
      await commands();
      expect(filesIn(cache()).length).toBeGreaterThan(0);
      expect(statSync(cache()).mode & 0o777).toBe(0o700);
      expect(filesIn(temporary())).toEqual([]);
    },
    PATIENCE,
  );

  it.each<[string, () => void]>([
    ["others may write to it", () => chmodSync(cache(), 0o777)],
    ["its group may write to it", () => chmodSync(cache(), 0o770)],
  ])(
    "is left aside where %s",
    async (_what, plant) => {
      mkdirSync(cache(), { recursive: true });
      plant();
      await commands();
      expect(filesIn(cache())).toEqual([]);
      expect(filesIn(temporary())).toEqual([]);
    },
    PATIENCE,
  );

  it(
    "is left aside where it is a link",
    async () => {
      const elsewhere = path.join(scene.base, "elsewhere");
      mkdirSync(elsewhere);
      mkdirSync(path.dirname(cache()), { recursive: true });
      symlinkSync(elsewhere, cache());
      await commands();
      expect(filesIn(elsewhere)).toEqual([]);
    },
    PATIENCE,
  );
});
