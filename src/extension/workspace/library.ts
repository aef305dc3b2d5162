import * as vscode from "vscode";
import { domainFolderOf } from "../../model/domain-folder.ts";
import { hasLists, SHIPPED_LISTS, shippedIn, type ShippedList } from "../../model/shipped-lists.ts";
import type { Skill } from "../../model/skill.ts";
import type { NodeFiles } from "../../platform/files.ts";
import type { SkillPlaces } from "../../skill/skill-places.ts";
import { withoutCopies } from "../../skill/agent-folders.ts";
import type { CachedCompiler } from "../../skill/cached-compiler.ts";
import type { SkillFolder as ReadSkill } from "../../skill/read-skill.ts";
import { debounce } from "../debounce.ts";
import { fewAtATime } from "../few-at-a-time.ts";
import type { Libraries, WorkspaceConfigs } from "./config.ts";
import { shownText } from "./editor-files.ts";
import { isSkillFile, nameOf, type SkillFolder, type SkillFolders } from "./skill-folders.ts";

/** A skill of today's library, by its place. */
export interface LocatedSkill extends SkillFolder {
  /** Name of the folder of its domain: `skills/<domain>/<name>`, `skills/<domain>/generated/<skill_id>__v<N>/<name>`. */
  readonly domain: string;
  readonly skillId: string;
  /** Undefined where SKILL.md cannot be read. */
  readonly skill: Skill | undefined;
  readonly places: SkillPlaces;
  /** Came with the extension, and stands until the workspace has a skill of the same id. */
  readonly isBuiltIn: boolean;
  /** Of a built-in one whose domain has several lists: the list that it was taken from. */
  readonly shippedList: ShippedList | undefined;
  /** hasp.yaml switches it off: it is shown and checked, and does not act. */
  readonly isDisabled: boolean;
}

/** A skill before `hasp.yaml` says whether it acts, and which list of shipped ones. */
type Placed = Omit<LocatedSkill, "isDisabled" | "shippedList">;
/** One before `hasp.yaml` says whether it acts. */
type Chosen = Omit<LocatedSkill, "isDisabled">;

/** Today's library: what `hasp.yaml` names of the workspace's skills and of those that came with the extension. */
export interface LibrarySource extends vscode.Disposable {
  /** By domain, then id; the shipped ones of this list, by default of that which hasp.yaml names. */
  list(shipped?: ShippedList): Promise<readonly LocatedSkill[]>;
  /** Reads and compiles, with what hasp.yaml switches off marked so; only for a trusted workspace is what comes out to be run. By what stands in the editors, unless the saved text is asked for. */
  read(skills: readonly LocatedSkill[], text?: "edited" | "saved"): Promise<readonly ReadSkill[]>;
  /** A skill was edited, saved, added or removed. Debounced: once per pause in typing. */
  readonly onDidChange: vscode.Event<void>;
}

interface Services {
  /** Sees unsaved text. */
  readonly files: NodeFiles;
  readonly disk: NodeFiles;
  readonly compiler: CachedCompiler;
  readonly folders: SkillFolders;
  readonly configs: WorkspaceConfigs;
  /** The folder of the extension's own skills (`shippedIn`). */
  readonly builtIn: vscode.Uri;
}

/** A SKILL.md above this is refused by its reader anyway. */
const MAX_SKILL_MD = 2_000_000;
const QUIET_MS = 400;

async function subfolders(uri: vscode.Uri): Promise<vscode.Uri[]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(uri);
    const folders = entries.filter(([, type]) => type === vscode.FileType.Directory);
    return folders.map(([name]) => vscode.Uri.joinPath(uri, name));
  } catch {
    // A development copy of the extension may have no skills of its own.
    return [];
  }
}

/** Those of all lists. */
async function builtInFolders(root: vscode.Uri): Promise<SkillFolder[]> {
  const lists = SHIPPED_LISTS.map((list) => vscode.Uri.joinPath(root, list));
  const homes = (await Promise.all([root, ...lists].map(subfolders))).flat();
  const domains = homes.filter((home) => !lists.some(({ path }) => path === home.path));
  const skills = (await Promise.all(domains.map(subfolders))).flat();
  return skills.map((uri) => ({
    uri,
    skillMd: vscode.Uri.joinPath(uri, "SKILL.md"),
    pf: vscode.Uri.joinPath(uri, "pf.ts"),
    cases: vscode.Uri.joinPath(uri, "cases.yaml"),
  }));
}

