import type { Fix, Range } from "../model/diagnostic.ts";
import { phaseNameSchema, type Phase, type PhaseName, type Skill } from "../model/skill.ts";
import { meantWord, type Fields, type StringItem } from "./fields.ts";
import type { Frontmatter } from "./frontmatter.ts";
import type { Report } from "./report.ts";
import { withSection } from "./skill-fixes.ts";
import { PHASE_KEYS } from "./skill-keys.ts";
import type { SourceText } from "./source-text.ts";
import { warnOfQuestions } from "./question-marks.ts";
import { didYouMean } from "./suggest.ts";
import type { DomainScope } from "../model/domain-spec.ts";
import { actionsIn, conditionsIn, phasesIn } from "./vocabulary.ts";
import { addBelow } from "./yaml-edits.ts";

const PHASE_NAMES: readonly string[] = phaseNameSchema.options;

/** The text under one `## Phase: <name>` heading of the body. */
interface Section {
  readonly text: string;
  readonly nameRange: Range;
  /** From the line below the heading to the next heading. */
  readonly range: Range;
}

/** The file of a skill, and the domains whose words its phases may use. */
interface PhaseContext {
  readonly front: Frontmatter;
  readonly source: SourceText;
  readonly scope: DomainScope;
  readonly report: Report;
}

/** Reads `phases` (SPEC §2); a phase without `text` takes the text of its section in the body. */
export function parsePhases(hasp: Fields, context: PhaseContext): Skill["phases"] {
  const { front, source, scope, report } = context;
  const sections = phaseSections(front, source);
  for (const [name, section] of sections) {
    if (PHASE_NAMES.includes(name)) continue;
    report.warning(
      "HASP120",
      section.nameRange,
      `No step of an episode is called "${name}"; the section is not used.`,
      didYouMean(name, PHASE_NAMES),
      meantWord(name, section.nameRange, PHASE_NAMES),
    );
  }
  const phases = hasp.map("phases");
  phases?.refuseUnknown(PHASE_NAMES);
  warnOfUnreached(phases, scope, report);
  const read: Partial<Record<PhaseName, Phase>> = {};
  for (const name of phaseNameSchema.options) {
    const phase = phases?.map(name);
    const section = sections.get(name);
    if (phase !== undefined) read[name] = readPhase(name, phase, section, context);
    else if (section !== undefined && phases?.entry(name) === undefined) {
      report.warning(
        "HASP120",
        section.nameRange,
        `The section is never rendered: \`phases\` has no "${name}".`,
        `Add \`${name}: { conditions: [] }\` under \`metadata: hasp: phases:\`.`,
        addPhase(name, hasp, front),
      );
    }
  }
  return read;
}

/** A phase that no episode of the domain comes to is never rendered. */
function warnOfUnreached(phases: Fields | undefined, scope: DomainScope, report: Report): void {
  const reached = phasesIn(scope);
  for (const name of phaseNameSchema.options) {
    if (phases?.entry(name) === undefined || reached.includes(name)) continue;
    report.warning(
      "HASP120",
      phases.rangeOf(name),
      `The phase "${name}" is never rendered: no action of this domain opens it.`,
      `Use one of: ${reached.join(", ")}.`,
      phases.removing(name),
    );
  }
}

/** The phase where `phases` stands, else under `metadata: hasp:`. */
function addPhase(name: string, hasp: Fields, front: Frontmatter): readonly Fix[] {
  const title = `Add \`${name}\` to \`phases\``;
  const isAtTop =
    front.root.entries.has("phases") && hasp.entry("phases") === front.root.entries.get("phases");
  const path = isAtTop ? ["phases"] : ["metadata", "hasp", "phases"];
  const edit = addBelow(front.root, path, `${name}:\n  conditions: []`);
  return edit === undefined ? [] : [{ title, edits: [edit] }];
}

function readPhase(
  name: string,
  fields: Fields,
  section: Section | undefined,
  { front, source, scope, report }: PhaseContext,
): Phase {
  fields.refuseUnknown(PHASE_KEYS);
  const conditions = fields.strings("conditions") ?? [];
  for (const item of conditions)
    checkWord(item, "condition", conditionsIn(scope), fields.removingItem("conditions", item), report);
  const action = fields.string("action");
  if (action !== undefined)
    checkWord(
      { text: action, range: fields.rangeOf("action") },
      "action",
      actionsIn(scope),
      fields.removing("action"),
      report,
    );
  const own = fields.string("text")?.trim();
  const text = own ?? section?.text;
  if (
    action === undefined &&
    !text &&
    fields.entry("action") === undefined &&
    fields.entry("text") === undefined
  ) {
    report.warning(
      "HASP118",
      fields.range,
      `The phase "${name}" says nothing to the policy.`,
      `Add \`text:\`, or a section \`## Phase: ${name}\` below.`,
      [withSection(`Phase: ${name}`, "Say here what to do.", front, report.source)],
    );
  }
  const range = own === undefined ? section?.range : fields.rangeOf("text");
  if (text !== undefined && range !== undefined) warnOfQuestions(text, range, source, report);
  return {
    conditions: conditions.map((c) => c.text),
    priorityBoost: readBoost(fields, report),
    ...(action === undefined ? {} : { action }),
    ...(text ? { text } : {}),
  };
}

function checkWord(
  { text: word, range }: StringItem,
  noun: string,
  known: Readonly<Record<string, string>>,
  remove: readonly Fix[],
  report: Report,
): void {
  if (Object.hasOwn(known, word)) return;
  const words = Object.keys(known);
  report.error("HASP117", range, `"${word}" is no known ${noun}.`, didYouMean(word, words), [
    ...meantWord(word, range, words),
    ...remove,
  ]);
}

function readBoost(fields: Fields, report: Report): number {
  const boost = fields.number("priority_boost") ?? 0;
  if (boost >= -1 && boost <= 1) return boost;
  report.error(
    "HASP115",
    fields.rangeOf("priority_boost"),
    `The boost is ${boost}; it is added to a priority between 0 and 1.`,
    "Write for example `priority_boost: 0.2`.",
    fields.setting(`Write \`priority_boost: ${Math.sign(boost)}\``, "priority_boost", `${Math.sign(boost)}`),
  );
  return 0;
}

/** Headings inside code fences do not count. */
function phaseSections(front: Frontmatter, source: SourceText): Map<string, Section> {
  const sections = new Map<string, Section>();
  let open: { name: string; range: Range; from: number; lines: string[] } | undefined;
  let isInFence = false;
  let offset = front.bodyStart;
  const close = (): void => {
    if (open !== undefined)
      sections.set(open.name, {
        text: open.lines.join("\n").trim(),
        nameRange: open.range,
        range: source.range(open.from, offset),
      });
    open = undefined;
  };
  for (const line of front.body.split("\n")) {
    if (/^\s*(```|~~~)/.test(line)) isInFence = !isInFence;
    const heading = isInFence ? null : /^(#{1,2})(?!#)\s/.exec(line);
    const name = heading === null ? undefined : /^##\s+Phase:\s*(\S+)/i.exec(line);
    if (heading !== null) close();
    if (name?.[1] !== undefined) {
      const start = offset + name[0].length - name[1].length;
      open = {
        name: name[1],
        range: source.range(start, start + name[1].length),
        from: offset + line.length + 1,
        lines: [],
      };
    } else open?.lines.push(line.replace(/\r$/, ""));
    offset += line.length + 1;
  }
  close();
  return sections;
}
