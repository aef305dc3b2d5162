import * as vscode from "vscode";
import { linksIn, type TextLink } from "../../skill/language/links.ts";
import {
  namesOf,
  partRanges,
  pfPart,
  placeAt,
  placesOf,
  type SkillPlace,
} from "../../skill/language/places.ts";
import { wordAt, yamlTree } from "../../skill/language/yaml-at.ts";
import { sourceText } from "../../skill/source-text.ts";
import { pageOf, toVsRange } from "../diagnostics/convert.ts";
import type { LocatedSkill } from "../workspace/library.ts";
import { filesNaming, kindOf, skillOf, textAt, type LanguageServices } from "./context.ts";
import { eventLocations } from "./events-page.ts";

const EXTENSION_ID = "hasp-studio.hasp-studio";

interface Named {
  readonly place: SkillPlace;
  /** Undefined where nobody here has that name. */
  readonly skill: LocatedSkill | undefined;
}

async function namedAt(
  document: vscode.TextDocument,
  position: vscode.Position,
  { library }: LanguageServices,
): Promise<Named | undefined> {
  const kind = kindOf(document.uri);
  const place = kind === undefined ? undefined : placeAt(kind, document.getText(), position);
  if (place === undefined) return undefined;
  const isOwn = place.role === "id" || place.role === "name" || place.role === "class";
  if (isOwn) return { place, skill: await skillOf(document.uri, library) };
  const wanted = place.role === "folder" ? namesOf(place.text).skillId : place.text;
  return { place, skill: (await library.list()).find(({ skillId }) => skillId === wanted) };
}

async function placesIn(
  uri: vscode.Uri,
  roles: readonly string[],
  { shownFiles }: LanguageServices,
): Promise<[SkillPlace, vscode.Location][]> {
  const kind = kindOf(uri);
  const found = kind === undefined ? [] : placesOf(kind, await textAt(uri, shownFiles));
  return found
    .filter(({ role }) => roles.includes(role))
    .map((place) => [place, new vscode.Location(uri, toVsRange(place.range))]);
}

/** The skill's own words for itself: its id, or its name where it has none. */
async function declared(skill: LocatedSkill, services: LanguageServices): Promise<vscode.Location> {
  const own = await placesIn(skill.skillMd, ["id", "name"], services);
  const [, location] = own.find(([{ role }]) => role === "id") ?? own[0] ?? [];
  return location ?? new vscode.Location(skill.skillMd, new vscode.Position(0, 0));
}

async function classOf(skill: LocatedSkill, services: LanguageServices): Promise<vscode.Location[]> {
  if (skill.pf === undefined) return [];
  return (await placesIn(skill.pf, ["class"], services)).map(([, location]) => location);
}

/** From a key of a case to the method or the uses of the field in `pf.ts`. */
async function partOf(
  document: vscode.TextDocument,
  position: vscode.Position,
  services: LanguageServices,
): Promise<vscode.Location[]> {
  const root = yamlTree(sourceText(document.getText()));
  const word = root === undefined ? undefined : wordAt(root, position);
  const part = word === undefined || word.at !== "key" ? undefined : pfPart(word.path);
  const pf = (await skillOf(document.uri, services.library))?.pf;
  if (part === undefined || pf === undefined) return [];
  return partRanges(await textAt(pf, services.shownFiles), part).map(
    (range) => new vscode.Location(pf, toVsRange(range)),
  );
}

export async function definition(
  document: vscode.TextDocument,
  position: vscode.Position,
  services: LanguageServices,
): Promise<vscode.Location[]> {
  if (kindOf(document.uri) === "cases.yaml") return partOf(document, position, services);
  const named = await namedAt(document, position, services);
  if (named?.skill === undefined) return [];
  const isOwnFile = named.place.role === "id" || named.place.role === "name";
  return isOwnFile ? classOf(named.skill, services) : [await declared(named.skill, services)];
}

export async function references(
  document: vscode.TextDocument,
  position: vscode.Position,
  services: LanguageServices,
  token: vscode.CancellationToken,
): Promise<vscode.Location[]> {
  const skill = (await namedAt(document, position, services))?.skill;
  if (skill === undefined) return [];
  const all = await services.library.list();
  const { name } = namesOf(skill.skillId.replaceAll("_", "-"));
  const found: vscode.Location[] = [];
  for (const uri of filesNaming(skill, all)) {
    const isOwn = uri.path.startsWith(`${skill.uri.path}/`);
    const places = await placesIn(uri, isOwn ? ["id", "name", "class"] : ["names", "folder"], services);
    found.push(
      ...places
        .filter(([{ text }]) => isOwn || text === skill.skillId || text === name)
        .map(([, location]) => location),
    );
  }
  return [...found, ...(await eventLocations(skill.skillId, services, token))];
}

function targetOf(link: TextLink, skills: ReadonlyMap<string, LocatedSkill>): vscode.Uri | undefined {
  switch (link.kind) {
    case "rule":
      return pageOf(link.code);
    case "skill":
      return skills.get(link.skillId)?.skillMd;
    case "step": {
      const { uriScheme: scheme } = vscode.env;
      return vscode.Uri.from({ scheme, authority: EXTENSION_ID, path: "/step", query: link.query });
    }
  }
}

export async function links(
  document: vscode.TextDocument,
  { library }: LanguageServices,
): Promise<vscode.DocumentLink[]> {
  const skills = new Map((await library.list()).map((skill) => [skill.skillId, skill]));
  return linksIn(document.getText(), new Set(skills.keys())).flatMap((link) => {
    const target = targetOf(link, skills);
    return target === undefined ? [] : [new vscode.DocumentLink(toVsRange(link.range), target)];
  });
}