function byDomainAndId(a: LocatedSkill, b: LocatedSkill): number {
  return a.domain.localeCompare(b.domain) || a.skillId.localeCompare(b.skillId);
}

/** The workspace's own first: a built-in skill gives way to one of the same id. */
function withoutReplaced(skills: readonly LocatedSkill[]): LocatedSkill[] {
  const own = new Set(skills.filter((skill) => !skill.isBuiltIn).map((skill) => skill.skillId));
  return skills.filter((skill) => !skill.isBuiltIn || !own.has(skill.skillId));
}

export function openLibrarySource(services: Services): LibrarySource {
  const { files, disk, compiler, folders, configs, builtIn } = services;
  const changed = new vscode.EventEmitter<void>();
  const quiet = debounce(QUIET_MS, () => changed.fire());

  async function locate(folder: SkillFolder, isBuiltIn: boolean): Promise<Placed> {
    const { uri, skillMd } = folder;
    // One that cannot be read is still a skill of the workspace, and its reader says why it is of no use.
    const text = (await shownText(files, skillMd, MAX_SKILL_MD)) ?? "";
    const { skill, places } = await compiler.skillMd(skillMd.fsPath, text);
    const skillId = skill?.skillId ?? nameOf(uri).replaceAll("-", "_");
    const domain = domainFolderOf(uri.path).domain ?? "";
    return { ...folder, domain, skillId, skill, places, isBuiltIn };
  }

  /** They came with this version of the extension and stay as they are. */
  let shipped: Promise<ReadonlyMap<string, Placed>> | undefined;
  /** By their folders below `skills/`. */
  const listShipped = async (): Promise<ReadonlyMap<string, Placed>> => {
    const found = await fewAtATime(await builtInFolders(builtIn), (folder) => locate(folder, true));
    return new Map(found.map((skill) => [skill.uri.path.slice(builtIn.path.length + 1), skill]));
  };

  async function shippedOf(list: ShippedList): Promise<readonly Chosen[]> {
    const all = await (shipped ??= listShipped());
    const chosen = [...shippedIn(all.keys(), list).values()].flatMap((folder) => all.get(folder) ?? []);
    return chosen.map((skill) => ({
      ...skill,
      shippedList: hasLists(all.keys(), skill.domain) ? list : undefined,
    }));
  }

  const switched = (libraries: Libraries, skill: Chosen): LocatedSkill => ({
    ...skill,
    isDisabled: libraries.isDisabled(skill.skillId, skill.isBuiltIn ? undefined : skill.uri),
  });

  async function list(wanted?: ShippedList): Promise<readonly LocatedSkill[]> {
    const libraries = await configs.read();
    const named = (await folders.list()).filter(({ uri }) => libraries.hasFolder(uri));
    const located = await fewAtATime(named, (folder) => locate(folder, false));
    const own = located.map((skill) => ({ ...skill, shippedList: undefined }));
    const all = await shippedOf(wanted ?? libraries.list);
    const came = all.filter(({ domain }) => libraries.hasBuiltIn(domain));
    // Opened as a workspace, the extension's own repository holds its skills once, not twice.
    const places = new Set(own.map((skill) => skill.uri.path));
    const others = came.filter((skill) => !places.has(skill.uri.path));
    const first = withoutCopies(own, ({ uri, skillId }) => ({ folder: uri.path, skillId }));
    const acting = [...first, ...others].map((skill) => switched(libraries, skill));
    return withoutReplaced(acting).sort(byDomainAndId);
  }

  const held = vscode.Disposable.from(
    changed,
    quiet,
    folders.onDidChange(quiet.poke),
    configs.onDidChange(quiet.poke),
    folders.onDidChangeFile(quiet.poke),
    // A file watcher may speak before the editor calls its text saved, or not at all of a new folder.
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (isSkillFile(uri)) quiet.poke();
    }),
    vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.contentChanges.length > 0 && isSkillFile(event.document.uri)) quiet.poke();
    }),
  );
  return {
    list,
    async read(skills, text) {
      const { readSkillFolder } = await import("../../skill/read-skill.ts");
      return fewAtATime(skills, async ({ uri, isDisabled, shippedList }) => ({
        ...(await readSkillFolder(text === "saved" ? disk : files, compiler, uri.fsPath)),
        isDisabled,
        ...(shippedList !== undefined && { shippedList }),
      }));
    },
    onDidChange: changed.event,
    dispose: () => held.dispose(),
  };
}
