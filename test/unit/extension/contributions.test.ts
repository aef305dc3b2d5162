import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  COMMANDS,
  CONTEXT_KEYS,
  REVIEW_COMMENTS,
  RUN_EDITORS,
  SETTINGS,
  VIEW_CONTAINER,
  VIEWS,
  WALKTHROUGH,
  type CommandContribution,
} from "../../../src/extension/contributions.ts";

interface Manifest {
  contributes: {
    commands: { command: string; title: string; category: string; icon?: string }[];
    configuration: { properties: Record<string, { default: unknown; scope: string }> };
    viewsContainers: { activitybar: { id: string }[] };
    views: Record<string, { id: string; name: string }[]>;
    viewsWelcome: { view: string; contents: string }[];
    customEditors: { viewType: string }[];
    walkthroughs?: {
      id: string;
      steps: { title: string; description: string; media: { svg: string; altText: string } }[];
    }[];
    menus: Record<string, { command: string; when?: string }[]>;
  };
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
}

const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
const manifest = JSON.parse(text) as Manifest;
const { contributes } = manifest;
const commands: readonly CommandContribution[] = Object.values(COMMANDS);

describe("The manifest and the table of contributions", () => {
  it("name the same commands, with the same titles and icons", () => {
    const shown = contributes.commands.map(({ command, title, category, icon }) => ({
      command,
      title,
      category,
      icon,
    }));
    const expected = commands.map(({ id, title, icon }) => ({ command: id, title, category: "HASP", icon }));
    expect(shown).toEqual(expected);
  });

  it("hide from the palette what needs arguments", () => {
    const hidden = contributes.menus["commandPalette"]
      ?.filter((m) => m.when === "false")
      .map((m) => m.command);
    expect(hidden).toEqual(commands.filter((c) => !c.palette).map((c) => c.id));
  });

  it("name the same settings, with the same defaults and scopes", () => {
    const shown = Object.entries(contributes.configuration.properties).map(([key, p]) => [
      key,
      p.default,
      p.scope,
    ]);
    expect(shown).toEqual(Object.values(SETTINGS).map((s) => [s.key, s.default, s.scope]));
  });

  it("restrict the same settings in untrusted workspaces", () => {
    const restricted = Object.values(SETTINGS).flatMap((s) => (s.restricted ? [s.key] : []));
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual(restricted);
  });

  it("name the same views, editors and walkthrough", () => {
    expect(contributes.viewsContainers.activitybar.map((c) => c.id)).toEqual([VIEW_CONTAINER]);
    const views = contributes.views[VIEW_CONTAINER]?.map(({ id, name }) => ({ id, name }));
    expect(views).toEqual(Object.values(VIEWS));
    expect(contributes.customEditors.map((e) => e.viewType)).toEqual(Object.values(RUN_EDITORS));
    expect(contributes.walkthroughs?.map((w) => w.id)).toEqual([WALKTHROUGH]);
  });

  it("use in menus, welcome texts and conditions only commands and context keys that exist", () => {
    const ids = new Set<string>(commands.map((c) => c.id));
    const inMenus = Object.values(contributes.menus).flatMap((items) => items.map((item) => item.command));
    expect(inMenus.filter((id) => !ids.has(id))).toEqual([]);
    const focus = new Set<string>(Object.values(VIEWS).map((v) => v.id));
    const inTexts = [...text.matchAll(/\(command:(hasp\.\w+)/g)].map((match) => match[1] ?? "");
    expect(inTexts.filter((id) => !ids.has(id) && !focus.has(id))).toEqual([]);
    const keys = new Set<string>(Object.values(CONTEXT_KEYS));
    const views = new Set<string>(Object.values(VIEWS).map((v) => v.id));
    const rows = new Set(["hasp.skill", "hasp.run", "hasp.cluster", REVIEW_COMMENTS]);
    const conditions = Object.values(contributes.menus).flatMap((items) =>
      items.map((item) => item.when ?? ""),
    );
    const names = conditions.flatMap((when) => when.match(/hasp\.\w+/g) ?? []);
    expect(names.filter((name) => !keys.has(name) && !views.has(name) && !rows.has(name))).toEqual([]);
  });

  it("link to commands that exist", () => {
    const texts = [
      ...contributes.viewsWelcome.map((one) => one.contents),
      ...(contributes.walkthroughs ?? []).flatMap(({ steps }) => steps.map((step) => step.description)),
    ];
    const linked = texts.flatMap((one) => [...one.matchAll(/\(command:(hasp\.\w+)\)/g)].map(([, id]) => id));
    const known = new Set<string | undefined>(commands.map(({ id }) => id));
    expect(linked.filter((id) => !known.has(id))).toEqual([]);
  });
});

describe("The walkthrough", () => {
  const steps = contributes.walkthroughs?.flatMap((one) => one.steps) ?? [];

  it("has a picture in the theme's own colours for each step", () => {
    for (const { media } of steps) {
      const svg = readFileSync(new URL(`../../../${media.svg}`, import.meta.url), "utf8");
      expect(svg).toContain("var(--vscode-foreground)");
      expect(svg.replaceAll(/="http[^"]*"/g, "")).not.toMatch(/#[0-9a-f]{3,8}\b|rgb|url\(/i);
      expect(media.altText).toMatch(/\w.*\.$/);
    }
  });

  it("explains each step beside its button, since a narrow window shows no picture", () => {
    for (const { description } of steps) {
      const prose = description.replaceAll(/^\[.*\]\(.*\)$/gm, "");
      expect(prose.length).toBeGreaterThan(120);
      // VS Code renders only bold text and links there.
      expect(prose).not.toMatch(/`|(?<!\*)\*(?!\*)/);
    }
  });
});
