import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { agentHostCommand, ALONE, HOST_PACKAGES, SESSION_PACKAGES } from "../../scripts/lib/agent-hosts.mts";

const PACKAGES = { ...HOST_PACKAGES, ...SESSION_PACKAGES };

test.each(Object.keys(PACKAGES) as (keyof typeof PACKAGES)[])("%s starts without a network", (host) => {
  const home = mkdtempSync(path.join(tmpdir(), "hasp-host-version-"));
  try {
    const [file, ...args] = [...ALONE, ...agentHostCommand(host), "--version"];
    const said = execFileSync(file, args, {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: home },
      stdio: "pipe",
    });
    expect(said).toContain(PACKAGES[host].version);
  } finally {
    rmSync(home, { recursive: true });
  }
});
