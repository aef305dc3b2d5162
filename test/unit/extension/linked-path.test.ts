import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type * as vscode from "vscode";
import { guarded } from "../../../src/extension/failure.ts";
import { registerPublishSkill } from "../../../src/extension/publish/command.ts";
import { nodeFiles } from "../../../src/platform/files.ts";

/** As much of VS Code as these commands use, over real files. An edit that makes a file follows links, as the editor's does. */
const editor = vi.hoisted(() => ({
  errors: [] as string[][],
  /** The label of the button that the person presses. */
  pressed: undefined as string | undefined,
  commands: new Map<string, (...args: unknown[]) => Promise<unknown>>(),
  root: "",
}));
const { Uri } = vi.hoisted(() => {
  class Uri {
    readonly scheme = "file";
    readonly fsPath: string;
    constructor(fsPath: string) {
      this.fsPath = fsPath;
    }
    get path(): string {
      return this.fsPath;
    }
    static joinPath(uri: Uri, ...names: string[]): Uri {
      return new Uri([uri.fsPath, ...names].join("/"));
    }
  }
  return { Uri };
});
vi.mock("vscode", () => {
  type Made = readonly [InstanceType<typeof Uri>, Uint8Array];
  class WorkspaceEdit {
    readonly made: Made[] = [];
    createFile(uri: Made[0], { contents }: { contents: Uint8Array }): void {
      this.made.push([uri, contents]);
    }
  }
  return {
    Uri,
    WorkspaceEdit,
    CancellationError: class extends Error {},
    FileType: { Directory: 2, File: 1 },
    Disposable: { from: () => ({ dispose: () => undefined }) },
    commands: {
      registerCommand: (id: string, run: (...args: unknown[]) => Promise<unknown>) => {
        editor.commands.set(id, run);
        return { dispose: () => undefined };
      },
    },
    window: {
      showErrorMessage: async (message: string, ...labels: string[]) => {
        editor.errors.push([message, ...labels]);
        return editor.pressed;
      },
      showInformationMessage: async () => undefined,
    },
    workspace: {
      isTrusted: true,
      textDocuments: [],
      asRelativePath: ({ fsPath }: Made[0]) => path.relative(editor.root, fsPath),
      getWorkspaceFolder: () => ({ uri: new Uri(editor.root) }),
      applyEdit: async ({ made }: WorkspaceEdit) => {
        for (const [uri, contents] of made) {
          mkdirSync(path.dirname(uri.fsPath), { recursive: true });
          writeFileSync(uri.fsPath, contents);
        }
        return true;
      },
      fs: {
        readDirectory: async (uri: Made[0]) => readdirSync(uri.fsPath).map((name) => [name, 1]),
        readFile: async (uri: Made[0]) => readFileSync(uri.fsPath),
        stat: async (uri: Made[0]) => statSync(uri.fsPath),
      },
    },
  };
});

const ALLOW = "Allow Writing Through This Link";
const log = { error: () => undefined } as unknown as vscode.LogOutputChannel;
let base = "";
const at = (...names: string[]): string => path.join(editor.root, ...names);
const outside = (...names: string[]): string => path.join(base, "outside", ...names);

beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), "hasp-link-")));
  editor.root = path.join(base, "clone");
  editor.errors.length = 0;
  editor.pressed = undefined;
  mkdirSync(at(".git"), { recursive: true });
  mkdirSync(outside());
  vi.stubEnv("XDG_STATE_HOME", path.join(base, "state"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

describe("a command of the editor that would write through a link", () => {
  const write = (): Promise<string | undefined> =>
    guarded(log, "Writing failed", async () => {
      await nodeFiles().writeText(at(".hasp/x.json"), "{}");
      return "written";
    })();

  it("fails with what leads where, and a button", async () => {
    symlinkSync(outside(), at(".hasp"));
    expect(await write()).toBeUndefined();
    const [[message = "", ...labels] = []] = editor.errors;
    expect(message).toContain(`${at(".hasp")} is a link and leads to ${outside()}`);
    expect(labels).toEqual([ALLOW, "Open log"]);
    expect(readdirSync(outside())).toEqual([]);
  });

  it("is repeated after the yes, which holds for that place alone", async () => {
    symlinkSync(outside(), at(".hasp"));
    editor.pressed = ALLOW;
    await write();
    await expect.poll(() => existsSync(outside("x.json"))).toBe(true);
    editor.pressed = undefined;
    expect(await write()).toBe("written");
    mkdirSync(path.join(base, "other"));
    rmSync(at(".hasp"));
    symlinkSync(path.join(base, "other"), at(".hasp"));
    expect(await write()).toBeUndefined();
    expect(readdirSync(path.join(base, "other"))).toEqual([]);
  });

  it("offers no yes to a link that leads to nothing", async () => {
    symlinkSync(path.join(base, "nothing"), at(".hasp"));
    await write();
    expect(editor.errors[0]?.slice(1)).toEqual(["Open log"]);
  });
});

describe("publishing a skill", () => {
  const publish = async (): Promise<unknown> => {
    registerPublishSkill({ editorServices: { log, library: { list: async () => [] } } as never });
    const skill = new Uri(at("skills/web-search/mine"));
    return editor.commands.get("hasp.publishSkill")?.({ skill, to: ".claude/skills", overwrite: true });
  };
  beforeEach(() => {
    mkdirSync(at("skills/web-search/mine"), { recursive: true });
    writeFileSync(at("skills/web-search/mine/SKILL.md"), "text");
  });

  it.each<[string, string, () => string]>([
    ["the folder of skills", ".claude/skills", () => outside()],
    ["the folder above", ".claude", () => outside()],
    ["the skill", ".claude/skills/mine", () => outside()],
    ["the file", ".claude/skills/mine/SKILL.md", () => outside("profile")],
    ["a folder that leads to nothing", ".claude/skills", () => path.join(base, "nothing")],
    ["a file that leads to nothing", ".claude/skills/mine/SKILL.md", () => path.join(base, "nothing")],
  ])("writes nothing through a link: %s", async (_what, link, target) => {
    writeFileSync(outside("profile"), "mine");
    mkdirSync(path.dirname(at(link)), { recursive: true });
    symlinkSync(target(), at(link));
    expect(await publish()).toBeUndefined();
    expect(editor.errors[0]?.[0]).toContain(" is a link and leads to ");
    expect(readdirSync(outside())).toEqual(["profile"]);
    expect(readFileSync(outside("profile"), "utf8")).toBe("mine");
    expect(existsSync(path.join(base, "nothing"))).toBe(false);
  });

  it("writes through a link after the yes", async () => {
    mkdirSync(at(".claude"));
    symlinkSync(outside(), at(".claude/skills"));
    editor.pressed = ALLOW;
    await publish();
    await expect.poll(() => existsSync(outside("mine/SKILL.md"))).toBe(true);
  });
});
