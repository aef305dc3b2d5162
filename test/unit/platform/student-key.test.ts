import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, describe, expect, test } from "vitest";
import { withStudent } from "../../../src/llm/keys.ts";
import { environmentKeys } from "../../../src/platform/env-keys.ts";
import { newStudentKey, studentOfJob } from "../../../src/platform/student-key.ts";

const place = mkdtempSync(path.join(tmpdir(), "hasp-student-key-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const ADDRESS = "http://127.0.0.1:8123/v1#student";
const modeOf = (file: string): number => statSync(file).mode & 0o777;

test("a key is new each time, in a file of this user alone, until it is removed", () => {
  const [key, other] = [newStudentKey(), newStudentKey()];
  try {
    expect(key.value).toMatch(/^[0-9a-f]{64}$/);
    expect([key.value, key.file]).not.toEqual([other.value, other.file]);
    const modes = process.platform === "win32" ? [] : [modeOf(key.file), modeOf(path.dirname(key.file))];
    expect(modes).toEqual(process.platform === "win32" ? [] : [0o600, 0o700]);
    const variables = { HASP_STUDENT: ADDRESS, HASP_STUDENT_KEY_FILE: key.file };
    expect(studentOfJob(variables)).toEqual({ address: ADDRESS, key: key.value });
  } finally {
    key.remove();
    other.remove();
  }
  expect(existsSync(path.dirname(key.file))).toBe(false);
  expect(studentOfJob({ HASP_STUDENT: ADDRESS, HASP_STUDENT_KEY_FILE: key.file })).toBeUndefined();
});

describe("a file that holds no key of a student is not sent anywhere", () => {
  const at = (name: string, content: string): string => {
    writeFileSync(path.join(place, name), content);
    return path.join(place, name);
  };
  mkdirSync(path.join(place, "folder"));
  test.each([
    ["a private key", at("ssh", `-----BEGIN KEY-----\n${"a".repeat(64)}\n`)],
    ["a key of another service", at("service", `sk-${"a1".repeat(31)}-`)],
    ["a key and more", at("more", `${"a".repeat(64)}\n`)],
    ["a folder", path.join(place, "folder")],
    ["a device", "/dev/zero"],
    ["nothing", path.join(place, "nothing")],
  ])("%s", (_, file) => {
    expect(studentOfJob({ HASP_STUDENT: ADDRESS, HASP_STUDENT_KEY_FILE: file })).toBeUndefined();
  });
});

test("the key goes to the student's own origin, and to this machine alone", async () => {
  const others = environmentKeys({ OPENAI_API_KEY: "sk-a", HASP_KEY_127_0_0_1_8124: "another" });
  const at = (address: string) => withStudent(others, () => ({ address, key: "k".repeat(64) }));
  const keys = at(ADDRESS);
  expect(await keys.keyFor("http://127.0.0.1:8123")).toBe("k".repeat(64));
  expect(await keys.keyFor("http://127.0.0.1:8124")).toBe("another");
  expect(await keys.keyFor("https://api.openai.com")).toBe("sk-a");
  for (const origin of ["https://127.0.0.1:8123", "http://localhost:8123", "http://127.0.0.1:81234", "null"])
    expect(await keys.keyFor(origin)).toBeUndefined();
  for (const address of ["https://evil.example/v1#student", "http://127.0.0.1.evil.example/v1#x", "#x", ""])
    expect(await at(address).keyFor(address.split("/v1")[0] ?? "")).toBeUndefined();
  expect(await withStudent(others, () => undefined).keyFor("http://127.0.0.1:8123")).toBeUndefined();
});
