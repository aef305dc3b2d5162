import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import type * as vscode from "vscode";
import { watchDeep } from "../../../src/extension/deep-watch.ts";

const uri = vi.hoisted(() => (fsPath: string) => ({ fsPath, path: fsPath, scheme: "file" }) as vscode.Uri);
vi.mock("vscode", () => ({ Uri: { file: uri } }));

const root = realpathSync(mkdtempSync(path.join(tmpdir(), "hasp-watch-")));
afterEach(() => rmSync(root, { recursive: true }));

test("a folder where a file belongs is heard of as it comes and as it goes, and other folders are not", async () => {
  const heard: string[] = [];
  const watch = watchDeep({
    isWanted: (name) => name.endsWith("/cases.yaml"),
    depth: 4,
    log: { warn: (text: string) => heard.push(text) } as unknown as vscode.LogOutputChannel,
    onFile: (file, what) => heard.push(`${what} ${path.relative(root, file.fsPath)}`),
  });
  const skill = path.join(root, "skills/a");
  mkdirSync(skill, { recursive: true });
  watch.follow([uri(path.join(root, "skills"))]);
  writeFileSync(path.join(skill, "cases.yaml"), "");
  await expect.poll(() => heard).toEqual(["add skills/a/cases.yaml"]);
  mkdirSync(path.join(skill, "b/cases.yaml"), { recursive: true });
  writeFileSync(path.join(skill, "b/cases.yaml/first.yaml"), "text");
  await expect.poll(() => heard.slice(1)).toEqual(["add skills/a/b/cases.yaml"]);
  rmSync(path.join(skill, "b/cases.yaml"), { recursive: true });
  await expect.poll(() => heard.slice(2)).toEqual(["unlink skills/a/b/cases.yaml"]);
  watch.dispose();
});
