import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openBubblewrap } from "../../../src/platform/containment/bubblewrap.ts";
import { makePackages } from "../../../src/platform/containment/packages.ts";
import { systemPython } from "../../../src/platform/containment/system-python.ts";
import { isContainment } from "../../../src/scoring/containment.ts";
import { folderForAll } from "../../support/folder-for-all.ts";

const probed = await openBubblewrap(1);
const python = isContainment(probed) ? probed.python : "";
if (isContainment(probed)) await probed.close();

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

const PROGRAM = `import json, os, subprocess, sys
import guest_module
inside = subprocess.run([sys.executable, "-c", "import guest_module; print(guest_module.VALUE)"], capture_output=True, text=True)
print(guest_module.VALUE, inside.stdout.strip(), sys.path[-1], os.environ["OMP_NUM_THREADS"], os.environ["OPENBLAS_NUM_THREADS"])
`;

it.skipIf(python === "")(
  "packages can be imported by a program and by processes that it starts, and begin no threads for each processor (skipped without Bubblewrap)",
  async () => {
    const cache = folderForAll("hasp-guest-packages-");
    vi.stubEnv("XDG_CACHE_HOME", cache);
    const folder = path.join(cache, process.getuid?.() === 0 ? "hasp-packages" : "hasp/packages");
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, "guest_module.py"), "VALUE = 7\n");
    const ready = { schema: "hasp.packages/1", python: python.split(".").slice(0, 2).join(".") };
    fs.writeFileSync(path.join(folder, "hasp-packages.json"), JSON.stringify(ready));
    const containment = await openBubblewrap(1);
    if (!isContainment(containment)) throw new Error(containment.why);
    const limits = { wallMs: 30_000, memoryBytes: 1 << 30, outputBytes: 1 << 20 };
    const order = { program: PROGRAM, input: "", limits };
    const { stdout, stderr } = await containment.start(order, new AbortController().signal).ended;
    await containment.close();
    fs.rmSync(cache, { recursive: true });
    expect({ stdout, stderr }).toEqual({ stdout: "7 7 /packages 1 1\n", stderr: "" });
    expect(containment.packages).toContain("guest_module");
  },
);
