import path from "node:path";
import { Command, Option } from "commander";
import { defaultDomain, domainNames, domainOf, unknownDomain } from "../../domains/registry.ts";
import { nodeFiles, type NodeFiles } from "../../platform/files.ts";
import { checkTypedName, kebabName } from "../../skill/skill-name.ts";
import { SKILL_KINDS, type SkillKind } from "../../skill/scaffold-kinds.ts";
import { scaffoldSkill } from "../../skill/scaffold.ts";
import { TODO_TEXT } from "../../skill/template-text.ts";
import { MAX_DESCRIPTION } from "../../skill/vocabulary.ts";
import { TSCONFIG_FILE, typeFiles } from "../../skill/workspace-files.ts";
import { helpText } from "../help.ts";
import { CliError, EXIT, openTerminal, type SetExit } from "../terminal.ts";

interface Options {
  readonly kind: SkillKind;
  readonly domain: string;
  readonly description?: string;
  readonly title?: string;
  readonly in: string;
  readonly json?: boolean;
}

/** What VS Code's own TypeScript needs for pf.ts; a tsconfig that is there stays as it is. */
async function writeTypes(files: NodeFiles, root: string): Promise<readonly string[]> {
  const written: string[] = [];
  for (const [name, text] of typeFiles()) {
    const target = path.join(root, name);
    if (name === TSCONFIG_FILE && (await files.exists(target))) continue;
    const found = await files.readText(target, 1_000_000);
    if (found.kind === "text" && found.text === text) continue;
    await files.writeText(target, text);
    written.push(name);
  }
  return written;
}

function checkNames(name: string, { description = "" }: Options): void {
  const problem = checkTypedName(name);
  if (problem !== undefined) throw new CliError(problem, "Choose another name.");
  if (description.length > MAX_DESCRIPTION)
    throw new CliError(
      `The description has ${description.length} characters; ${MAX_DESCRIPTION} may stand in a SKILL.md.`,
      "Say in one sentence when the skill is to be used.",
    );
}

async function runNew(typed: string, options: Options): Promise<0> {
  const { kind, in: root, title, json = false } = options;
  checkNames(typed, options);
  const name = kebabName(typed);
  const domain = domainOf(options.domain);
  if (domain === undefined) {
    const { message, next } = unknownDomain(options.domain);
    throw new CliError(message, next);
  }
  const terminal = openTerminal(json);
  const files = nodeFiles();
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
export function newCommand(setExit: SetExit): Command {
  const kinds = SKILL_KINDS.map(({ kind }) => kind);
  return new Command("new")
    .description(
      "Write a new skill that validates clean: SKILL.md and, where its kind has code, pf.ts and cases.yaml.",
    )
    .argument("<name>", "name of the skill and of its folder; any spelling becomes kebab-case")
    .addOption(new Option("--kind <kind>", "what the skill does").choices(kinds).default("rewrite"))
    .option("--domain <name>", `the kind of agent: ${domainNames().join(", ")}`, defaultDomain().name)
    .option("--description <text>", "when to use it, in one sentence")
    .option("--title <text>", "its title (default: the name in words)")
    .option("--in <folder>", "the root of the workspace", ".")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      [
        "\nKinds:",
        ...SKILL_KINDS.map(({ kind, about }) => `  ${kind.padEnd(11)} ${about}`),
        helpText(
          "hasp new read-first --kind inject",
          "hasp new no-red-stop --kind final-code --domain coding-agent",
        ),
      ].join("\n"),
    )
    .action(async (name: string, options: Options) => {
      setExit(await runNew(name, options));
    });
}
