import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sessionPlaces } from "../../../src/platform/session-places.ts";
import { inSurroundings } from "../../../src/platform/surroundings.ts";

function homeWith(...projects: readonly string[]): string {
  const home = mkdtempSync(path.join(tmpdir(), "hasp-places-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const name of projects) mkdirSync(path.join(home, ".claude/projects", name), { recursive: true });
  return home;
}

const placesOf = (home: string, root: string, chats?: string) =>
  inSurroundings({ cwd: root, env: { HOME: home } }, () => sessionPlaces(root, chats));

test("the sessions of a workspace come first: those of the project that Claude Code names by its path, and chats", async () => {
  const home = homeWith("-home-me-my-work", "-home-me-my-work-too");
  const places = await placesOf(home, "/home/me/my.work", "/state/chatSessions");
  expect(places.map(({ host, of, folder }) => [host, of, path.relative(home, folder)])).toEqual([
    ["Claude Code", "this workspace", ".claude/projects/-home-me-my-work"],
    ["VS Code", "this workspace", path.relative(home, "/state/chatSessions")],
    ["Claude Code", "all workspaces", ".claude/projects"],
    ["Codex", "all workspaces", ".codex/sessions"],
    ["Gemini CLI", "all workspaces", ".gemini/tmp"],
  ]);
});

test("of a path that is too long for the name of a folder, its beginning tells", async () => {
  const root = `/home/${"deep/".repeat(50)}work`;
  const start = root.replaceAll(/[^A-Za-z0-9]/g, "-").slice(0, 200);
  const home = homeWith(`${start}-1a2b3c`, "-home-deep");
  const [first] = await placesOf(home, root);
  expect(path.basename(first?.folder ?? "")).toBe(`${start}-1a2b3c`);
});
