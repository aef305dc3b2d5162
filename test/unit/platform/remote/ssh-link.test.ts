import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LinkError } from "../../../../src/jobs/remote/ports.ts";
import { sshLink } from "../../../../src/platform/remote/ssh-link.ts";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hasp-ssh-link-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Why a request to a host fails, with a shell script in place of ssh. */
async function faultWith(script: string): Promise<unknown> {
  fs.writeFileSync(path.join(folder, "ssh"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const environment = { PATH: `${folder}${path.delimiter}${process.env["PATH"] ?? ""}` };
  const target = { kind: "ssh", host: "box", folder: "~/hasp", setup: [], options: [] } as Parameters<
    typeof sshLink
  >[0];
  const link = sshLink(target, async () => new Uint8Array(), environment);
  try {
    for await (const _ of link.call({ op: "probe" }));
  } catch (error) {
    return error instanceof LinkError ? error.fault : error;
  }
  return undefined;
}

describe.skipIf(process.platform === "win32")("The link to a target", () => {
  test("hears the reason of an ssh that has ended before it is read", async () => {
    expect(await faultWith(`(sleep 0.2; echo "Permission denied (publickey)." >&2) >&- & exit 255`)).toBe(
      "login",
    );
  });

  test("ends where another process keeps the pipe of errors", async () => {
    const script = `sleep 60 >&- & echo $! > "${folder}/pid"; echo "Connection refused" >&2; exit 255`;
    const fault = await faultWith(script);
    process.kill(Number(fs.readFileSync(path.join(folder, "pid"), "utf8")));
    expect(fault).toBe("no-listener");
  });
});
