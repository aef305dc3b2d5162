import * as vscode from "vscode";
import { registerOnFirstUse } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import type { AskedText } from "./completion.ts";
import type { LanguageServices } from "./context.ts";
import { EVENTS_SCHEME } from "./events-uri.ts";
import type { Services } from "../services.ts";

const file = (pattern: string): vscode.DocumentFilter => ({ scheme: "file", pattern });
/** By name: a SKILL.md has the language id `skill` in newer versions of VS Code, and `markdown` in others. */
const SKILL_MD = file("**/SKILL.md");
const CASES = file("**/cases.yaml");
const PF = file("**/pf.ts");
const CONFIG = file("**/hasp.yaml");
const EVENTS: vscode.DocumentFilter = { scheme: EVENTS_SCHEME };

/** Taken before anything is waited for. */
const textOf = (document: vscode.TextDocument): AskedText => ({
  uri: document.uri,
  text: document.getText(),
});

/** Completion, hovers, definitions, references, rename and links of a skill's files. Their code comes with the first that is asked for. */
export function registerLanguage({
  editorServices,
  findings,
}: Pick<Services, "editorServices" | "findings">): vscode.Disposable {
  const { log, shownFiles: files, library, runs } = editorServices;
  const services: LanguageServices = { log, files, library, runs, latest: findings.latest };
  const { languages, workspace } = vscode;
  return vscode.Disposable.from(
    languages.registerCompletionItemProvider(
      [SKILL_MD, CASES, PF],
      {
        async provideCompletionItems(document, position) {
          const asked = textOf(document);
          return (await import("./completion.ts")).completions(asked, position, services);
        },
      },
      ":",
      " ",
      "#",
      "[",
    ),
    languages.registerHoverProvider([SKILL_MD, CASES], {
      async provideHover(document, position) {
        const asked = textOf(document);
        return (await import("./completion.ts")).hover(asked, position, services);
      },
    }),
    languages.registerDefinitionProvider([SKILL_MD, CASES, PF, CONFIG], {
      async provideDefinition(document, position) {
        return (await import("./navigate.ts")).definition(document, position, services);
      },
    }),
    languages.registerReferenceProvider([SKILL_MD, PF, CONFIG], {
      async provideReferences(document, position, _context, token) {
        return (await import("./navigate.ts")).references(document, position, services, token);
      },
    }),
    languages.registerRenameProvider(SKILL_MD, {
      async prepareRename(document, position) {
        return (await import("./rename.ts")).renameRange(document, position);
      },
      async provideRenameEdits(document, position, name) {
        return (await import("./rename.ts")).renameAt(document, position, name, services);
      },
    }),
    languages.registerDocumentLinkProvider([SKILL_MD, CASES, PF], {
      async provideDocumentLinks(document) {
        return (await import("./navigate.ts")).links(document, services);
      },
    }),
    languages.registerDocumentLinkProvider(EVENTS, {
      async provideDocumentLinks(document) {
        return (await import("./events-page.ts")).eventLinks(document, services);
      },
    }),
    workspace.registerTextDocumentContentProvider(EVENTS_SCHEME, {
      async provideTextDocumentContent(uri) {
        return (await import("./events-page.ts")).eventsText(uri, services);
      },
    }),
    registerOnFirstUse(services.log, [COMMANDS.renameSkill], async () => {
      const { registerRenameSkill } = await import("./rename-command.ts");
      return () => registerRenameSkill(services);
    }),
  );
}
