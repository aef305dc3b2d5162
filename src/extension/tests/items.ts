import type * as vscode from "vscode";
import { serialQueue } from "../../model/serial-queue.ts";
import type { SkillCase } from "../../model/case.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { toVsRange } from "../diagnostics/convert.ts";
import { shownFile } from "../workspace/readonly-files.ts";
import { shownText } from "../workspace/editor-files.ts";
import type { LibrarySource, LocatedSkill } from "../workspace/library.ts";

/** A case, as an item of the Test Explorer stands for it. */
export interface CasePlace {
  readonly skill: LocatedSkill;
  readonly test: SkillCase;
}

/** A skill whose cases.yaml is no list of cases at the moment. */
export interface UnreadCases {
  readonly skill: LocatedSkill;
  readonly why: Diagnostic;
}

export type CaseItems = ReturnType<typeof openCaseItems>;

const MAX_CASES = 1_000_000;

const childrenOf = ({ children }: vscode.TestItem): readonly vscode.TestItem[] =>
  [...children].map(([, child]) => child);

/** Names may stand twice; the second is another case all the same. */
function idsOf(tests: readonly SkillCase[]): readonly string[] {
  const seen = new Map<string, number>();
  return tests.map(({ name }) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} #${times}`;
  });
}

/** Deletes what is gone and leaves the rest, with its results, as it is. */
function keepOnly(items: vscode.TestItemCollection, ids: ReadonlySet<string>): void {
  for (const [id] of items) if (!ids.has(id)) items.delete(id);
}

interface Services {
  readonly controller: vscode.TestController;
  /** Sees unsaved text. */
  readonly files: NodeFiles;
  readonly library: Pick<LibrarySource, "list">;
}

/** Items of the Test Explorer, with what they stand for. */
interface Tree extends Services {
  readonly skills: WeakMap<vscode.TestItem, LocatedSkill>;
  readonly cases: WeakMap<vscode.TestItem, CasePlace>;
  /** Skills whose text of cases cannot be read, with the reason. */
  readonly unread: WeakMap<vscode.TestItem, Diagnostic>;
}

/** The known item of this id, else a new one. */
function itemIn(
  { controller }: Tree,
  items: vscode.TestItemCollection,
  id: string,
  label: string,
  uri?: vscode.Uri,
): vscode.TestItem {
  const known = items.get(id);
  const item = known ?? controller.createTestItem(id, label, uri);
  if (known === undefined) items.add(item);
  return item;
}

function putSkill(tree: Tree, domain: vscode.TestItem, skill: LocatedSkill): vscode.TestItem {
  const file = shownFile(skill, skill.cases ?? skill.skillMd);
  const item = itemIn(tree, domain.children, skill.uri.path, skill.skillId, file);
  item.label = skill.skillId;
  // Those that somebody works on first, as in the view of skills.
  item.sortText = `${skill.isBuiltIn ? 1 : 0}${skill.skillId}`;
  const notes = [skill.isBuiltIn ? "built in" : "", skill.isDisabled ? "off" : ""].filter(Boolean);
  item.description = notes.join(" · ");
  if (!tree.skills.has(item)) item.canResolveChildren = true;
  tree.skills.set(item, skill);
  return item;
}

async function bringUpToDate(tree: Tree): Promise<void> {
  const { controller, library } = tree;
  const skills = (await library.list()).filter(({ cases }) => cases !== undefined);
  const domains = new Set(skills.map(({ domain }) => domain));
  keepOnly(controller.items, domains);
  for (const name of domains) {
    const own = skills.filter(({ domain }) => domain === name);
    const domain = itemIn(tree, controller.items, name, name);
    keepOnly(domain.children, new Set(own.map(({ uri }) => uri.path)));
    for (const item of own.map((skill) => putSkill(tree, domain, skill)))
      if (!item.canResolveChildren) await readCases(tree, item);
  }
}

/** Replaces the cases of a skill by those of its text; a text that does not parse leaves them as they are. */
async function readCases(tree: Tree, item: vscode.TestItem): Promise<void> {
  const skill = tree.skills.get(item);
  const cases = skill?.cases;
  if (skill === undefined || cases === undefined) return;
  const text = (await shownText(tree.files, cases, MAX_CASES)) ?? "";
  const { parseCases } = await import("../../skill/parse-cases.ts");
  const { allDomains } = await import("../../domains/registry.ts");
  const { value, diagnostics } = parseCases(text, cases.fsPath, allDomains());
  const [error] = diagnostics.filter(({ severity }) => severity === "error");
  item.error = error?.message;
  // While a line is half typed there may be nothing to read: the cases stay as they were.
  tree.unread.delete(item);
  if (value === undefined && text !== "") {
    if (error !== undefined) tree.unread.set(item, error);
    return;
  }
  const tests = value ?? [];
  const ids = idsOf(tests);
  keepOnly(item.children, new Set(ids));
  for (const [i, test] of tests.entries()) {
    const id = ids[i] ?? test.name;
    const child = itemIn(tree, item.children, id, test.name, shownFile(skill, cases));
    child.range = toVsRange(test.range);
    child.sortText = String(i).padStart(6, "0");
    tree.cases.set(child, { skill, test });
  }
}

/** Domains, skills and cases as items, which keep their results while texts change: an item lives as long as its name. */
export function openCaseItems(services: Services) {
  const { controller } = services;
  const tree: Tree = { ...services, skills: new WeakMap(), cases: new WeakMap(), unread: new WeakMap() };
  // A text that was read before another must not take its place.
  const inTurn = serialQueue();

  /** Brings the skills up to date, and the cases of those that were looked into. */
  const refresh = (): Promise<void> => inTurn(() => bringUpToDate(tree));

  /** Reads the cases of a skill. */
  async function resolve(item: vscode.TestItem): Promise<void> {
    if (!tree.skills.has(item)) return;
    item.canResolveChildren = false;
    await inTurn(() => readCases(tree, item));
  }

  /** Cases at or below an item; a skill whose cases cannot be read itself. */
  async function leaves(item: vscode.TestItem): Promise<readonly vscode.TestItem[]> {
    if (tree.cases.has(item)) return [item];
    // The text in the editor is the one that is run.
    await resolve(item);
    if (tree.unread.has(item)) return [item];
    return (await Promise.all(childrenOf(item).map(leaves))).flat();
  }

  /** The items of all skills with cases. */
  async function listed(): Promise<readonly vscode.TestItem[]> {
    await refresh();
    return [...controller.items].flatMap(([, domain]) => childrenOf(domain));
  }

  /** The item of the skill in this folder, with its cases; undefined where it has none. */
  async function skillAt(folder: vscode.Uri): Promise<vscode.TestItem | undefined> {
    const found = (await listed()).find(({ id }) => id === folder.path);
    if (found !== undefined) await resolve(found);
    return found;
  }

  /** The items of skills with cases: those that were shipped, or the others. */
  async function skills({ builtIn }: { readonly builtIn: boolean }): Promise<readonly vscode.TestItem[]> {
    return (await listed()).filter((item) => tree.skills.get(item)?.isBuiltIn === builtIn);
  }

  /** The skill of an item, if its cases cannot be read now, and why. */
  function unreadOf(item: vscode.TestItem): UnreadCases | undefined {
    const of = tree.skills.has(item) ? item : item.parent;
    const skill = of && tree.skills.get(of);
    const why = of && tree.unread.get(of);
    return skill && why && { skill, why };
  }

  return {
    skills,
    caseOf: (item: vscode.TestItem) => tree.cases.get(item),
    unreadOf,
    refresh,
    resolve,
    skillAt,
    leaves,
  };
}
