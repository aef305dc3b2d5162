import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { openBubblewrap } from "../../../src/platform/containment/bubblewrap.ts";
import { isContainment } from "../../../src/scoring/containment.ts";
import { folderForAll } from "../../support/folder-for-all.ts";

const opened = await openBubblewrap(1);
const why = isContainment(opened) ? "" : ` (skipped: ${opened.why})`;
if (isContainment(opened)) await opened.close();

/** Descriptor that the starter of a containment is itself started with, as a terminal's or an editor's child may be. */
const LEFT_OPEN = 40;

const PROGRAM = `import os
found = []
for name in os.listdir("/proc/1/fd"):
    try: found += os.listdir("/proc/1/fd/" + name)
    except OSError: pass
os.write(3, ("found %s\\n" % found).encode())`;

const STARTER = `
import { openBubblewrap } from ${JSON.stringify(path.resolve("src/platform/containment/bubblewrap.ts"))};
const containment = await openBubblewrap(1);
const order = { program: ${JSON.stringify(PROGRAM)}, input: "", limits: { wallMs: 60000, memoryBytes: 1 << 30, outputBytes: 4096 } };
for await (const line of containment.start(order, new AbortController().signal).results) console.log(line);
await containment.close();
`;

test.skipIf(!isContainment(opened))(
  `a program finds no folder that the starter of its containment was started with${why}`,
  async () => {
    const folder = folderForAll("hasp-left-open-");
    fs.writeFileSync(path.join(folder, "starter.mts"), STARTER);
    const descriptor = fs.openSync(folder, "r");
    const unused = Array.from({ length: LEFT_OPEN - 3 }, () => "ignore" as const);
    const starter = spawn(process.execPath, [path.join(folder, "starter.mts")], {
      stdio: ["ignore", "pipe", "inherit", ...unused, descriptor],
    });
    let said = "";
    starter.stdout?.on("data", (chunk) => (said += String(chunk)));
    await new Promise((resolve) => starter.once("close", resolve));
    fs.closeSync(descriptor);
    fs.rmSync(folder, { recursive: true });
    expect(said).toBe("found []\n");
  },
);
