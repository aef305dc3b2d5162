import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { missingForCluster } from "../../scripts/lib/cluster.mts";
import type { HostileCase, HostileDeeds } from "../support/hostile-deeds.mts";
import { BAD_HASHES, BAD_NAMES } from "../support/hostile-names.ts";
import {
  ENDLESS,
  lookReply,
  SIGHT,
  writeHostileTarget,
  type HostileReply,
} from "../support/hostile-target.ts";
import { startSshd, type Sshd } from "../support/sshd.ts";
import { THOROUGH } from "../support/thorough.ts";

const missing = missingForCluster();
const note = missing === undefined ? "" : ` (skipped: ${missing})`;

const thorough = THOROUGH ? "" : " (skipped: `npm test -- --thorough` runs it)";

/** Bytes that a process may have in memory, whatever a target sends. */
const MOST_MEMORY = 300e6;
const AT = "2026-01-02T03:04:05.000Z";
const A = "workspace/runs/r1/a.txt";
const HASH = createHash("sha256").update("12345").digest("hex");

const entry = (fields: object = {}): readonly [object, string] => [
  { path: A, size: 5, hash: HASH, ...fields },
  "",
];
const manifest = (...entries: readonly (readonly [object, string])[]): HostileReply => ({ frames: entries });

const NAMES: readonly HostileCase[] = BAD_NAMES.map((name) => ({
  name,
  deed: "fetch",
  plan: { manifest: manifest(entry(), entry({ path: name })) },
}));
const HASHES: readonly HostileCase[] = BAD_HASHES.map((hash) => ({
  name: hash,
  deed: "fetch",
  plan: { manifest: manifest(entry({ hash })) },
}));

const endless = (deed: HostileCase["deed"], op: string): readonly HostileCase[] =>
  Object.entries(ENDLESS).map(([name, reply]) => ({ name: `${deed}: ${name}`, deed, plan: { [op]: reply } }));

const METRICS = 1;
const LOG = 2;
const lines = "0\n".repeat(100_000);
const UNENDING: readonly HostileCase[] = [
  ...endless("status", "look"),
  {
    name: "fetch: entries",
    deed: "fetch",
    plan: { manifest: { endless: `${JSON.stringify({ path: A, size: 5, hash: HASH, bytes: 0 })}\n` } },
  },
  {
    name: "fetch: a file of five bytes",
    deed: "fetch",
    plan: {
      manifest: manifest(entry()),
      get: { endless: `{"path":"{path}","bytes":100}\n${"x".repeat(100)}` },
    },
  },
  {
    name: "fetch: a file in empty pieces",
    deed: "fetch",
    plan: { manifest: manifest(entry()), get: { endless: '{"path":"{path}","bytes":0}\n' } },
  },
  {
    name: "status: a state of lines that cannot be read",
    deed: "status",
    plan: { look: { ...lookReply([[{ file: 0, offset: 0 }, "x\n".repeat(100_000)]]) } },
  },
  {
    name: "follow: metrics of lines that are none",
    deed: "follow",
    plan: {
      look: lookReply([[{ file: METRICS, offset: 0 }, lines]], { sight: { ...SIGHT, isAlive: false } }),
    },
  },
];

const UNENDING_ELSEWHERE: readonly HostileCase[] = [
  ...endless("follow", "look"),
  ...endless("fetch", "manifest"),
  ...endless("submit", "probe"),
  { name: "status: more and more", deed: "status", plan: { look: lookReply([], { isMore: true }) } },
];

const FORMS: readonly HostileCase[] = [
  { name: "a list", deed: "status", plan: { look: lookReply([], { sight: [] }) } },
  { name: "numbers", deed: "status", plan: { look: lookReply([], { sight: { ...SIGHT, isThere: 5 } }) } },
  {
    name: "control characters",
    deed: "status",
    plan: { look: lookReply([], { sight: { ...SIGHT, entries: "\u001b]0;owned\u0007\u202e" } }) },
  },
  { name: "a place elsewhere", deed: "status", plan: { look: lookReply([[{ file: LOG, offset: 9 }, "x"]]) } },
  { name: "another file", deed: "status", plan: { look: lookReply([[{ file: "../x", offset: 0 }, "x"]]) } },
  { name: "a size below zero", deed: "fetch", plan: { manifest: manifest(entry({ size: -5 })) } },
  { name: "no size", deed: "fetch", plan: { manifest: manifest([{ path: A }, ""]) } },
  {
    name: "two that are one",
    deed: "fetch",
    plan: { manifest: manifest(entry(), entry({ path: A.toUpperCase() })) },
  },
  {
    name: "two that are one by case",
    deed: "fetch",
    plan: { manifest: manifest(entry(), entry({ path: "workspace/runs/r1/A.txt" })) },
  },
  {
    name: "another content",
    deed: "fetch",
    plan: { manifest: manifest(entry()), get: { frames: [[{ path: A }, "54321"]] } },
  },
  { name: "no answer", deed: "submit", plan: {} },
  { name: "a root elsewhere", deed: "submit", plan: { probe: { frames: [[{ root: "../x\n" }, ""]] } } },
];

