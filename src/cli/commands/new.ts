import path from "node:path";
import type { Domain } from "../../domains/domain.ts";
import { allDomains, defaultDomain, domainNames, domainOf, unknownDomain } from "../../domains/registry.ts";
import type { NodeFiles } from "../../platform/files.ts";
import { checkTypedName, kebabName } from "../../skill/skill-name.ts";
import { SKILL_KINDS, type SkillKind } from "../../skill/scaffold-kinds.ts";
import { kindsIn, missingKind } from "../../skill/scaffold-starters.ts";
import { scaffoldSkill } from "../../skill/scaffold.ts";
import { TODO_TEXT } from "../../skill/template-text.ts";
import { MAX_DESCRIPTION } from "../../skill/vocabulary.ts";
import { TSCONFIG_FILE, typeFiles } from "../../skill/workspace-files.ts";
import { defineCommand, type Call } from "../define-command.ts";
import { oneOf, text, withDefault } from "../options.ts";
import { CliError, EXIT, type ExitCode } from "../terminal.ts";

const OPTIONS = {
  kind: oneOf(
    "--kind <kind>",
    "what the skill does (default: rewrite, or inject where no skill changes an action)",
    SKILL_KINDS.map(({ kind }) => kind),
  ),
  domain: withDefault(
    text("--domain <name>", `the kind of agent: ${domainNames().join(", ")}`),
    defaultDomain().name,
  ),
  description: text("--description <text>", "when to use it, in one sentence"),
  title: text("--title <text>", "its title (default: the name in words)"),
  in: withDefault(text("--in <folder>", "the root of the workspace"), "."),
};

/** What VS Code's own TypeScript needs for pf.ts; a tsconfig that is there stays as it is. */
async function writeTypes(files: NodeFiles, root: string): Promise<readonly string[]> {
  const written: string[] = [];
  for (const [name, text] of typeFiles(allDomains())) {
    const target = path.join(root, name);
    if (name === TSCONFIG_FILE && (await files.exists(target))) continue;
    const found = await files.readText(target, 1_000_000);
    if (found.kind === "text" && found.text === text) continue;
    await files.writeText(target, text);
    written.push(name);
  }
  return written;
}

function checkNames(name: string, description = ""): void {
  const problem = checkTypedName(name);
  if (problem !== undefined) throw new CliError(problem, "Choose another name.");
  if (description.length > MAX_DESCRIPTION)
    throw new CliError(
      `The description has ${description.length} characters; ${MAX_DESCRIPTION} may stand in a SKILL.md.`,
      "Say in one sentence when the skill is to be used.",
    );
}

/** The kind of a new skill of a domain. */
function kindFor(domain: Domain, wanted: SkillKind | undefined): SkillKind {
  const [first = "inject"] = kindsIn(domain.starters);
  const problem = wanted === undefined ? undefined : missingKind(domain, wanted);
  if (problem !== undefined) throw new CliError(problem.message, problem.next);
  return wanted ?? first;
}

async function runNew({ options, terminal, files }: Call<typeof OPTIONS>, typed: string): Promise<ExitCode> {
  const { in: root, title } = options;
  checkNames(typed, options.description);
  const name = kebabName(typed);
  const domain = domainOf(options.domain);
  if (domain === undefined) {
    const { message, next } = unknownDomain(options.domain);
    throw new CliError(message, next);
  }
  const kind = kindFor(domain, options.kind);
  const folder = `skills/${domain.name}/${name}`;
  if (await files.exists(path.join(root, folder)))
    throw new CliError(`${folder} is there already.`, "Choose another name; nothing was written.");
  const words = name.replaceAll("-", " ");
  const description = options.description?.trim() || `${TODO_TEXT} Use when ${words} is called for.`;
  const texts = scaffoldSkill({ name, domain, kind, description, ...(title !== undefined && { title }) });
  const written: string[] = [];
  for (const [file, text] of texts) {
    await files.writeText(path.join(root, folder, file), text);
    written.push(`${folder}/${file}`);
  }
  if (texts.has("pf.ts")) written.push(...(await writeTypes(files, root)));
  for (const one of written) terminal.line(`wrote ${one}`);
  terminal.line(
    "Texts after TODO(template) are the template's. The skill acts nowhere until they are replaced.",
  );
  terminal.result({ folder, kind, written });
  return EXIT.fine;
}

/** `hasp new <name>`. */
export const newCommand = defineCommand({
  name: "new",
  about:
    "Write a new skill that validates clean: SKILL.md and, where its kind has code, pf.ts and cases.yaml.",
  takes: [["<name>", "name of the skill and of its folder; any spelling becomes kebab-case"]],
  options: OPTIONS,
  section: ["Kinds:", ...SKILL_KINDS.map(({ kind, about }) => `  ${kind.padEnd(11)} ${about}`)],
  examples: [
    "hasp new read-first --kind inject",
    "hasp new no-red-stop --kind final-code --domain coding-agent",
  ],
  run: runNew,
});
