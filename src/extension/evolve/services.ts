import { basename } from "node:path";
import type * as vscode from "vscode";
import type { EvolveOrder, EvolveServices } from "../../evolve/order.ts";
import { generatedVersions } from "../../evolve/generated-versions.ts";
import type { SkillFolder } from "../../skill/read-skill.ts";
import { filesBelow, libraryFilesBelow } from "../../platform/files-below.ts";
import { ownRecords } from "../../platform/own-records.ts";
import { readNamed } from "../../app/named-text.ts";
import { runServices, type RunBundles } from "../questions/order.ts";
import { nameIn } from "../questions/places.ts";
import type { LibrarySource, LocatedSkill } from "../workspace/library.ts";

/** `builtin:<domain>/<name>` for a shipped skill, as `hasp` names it; else its folder, relative to the workspace folder. */
function folderName(root: vscode.Uri, { isBuiltIn, domain, uri }: LocatedSkill): string {
  return isBuiltIn ? `builtin:${domain}/${basename(uri.fsPath)}` : nameIn(root, uri.fsPath);
}

/** Today's library but for the generated skills, which change while an evolution runs. */
async function chosenSkills(
  library: LibrarySource,
  root: vscode.Uri,
  { domain, generated }: Pick<EvolveOrder, "domain" | "generated">,
): Promise<{ readonly skills: readonly SkillFolder[]; readonly off: ReadonlySet<string> }> {
  const all = (await library.list()).filter((skill) => skill.domain === domain.name);
  const own = all.filter((skill) => !folderName(root, skill).startsWith(`${generated}/`));
  const read = await library.read(own, "saved");
  const skills = read.map((skill, i) => {
    const located = own[i];
    return located === undefined ? skill : { ...skill, folder: folderName(root, located) };
  });
  const off = new Set(all.filter(({ isDisabled }) => isDisabled).map(({ skillId }) => skillId));
  return { skills, off };
}

type Listening = Pick<EvolveServices, "signal" | "stop" | "on">;

/**
 * Services of an evolution of a workspace folder. Names are relative to that folder, as those of `hasp evolve` that is started there: each can
 * resume what the other began.
 */
export function evolveServices(
  bundles: RunBundles,
  root: vscode.Uri,
  order: Pick<EvolveOrder, "domain" | "generated">,
  listening: Listening,
): EvolveServices {
  const { editorServices, modelServices } = bundles;
  const services = runServices(bundles, root);
  const files = filesBelow(root.fsPath, editorServices.files);
  const { compiler } = services;
  return {
    ...services,
    files,
    own: ownRecords(root.fsPath),
    library: libraryFilesBelow(root.fsPath, editorServices.files),
    training: {
      redact: (text) => modelServices.redactor.redact(text),
      readNamed: (file) => readNamed(files, file),
    },
    async readSkills() {
      const { readSkillFolder } = await import("../../skill/read-skill.ts");
      const { skills, off } = await chosenSkills(editorServices.library, root, order);
      const versions = (await generatedVersions(files, order.generated)).filter((one) => !one.isRetired);
      const generated = await Promise.all(
        versions.map(async ({ folder, skillId }) => ({
          ...(await readSkillFolder(files, compiler, folder)),
          isDisabled: off.has(skillId),
        })),
      );
      return [...skills, ...generated];
    },
    ...listening,
  };
}
