import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOOK_HOSTS } from "../../../../../src/agents/hook/event.ts";
import { readConfigText } from "../../../../../src/agents/hook/install/config-text.ts";
import { HOST_CONFIGS } from "../../../../../src/agents/hook/install/host-configs.ts";
import { ourHooks } from "../../../../../src/agents/hook/install/our-hooks.ts";
import { planInstall, planUninstall } from "../../../../../src/agents/hook/install/plan.ts";
import { shadowsOf } from "../../../../../src/agents/hook/install/shadows.ts";
import { commandLine, commandWords } from "../../../../../src/agents/hook/install/command-line.ts";

const NODE = { file: "/opt/my node/bin/node", args: ["/opt/it's/dist/hook.cjs"] };
const OTHER = { file: "hasp", args: ["hook"] };
const FILE = "settings.json";

/** Written by hand: comments, a trailing comma, other hooks, one entry on one line. */
const BY_HAND = `{
  // what I allow
  "permissions": { "allow": ["Bash(ls)"] }, /* more later */
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./mine.sh" }] } // stays
    ],
    "Stop": [],
    "preToolUse": [{ "type": "command", "bash": "./mine.sh" }],
  },
}
`;
const TEXTS = [
  BY_HAND,
  "{}",
  "{}\n",
  '{\n\t"a": 1,\n\t"hooks": {}\n}',
  '{\r\n    "a": 1\r\n}\r\n',
  '{"a":[1,{"b":2}]}',
];
const cases = HOOK_HOSTS.flatMap((host) => TEXTS.map((text) => [host, text] as const));

const installed = (host: (typeof HOOK_HOSTS)[number], text: string | undefined, program = NODE): string =>
  planInstall(HOST_CONFIGS[host], text, FILE, program).value?.text ?? "";
const uninstalled = (host: (typeof HOOK_HOSTS)[number], text: string, backups: readonly string[] = []) =>
  planUninstall(HOST_CONFIGS[host], text, FILE, backups).value?.text;

