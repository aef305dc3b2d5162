import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { makePackages } from "../../../src/platform/containment/packages.ts";
import { systemPython } from "../../../src/platform/containment/system-python.ts";

let root = "";
beforeAll(() => {
  root = fs.mkdtempSync(path.join(tmpdir(), "hasp-packages-"));
});
afterAll(() => {
  vi.unstubAllEnvs();
  fs.rmSync(root, { recursive: true });
});

it.skipIf(process.getuid?.() !== 0 || systemPython() === undefined)(
  "packages that nobody but root could read are refused before they are fetched (skipped for other users)",
  async () => {
    vi.stubEnv("XDG_CACHE_HOME", path.join(root, "cache"));
    fs.chmodSync(root, 0o700);
    const onLine = vi.fn<(line: string) => void>();
    const order = { names: ["numpy"], trainer: root, environment: { PATH: "" }, onLine };
    const { value, diagnostics } = await makePackages(order);
    expect(value).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "HASP737", message: expect.stringContaining(root) }]);
    expect(onLine).not.toHaveBeenCalled();
  },
);
