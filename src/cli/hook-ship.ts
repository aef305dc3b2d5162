import type { CompiledSkills } from "../agents/hook/library.ts";
import { CODING_AGENT } from "../model/domain-names.ts";
import { DEFAULT_LIST } from "../model/shipped-lists.ts";
import { nodeFiles } from "../platform/files.ts";
import { writeShipped } from "../platform/hook-shipped.ts";
import { startCompiler } from "../platform/worker-compiler.ts";
import { imageOfPrograms, startBuildHost } from "../platform/hook-image.ts";
import { findSkillFolders } from "../skill/read-skill.ts";
import { withBuiltIn } from "./builtin-skills.ts";
import { actingOf, readFolders } from "../platform/hook-compile.ts";

const SHIPPED = `builtin:${CODING_AGENT}`;

async function compileShipped(cli: string): Promise<CompiledSkills> {
  const files = withBuiltIn(nodeFiles(), DEFAULT_LIST);
  const compiler = startCompiler({ workerFile: cli });
  const host = startBuildHost();
  try {
    const folders = await readFolders(files, await findSkillFolders(files, SHIPPED), compiler);
    const acting = await actingOf(folders, host);
    if (acting.skills.length < folders.length)
      throw new Error(`Of ${folders.length} shipped skills ${acting.skills.length} can act.`);
    return acting;
  } finally {
    await Promise.all([compiler.close(), host.close()]);
  }
}

/** `hasp hook ship <dist>`, a step of the build: compiles the shipped skills of coding agents, with an image of their sandbox. */
export async function shipSkills(dist: string, cli: string): Promise<void> {
  const acting = await compileShipped(cli);
  const image = await imageOfPrograms(acting.skills.map(({ program }) => program));
  // An image without pages would be one of a memory that the sandbox does not use.
  if (image?.pages.length === 0) throw new Error("The image of the sandbox is empty.");
  writeShipped(dist, acting, image);
}