describe.skipIf(missing !== undefined)(`a target that means ill${note}`, () => {
  let sshd: Sshd;
  let place: string;
  let folder: string;
  beforeAll(async () => {
    sshd = await startSshd();
    place = path.join(sshd.folder, "person");
    folder = path.join(place, "workspace/.hasp/jobs/j1");
    for (const made of [folder, path.join(place, "victim"), path.join(place, "workspace/.git/hooks")])
      fs.mkdirSync(made, { recursive: true });
    for (const name of [
      "victim/.bash_profile",
      "victim/foreign.part",
      "foreign.part",
      "workspace/foreign.part",
    ])
      fs.writeFileSync(path.join(place, name), "mine");
    const commands = [{ program: "hasp", args: [], about: "" }];
    const spec = {
      schema: "hasp.job/1",
      id: "j1",
      title: "One",
      cwd: "../../..",
      env: {},
      passEnv: [],
      commands,
    };
    fs.writeFileSync(
      path.join(folder, "job.json"),
      JSON.stringify({ ...spec, outputs: ["runs/r1"], metrics: ["runs/r1/metrics.jsonl"] }),
    );
  });
  afterAll(() => sshd.stop());

  /** Every file of the person's but the copies of the job's own folder, with its text. */
  function filesThere(): Readonly<Record<string, string>> {
    const names = fs.readdirSync(place, { recursive: true, encoding: "utf8" }).toSorted();
    const files = names.filter((name) => fs.statSync(path.join(place, name)).isFile());
    const copies =
      /^workspace\/\.hasp\/jobs\/j1\/(?:(?:log|mirror)\.\w+|\w+\.jsonl?|metrics\/1\.jsonl|fetch\/[\da-f]{64}\.part)$/;
    const own = files.filter((name) => !copies.test(name));
    return Object.fromEntries(own.map((name) => [name, fs.readFileSync(path.join(place, name), "utf8")]));
  }

  async function told(cases: readonly HostileCase[]): Promise<readonly (readonly [string, string])[]> {
    const target = {
      kind: "ssh",
      host: sshd.host,
      folder: "~/hasp",
      setup: [writeHostileTarget(sshd.folder, path.resolve("test/support/hostile-target.py")).setup],
    };
    const lab = { kind: "target", at: AT, name: "lab", target, root: "/there" };
    const submitted = { kind: "submitted", at: AT, number: 1, job: "runner" };
    fs.writeFileSync(
      path.join(folder, "target.jsonl"),
      [lab, submitted].map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
    const file = path.join(sshd.folder, "cases.json");
    fs.writeFileSync(file, JSON.stringify(cases));
    const before = filesThere();
    const program = path.resolve("test/support/hostile-deeds.mts");
    const { stdout } = await execa(
      process.execPath,
      [program, JSON.stringify(target), folder, sshd.folder, file],
      {
        env: sshd.clientEnv,
      },
    );
    const { said, peak } = JSON.parse(stdout) as HostileDeeds;
    expect(filesThere()).toEqual(before);
    expect(peak).toBeLessThan(MOST_MEMORY);
    for (const [, words] of said) expect(words).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    return said.map(([name, words]) => [JSON.stringify(name), words.replaceAll(place, "<place>")]);
  }

  // All names and hashes are those of fetch-outputs.test.ts, too.
  test("names nothing but outputs", async () => {
    const some = THOROUGH ? NAMES : NAMES.filter((_, i) => i % 6 === 5);
    for (const [name, words] of await told(some))
      expect(words, name).toMatch(/^HASP812 The target lab \(cluster\) of the job j1 names the output "/);
  });

  test("has no hash that is a path", async () => {
    for (const [name, words] of await told(THOROUGH ? HASHES : HASHES.slice(0, 2)))
      expect(words, name).toMatch(/^HASP812 .* the hash "/);
  });

  test("answers without an end", async () => {
    expect(await told(UNENDING)).toMatchSnapshot();
  });

  test.skipIf(!THOROUGH)(`answers without an end, whatever is asked${thorough}`, async () => {
    for (const [name, words] of await told(UNENDING_ELSEWHERE))
      expect(words, name).toMatch(/^HASP81[345] lab \(cluster\) .{20,300}\.$/);
  });

  test("answers in other forms", async () => {
    expect(await told(FORMS)).toMatchSnapshot();
  });
});
