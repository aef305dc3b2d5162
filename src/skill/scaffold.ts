import { READ, SEARCH } from "../model/action-types.ts";
import type { DomainSpec } from "../model/domain-spec.ts";
import { isKindOfStep, type SkillKind } from "./scaffold-kinds.ts";
import type { StarterCode } from "./scaffold-pf.ts";
import type { Starter, Starters } from "./scaffold-starters.ts";
import { stepCases, stepPf, whenOf, type SkillOrigin } from "./scaffold-step.ts";
import { TODO_TEXT } from "./template-text.ts";

/** The domain of a new skill. */
export interface ScaffoldDomain extends DomainSpec {
  readonly starters: Starters;
}

/** What a person says about a new skill before there is a file. */
export interface NewSkill {
  /** kebab-case; `checkSkillName` says why a name will not do. */
  readonly name: string;
  /** Absent: the name in words. */
  readonly title?: string;
  /** When to use the skill, in one sentence. */
  readonly description: string;
  readonly domain: ScaffoldDomain;
  /** One of the domain's (`kindsIn`). */
  readonly kind: SkillKind;
  /** The recorded step that it is made from: its trigger fires there, and the step is its first case. For kinds of `isKindOfStep`. */
  readonly origin?: SkillOrigin | undefined;
  /** Lines about the failure that it is to prevent, for a reader of SKILL.md. */
  readonly notes?: readonly string[];
}

/**
 * The files of a new skill by their path in its folder; one of text alone is SKILL.md only. They validate without a
 * warning and their cases hold; texts that are not the author's are marked, and until they are replaced the skill acts nowhere (HASP431).
 */
export function scaffoldSkill(request: NewSkill): ReadonlyMap<string, string> {
  const { kind, origin, domain, name } = request;
  if (origin !== undefined && isKindOfStep(kind))
    return new Map([
      ["SKILL.md", skillMd(request, textsOfStep(kind, origin, domain))],
      ["pf.ts", pfOf(name, (className) => stepPf(className, kind, origin, domain))],
      ["cases.yaml", stepCases(kind, origin, domain)],
    ]);
  const given = domain.starters[kind];
  if (given === undefined) throw new RangeError(`No skill of ${domain.name} is of kind ${kind}.`);
  const starter = templated(given);
  const files = new Map([["SKILL.md", skillMd(request, starter)]]);
  if (starter.code === undefined) return files;
  return files.set("pf.ts", pfOf(name, starter.code.pf)).set("cases.yaml", starter.code.cases);
}

/** A double-quoted YAML text is a JSON text on one line. */
function quoted(text: string): string {
  return JSON.stringify(text.replaceAll(/\s+/g, " ").trim());
}

function titleOf({ name, title }: NewSkill): string {
  const words = name.replaceAll("-", " ");
  return (title?.trim() || words.charAt(0).toUpperCase() + words.slice(1)).replaceAll(/\s+/g, " ");
}

/** The starter's code. Its class is named after the skill, and never as something that it imports. */
function pfOf(name: string, code: StarterCode["pf"]): string {
  const joined = name
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
  const pf = code(joined);
  return new RegExp(`^import .*\\b${joined}\\b`, "m").test(pf) ? code(`${joined}Skill`) : pf;
}

/** Sentences about the template's own condition and code are the template's; those about the kind of skill hold for any. */
function templated(starter: Starter): Starter {
  const { handler, code, trigger, does } = starter;
  return {
    ...starter,
    trigger: handler === "llm" ? trigger : `${TODO_TEXT} ${trigger}`,
    does: code === undefined ? does : `${TODO_TEXT} ${does}`,
  };
}

/** The narrowest phase in which a PF is asked about such an action. */
function phaseOf(type: string, { finalAction, actionTypes }: DomainSpec): Starter["phase"] {
  if (type === finalAction) return "answer";
  const searching = [SEARCH, READ].filter((one) => actionTypes.includes(one));
  const isSearching = searching.length === 0 ? actionTypes.includes(type) : searching.includes(type);
  return isSearching ? "search" : "think";
}

function textsOfStep(kind: "rewrite" | "inject", origin: SkillOrigin, domain: DomainSpec): Starter {
  const when = whenOf(origin, domain);
  return {
    phase: phaseOf(origin.proposed.type, domain),
    trigger: `${when.charAt(0).toUpperCase()}${when.slice(1)}.`,
    does:
      kind === "rewrite"
        ? "It replaces the proposed action, once per episode."
        : "It adds a context to the step, once per episode.",
  };
}

/** Each on one line of a list, so that none of them reads as a heading of ours. */
function notesSection(notes: readonly string[]): string {
  const lines = notes.map((note) => `- ${note.replaceAll(/\s+/g, " ").trim()}\n`);
  return lines.length === 0 ? "" : `\n## The failure that it is made from\n\n${lines.join("")}`;
}

/** A text for frontmatter. Some hosts end it at three dashes, wherever they stand (HASP126). */
const inKeys = (text: string): string => quoted(text.replaceAll(/-{3,}/g, "—"));

function skillMd(request: NewSkill, starter: Starter): string {
  const { name, description, domain, notes = [] } = request;
  const { phase, trigger, does, handler, keys = [], sections = "" } = starter;
  const title = titleOf(request);
  const further = [...(handler === undefined ? [] : [`handler: ${handler}`]), ...keys];
  return `---
name: ${name}
description: ${inKeys(description)}
metadata:
  hasp:
    skill_id: ${name.replaceAll("-", "_")}
    title: ${inKeys(title)}
    version: 1
    priority: 0.5
    error_category: ${name.replaceAll("-", "_")}
    applicable_modes: [${domain.name}]
    applicable_phases: [${phase}]
${further.map((line) => `    ${line}\n`).join("")}---

# ${title}

${description.trim()}

## Detection triggers

- ${trigger}

## What the Program Function does

${does}
${sections}${notesSection(notes)}`;
}
