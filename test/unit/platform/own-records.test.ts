import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ownRecords } from "../../../src/platform/own-records.ts";
import { inSurroundings } from "../../../src/platform/surroundings.ts";

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(os.tmpdir(), "hasp-own-")));
  mkdirSync(path.join(base, "work"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const at = (name: string): string => path.join(base, name);
const within = <T>(work: () => T, state = "state"): T =>
  inSurroundings({ cwd: at("work"), env: { HOME: base, XDG_STATE_HOME: at(state) } }, work);

it("knows an order by its place and its text, by whichever path it is named", () => {
  within(() => ownRecords().keep("job.json", "a"));
  symlinkSync(at("work"), at("link"));
  within(() => {
    const own = ownRecords();
    expect(own.has(at("work/job.json"), "a")).toBe(true);
    expect(own.has(at("link/job.json"), "a")).toBe(true);
    expect(ownRecords(at("work")).has("job.json", "a")).toBe(true);
    expect(own.has("job.json", "b")).toBe(false);
    expect(own.has(at("other/job.json"), "a")).toBe(false);
  });
});

it("another user, and a workspace that was moved, are asked anew", () => {
  within(() => ownRecords().keep("job.json", "a"));
  expect(within(() => ownRecords().has("job.json", "a"), "state of another")).toBe(false);
  renameSync(at("work"), at("moved"));
  expect(within(() => ownRecords().has(at("moved/job.json"), "a"))).toBe(false);
});

it("a state folder that cannot be written keeps nothing but for this process", () => {
  writeFileSync(at("file"), "");
  chmodSync(at("file"), 0o400);
  within(() => {
    ownRecords().keep("job.json", "a");
    expect(ownRecords().has("job.json", "a")).toBe(true);
  }, "file");
});
