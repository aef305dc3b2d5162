import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readRealm, readShipped, writeShipped } from "../../../src/platform/hook-shipped.ts";
import type { RealmImage } from "../../../src/sandbox/realm-image.ts";

const IMAGE: RealmImage = {
  mark: "m",
  anchor: 1,
  guest: 2,
  answers: [["a", "{}"]],
  pages: [0, 3],
  bytes: Buffer.from("what is in the pages"),
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "hasp-shipped-"));
  writeShipped(folder, { skills: [], refs: [], kept: [] }, IMAGE);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (): RealmImage | undefined => readRealm(folder, readShipped(folder));
const library = (): string => path.join(folder, "hook-library.json");
const change = (file: string, from: string, to: string): void =>
  writeFileSync(file, readFileSync(file, "utf8").replace(from, to));

describe("the image of the shipped skills' sandbox", () => {
  it("is read as it was written", () => {
    expect(read()).toEqual(IMAGE);
  });

  it.each<[string, () => void]>([
    ["its bytes were changed", () => change(path.join(folder, "hook-realm.bin"), "what", "that")],
    ["its bytes were cut", () => writeFileSync(path.join(folder, "hook-realm.bin"), "what")],
    ["its bytes are gone", () => rmSync(path.join(folder, "hook-realm.bin"))],
    ["it names another address", () => change(library(), '"guest":2', '"guest":3')],
    ["it answers otherwise for a PF", () => change(library(), '[["a","{}"]]', '[["b","{}"]]')],
    ["it names other pages", () => change(library(), "[0,3]", "[0,4]")],
    ["its folder is open to everybody", () => chmodSync(folder, 0o777)],
  ])("is left aside where %s, and the sandbox is filled instead", (_what, tamper) => {
    tamper();
    expect(read()).toBeUndefined();
  });
});