describe("installing", () => {
  it.each(cases)(
    "%s: adds one hook for each event, twice the same as once, and goes without a trace: %j",
    (host, text) => {
      const once = installed(host, text);
      expect(installed(host, once)).toBe(once);
      const read = readConfigText(once, FILE).value;
      if (read === undefined) throw new Error("It cannot be read.");
      const ours = ourHooks(HOST_CONFIGS[host], read);
      for (const event of HOST_CONFIGS[host].events) expect(ours.get(event)).toHaveLength(1);
      expect(uninstalled(host, once, [text])).toBe(text);
    },
  );

  it.each(HOOK_HOSTS)("%s: other hooks, comments and unknown keys stay to the letter", (host) => {
    const lines = installed(host, BY_HAND).split("\n");
    for (const line of BY_HAND.split("\n").filter((one) => /allow|more later/.test(one)))
      expect(lines).toContain(line);
    expect(installed(host, BY_HAND)).toContain("// stays");
    const read = readConfigText(installed(host, BY_HAND), FILE).value;
    expect(JSON.stringify(read?.hooks["PreToolUse"]?.[0])).toContain("./mine.sh");
  });

  it.each(HOOK_HOSTS)("%s: without a backup, uninstalling leaves by-hand files as they were", (host) => {
    const left = uninstalled(host, installed(host, BY_HAND));
    const without =
      HOST_CONFIGS[host].own && host === "copilot" ? left?.replace(/,?\s*"version": 1/, "") : left;
    // An empty list that stood there is the one thing that cannot be told from ours.
    const emptied = BY_HAND.replace('    "Stop": [],\n', "");
    expect([BY_HAND, emptied].map((text) => text.replaceAll(/[\s,]/g, ""))).toContain(
      without?.replaceAll(/[\s,]/g, ""),
    );
  });

  it.each(HOOK_HOSTS)("%s: a hook of an earlier place is replaced where it stands", (host) => {
    const moved = installed(host, installed(host, BY_HAND, OTHER));
    expect(moved).toBe(installed(host, BY_HAND));
    expect(moved).not.toContain('"hasp hook');
  });

  it.each(HOOK_HOSTS)("%s: a file that installing made goes again", (host) => {
    expect(uninstalled(host, installed(host, undefined))).toBeUndefined();
  });

  it.each(HOOK_HOSTS)("%s: a file that installing made goes after a second installation, too", (host) => {
    const first = installed(host, undefined, OTHER);
    expect(uninstalled(host, installed(host, first), [first])).toBeUndefined();
  });

  it("an empty list or group that somebody wrote stays", () => {
    const text = '{ "hooks": { "Stop": [{ "matcher": "x", "hooks": [] }] } }';
    expect(uninstalled("claude-code", installed("claude-code", text))).toContain('"matcher": "x"');
  });

  it("what was written since the backup stays", () => {
    const noted = installed("claude-code", BY_HAND).replace("// what I allow", "// what I allow since today");
    expect(uninstalled("claude-code", noted, [BY_HAND])).toContain("since today");
  });

  it("a broken file is refused, with the place", () => {
    const broken = planInstall(HOST_CONFIGS.codex, '{\n "a": 1\n "b": 2}', FILE, NODE);
    expect(broken.value).toBeUndefined();
    expect(broken.diagnostics[0]).toMatchObject({
      message: expect.stringContaining("comma"),
      range: { start: { line: 2 } },
    });
    for (const text of [
      "[]",
      '{"hooks": []}',
      '{"hooks": {"Stop": {}}}',
      '{"hooks": {}, "hooks": {}}',
      '{"hooks": {"Stop": [], "Stop": []}}',
      '{"hooks": {"Stop": [{"command": "a", "command": "b"}]}}',
      `{"hooks": ${"[".repeat(100_000)}`,
      `// "\n{"a": ${'{"b":'.repeat(10_000)}`,
      "nonsense",
    ])
      expect(planInstall(HOST_CONFIGS["claude-code"], text, FILE, NODE).value).toBeUndefined();
  });

  it("any file: what stood in it stays, and uninstalling brings its content back", () => {
    const document = fc
      .dictionary(fc.string(), fc.jsonValue())
      .filter((one) => !("hooks" in one || "version" in one));
    fc.assert(
      fc.property(
        document,
        fc.constantFrom(...HOOK_HOSTS),
        fc.constantFrom(0, 2, 4),
        (value, host, indent) => {
          const text = JSON.stringify(value, undefined, indent);
          const {
            hooks: _hooks,
            version: _version,
            ...rest
          } = readConfigText(installed(host, text), FILE).value?.whole ?? {};
          expect(rest).toEqual(JSON.parse(text));
          expect(uninstalled(host, installed(host, text), [text])).toBe(text);
        },
      ),
    );
  });
});

describe("command lines", () => {
  it("are quoted for their shell, and taken apart again", () => {
    const words = ["/opt/my node/node", "/opt/it's/dist/hook.cjs", "--host", "vscode"];
    expect(commandLine(words, "sh")).toBe(`'/opt/my node/node' '/opt/it'\\''s/dist/hook.cjs' --host vscode`);
    const windows = [
      String.raw`C:\Program Files\node.exe`,
      String.raw`C:\hasp\dist\hook.cjs`,
      "--host",
      "codex",
    ];
    expect(commandLine(windows, "powershell")).toBe(
      String.raw`& 'C:\Program Files\node.exe' C:\hasp\dist\hook.cjs --host codex`,
    );
    expect(commandLine(windows, "windows")).toBe(
      String.raw`"C:\Program Files\node.exe" C:\hasp\dist\hook.cjs --host codex`,
    );
    for (const shell of ["sh", "powershell", "windows"] as const)
      expect(commandWords(commandLine(windows, shell), shell)).toEqual(windows);
    expect(commandWords(commandLine(words, "sh"), "sh")).toEqual(words);
  });
});

describe("what stands in the way", () => {
  it("names hooks that are switched off, and hosts that are asked twice", () => {
    const at = (host: (typeof HOOK_HOSTS)[number], scope: "user" | "project") => ({
      host,
      scope,
      file: `${host}-${scope}`,
    });
    const off = new Map([["s.json", '{"disableAllHooks": true}']]);
    expect(shadowsOf([at("claude-code", "user")], off).map(({ kind }) => kind)).toEqual(["disabled"]);
    const both = [at("claude-code", "project"), at("copilot", "user")];
    expect(shadowsOf(both, new Map()).map(({ host, kind }) => [host, kind])).toEqual([["copilot", "twice"]]);
    expect(shadowsOf([at("codex", "user")], new Map())).toEqual([]);
  });
});
