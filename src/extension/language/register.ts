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

const loadCompletion = () => import("./completion.ts");
const loadNavigation = () => import("./navigate.ts");
const loadRename = () => import("./rename.ts");
const loadEvents = () => import("./events-page.ts");

/** Completion, hovers, definitions, references, rename and links of a skill's files. Their code comes with the first that is asked for. */
export function registerLanguage({
  editorServices,
  findings,
}: Pick<Services, "editorServices" | "findings">): vscode.Disposable {
  const services: LanguageServices = { ...editorServices, latest: findings.latest };
  const { languages, workspace } = vscode;
  const completion: vscode.CompletionItemProvider = {
    async provideCompletionItems(document, position) {
      const asked = textOf(document);
      return (await loadCompletion()).completions(asked, position, services);
    },
  };
  return vscode.Disposable.from(
    languages.registerCompletionItemProvider([SKILL_MD, CASES, PF], completion, ":", " ", "#", "["),
    languages.registerCompletionItemProvider(CONFIG, completion, " ", ":"),
    languages.registerHoverProvider([SKILL_MD, CASES, CONFIG], {
      async provideHover(document, position) {
        const asked = textOf(document);
        return (await loadCompletion()).hover(asked, position, services);
      },
    }),
    languages.registerDefinitionProvider([SKILL_MD, CASES, PF, CONFIG], {
      provideDefinition: async (document, position) =>
        (await loadNavigation()).definition(document, position, services),
    }),
    languages.registerReferenceProvider([SKILL_MD, PF, CONFIG], {
      provideReferences: async (document, position, _context, token) =>
        (await loadNavigation()).references(document, position, services, token),
    }),
    languages.registerRenameProvider(SKILL_MD, {
      prepareRename: async (document, position) => (await loadRename()).renameRange(document, position),
      provideRenameEdits: async (document, position, name) =>
        (await loadRename()).renameAt(document, position, name, services),
    }),
    languages.registerDocumentLinkProvider([SKILL_MD, CASES, PF], {
      provideDocumentLinks: async (document) => (await loadNavigation()).links(document, services),
    }),
    languages.registerDocumentLinkProvider(EVENTS, {
      provideDocumentLinks: async (document) => (await loadEvents()).eventLinks(document, services),
    }),
    workspace.registerTextDocumentContentProvider(EVENTS_SCHEME, {
      provideTextDocumentContent: async (uri) => (await loadEvents()).eventsText(uri, services),
    }),
    registerOnFirstUse(services.log, [COMMANDS.renameSkill], async () => {
      const { registerRenameSkill } = await import("./rename-command.ts");
      return () => registerRenameSkill(services);
    }),
  );
}
