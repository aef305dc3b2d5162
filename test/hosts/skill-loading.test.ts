import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentHostCommand, HOST_PACKAGES } from "../../scripts/lib/agent-hosts.mts";
import { type HostListing, listByHost } from "../../src/platform/host-listing.ts";
import { inSurroundings } from "../../src/platform/surroundings.ts";
import { loadingBy, LOADING_HOSTS, LOADING_READ_FROM } from "../../src/skill/host-loading.ts";
import { hasp } from "../support/cli.ts";
import { SKILL_KINDS } from "../support/skill-kinds.ts";

const PROGRAMS = { "claude-code": "claude", codex: "codex" } as const;

/** A folder for the PATH with the pinned hosts under the names by which people start them. */
const bin = mkdtempSync(path.join(tmpdir(), "hasp-hosts-bin-"));
const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env["PATH"]}` };
beforeAll(() => {
  for (const host of LOADING_HOSTS) {
    const file = path.join(bin, PROGRAMS[host]);
    const words = agentHostCommand(host).map((word) => `'${word}'`);
    writeFileSync(file, `#!/bin/sh\nexec ${words.join(" ")} "$@"\n`);
    chmodSync(file, 0o755);
  }
});
afterAll(() => rmSync(bin, { recursive: true }));

describe.each(LOADING_HOSTS)("The skills that %s lists", (host) => {
  let listing: HostListing;
  beforeAll(async () => {
    const found = await inSurroundings({ cwd: process.cwd(), env }, () => listByHost(host, SKILL_KINDS));
    if (found === undefined) throw new Error(`${host} did not answer.`);
    listing = found;
  });

  it("are those of the version that the rules were read from", () => {
    expect(listing.version).toBe(HOST_PACKAGES[host].version);
    expect(LOADING_READ_FROM[host]).toBe(HOST_PACKAGES[host].version);
  });

  it.each(SKILL_KINDS.map((kind, i) => [kind.folder, kind, i] as const))(
    "are those of the rules: %s",
    (_, kind, i) => {
      const listed = listing.skills[i];
      const rules = loadingBy(host, kind.bytes, kind.folder);
      if (listed === undefined || "refused" in listed) {
        expect(rules.loads).toBe("no");
        // The host's own words begin like ours, and go on with its parser's.
        if (rules.loads === "no" && !rules.reason.includes("UTF-8"))
          expect(listed?.refused).toContain(rules.reason.split(":")[0]);
      } else if (rules.loads === "yes") {
        const plain = (text = ""): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "").slice(0, 200);
        expect([listed.name, plain(listed.description)]).toEqual([rules.name, plain(rules.description)]);
      } else {
        expect(rules.loads).toBe("without frontmatter");
        expect(listed.name).toBe(kind.folder);
        expect(listed.description).not.toMatch(/^Use it/);
      }
    },
  );
});

it("hasp validate --host asks the hosts that are installed", async () => {
  const place = mkdtempSync(path.join(tmpdir(), "hasp-validate-host-"));
  try {
    for (const { folder, bytes } of SKILL_KINDS.filter(({ folder }) =>
      /^(plain|byte-order-mark)$/.test(folder),
    )) {
      mkdirSync(path.join(place, "skills/agent", folder), { recursive: true });
      writeFileSync(path.join(place, "skills/agent", folder, "SKILL.md"), bytes);
    }
    const { out, code } = await hasp(["validate", "skills", "--host", "claude-code", "codex"], {
      cwd: place,
      env,
    });
    expect(out).toContain("codex 0.171.0 does not load it: missing YAML frontmatter delimited by ---");
    expect(out).toContain("claude-code 2.1.332 loads it as byte-order-mark: Use it when a build fails.");
    expect(out).toContain("codex 0.171.0 loads it as plain: Use it when a build fails.");
    expect(code).toBe(1);
  } finally {
    rmSync(place, { recursive: true });
  }
});
