import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LinkError, ReplyError, type CallOptions } from "../../../../src/jobs/remote/ports.ts";
import { sshLink } from "../../../../src/platform/remote/ssh-link.ts";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "hasp-ssh-link-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Why a request to a host fails, with a shell script in place of ssh. */
async function faultWith(script: string, options?: CallOptions): Promise<unknown> {
  fs.writeFileSync(path.join(folder, "ssh"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const environment = { PATH: `${folder}${path.delimiter}${process.env["PATH"] ?? ""}` };
  const target = { kind: "ssh", host: "box", folder: "~/hasp", setup: [], options: [] } as Parameters<
    typeof sshLink
  >[0];
  const link = sshLink(target, async () => new Uint8Array(), environment);
  try {
    for await (const _ of link.call({ op: "probe" }, options));
  } catch (error) {
    return error instanceof LinkError || error instanceof ReplyError ? error.fault : error;
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

  const pid = (): number => Number(fs.readFileSync(path.join(folder, "pid"), "utf8"));
  const isGone = (): boolean => {
    try {
      return !process.kill(pid(), 0);
    } catch {
      return true;
    }
  };

  test.each([
    ["says nothing", "exec sleep 60", { bytes: 1e6, totalMs: 300 }],
    ["says nothing for too long", "exec sleep 60", { bytes: 1e6, silenceMs: 300 }],
    ["writes errors without an end", "exec yes >&2", { bytes: 1e6, totalMs: 300 }],
  ])("ends a target that %s", async (_name, script, limits) => {
    expect(await faultWith(`echo $$ > "${folder}/pid"; ${script}`, { limits })).toBe("time");
    await expect.poll(isGone, { timeout: 10_000 }).toBe(true);
  });

  test("ends a target that writes without an end", async () => {
    expect(await faultWith(`echo $$ > "${folder}/pid"; exec yes`)).toBe("size");
    await expect.poll(isGone, { timeout: 10_000 }).toBe(true);
  });
});
