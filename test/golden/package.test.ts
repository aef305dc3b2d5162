import { readdirSync } from "node:fs";
import path from "node:path";
import { listFiles } from "@vscode/vsce";
import { expect, it } from "vitest";
import { ROOT } from "../support/core.ts";

it(
  "the package holds every file of the build that a hook reads: without one, guards would be off",
  { timeout: 120_000 },
  async () => {
    const packaged = new Set(await listFiles({ cwd: ROOT, packagedDependencies: [] }));
    const built = readdirSync(path.join(ROOT, "dist")).filter((name) =>
      /^(?:hook|quickjs|hasp\.cjs$)/.test(name),
    );
    expect(built).toEqual(
      expect.arrayContaining(["hook.cjs", "hook-library.json", "hook-realm.bin", "quickjs.wasm"]),
    );
    expect(built.filter((name) => !packaged.has(`dist/${name}`))).toEqual([]);
  },
);
