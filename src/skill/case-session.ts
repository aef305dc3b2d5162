import type { Action } from "../model/action.ts";
import type { CaseSession, CaseStep } from "../model/case.ts";
import { projectCheckSchema, worldSchema, type ToolResult } from "../model/coding-context.ts";
import { executableIn, type DomainScope } from "../model/domain-spec.ts";
import type { z } from "../model/zod.ts";
import { fieldsOf, type Fields } from "./fields.ts";
import type { Report } from "./report.ts";
import { jsonOf, recordOf } from "./yaml-json.ts";
import type { YamlValue } from "./yaml-tree.ts";

/** Keys of a case that tell an episode so far. */
export const SESSION_KEYS: readonly string[] = ["steps", "prompts", "world", "project", "cwd"];

const CODES = { wrongType: "HASP302", unknownKey: "HASP303" } as const;
const STEP =
  "Write for example `- { type: Bash, input: { command: npm test }, observation: 2 failed, exitCode: 1 }`.";

/** Three action types of the file's own domain, else of the default one. */
function examples({ own, all }: DomainScope): readonly string[] {
  return executableIn({ own: own ?? all[0], all }).slice(0, 3);
}

/**
 * An action of a case: `type`, and its argument as `arg` or, for a tool call, as the mapping `input`, which becomes JSON. `what` names
 * it in messages.
 */
export function readAction(
  fields: Fields,
  what: string,
  report: Report,
  scope: DomainScope,
): Action | undefined {
  const type = fields.string("type");
  const raw = fields.string("raw");
  const input = fields.entry("input");
  if (type === undefined) {
    if (fields.entry("type") === undefined)
      report.error(
        "HASP301",
        fields.range,
        `The ${what} has no \`type\`.`,
        `Add \`type:\`, e.g. ${examples(scope).join(", ")}, or a tool of your agent.`,
        examples(scope).flatMap((known) =>
          fields.adding(`Add \`type: ${known}\``, `type: ${known}`, "by hand"),
        ),
      );
    return undefined;
  }
  if (input !== undefined && fields.entry("arg") !== undefined)
    report.error(
      "HASP306",
      input.keyRange,
      `The ${what} has both an \`arg\` and an \`input\`.`,
      "Delete one of them.",
      [...fields.removing("arg"), ...fields.removing("input")],
    );
  if (input !== undefined && input.value.kind !== "map") {
    report.error(
      "HASP302",
      input.value.range,
      "`input` must be a mapping.",
      "Write for example `input: { command: npm test }`.",
    );
    return undefined;
  }
  const arg =
    input?.value.kind === "map" ? JSON.stringify(recordOf(input.value)) : (fields.string("arg") ?? "");
  return { type, arg, ...(raw === undefined ? {} : { raw }) };
}

function readResult(fields: Fields, report: Report): ToolResult | undefined {
  const exitCode = fields.number("exitCode");
  const ok = fields.boolean("ok");
  if (exitCode !== undefined && !Number.isInteger(exitCode)) {
    report.error(
      "HASP302",
      fields.rangeOf("exitCode"),
      `\`exitCode\` must be a whole number, not ${exitCode}.`,
      "Write `exitCode: 1`.",
      fields.setting("Write `exitCode: 1`", "exitCode", "1", "by hand"),
    );
    return undefined;
  }
  if (exitCode === undefined && ok === undefined) return undefined;
  return { ...(exitCode === undefined ? {} : { exitCode }), ...(ok === undefined ? {} : { ok }) };
}

function readStep(item: YamlValue, report: Report, scope: DomainScope): CaseStep | undefined {
  if (item.kind !== "map") {
    report.error("HASP302", item.range, "A step must be a mapping.", STEP);
    return undefined;
  }
  const fields = fieldsOf(item, "steps.", report, CODES);
  fields.refuseUnknown(["type", "arg", "input", "raw", "observation", "exitCode", "ok"]);
  const executed = readAction(fields, "step", report, scope);
  if (executed === undefined) return undefined;
  const result = readResult(fields, report);
  const observation = fields.string("observation") ?? "";
  return { executed, observation, ...(result === undefined ? {} : { result }) };
}

/** A value that must fit a schema of the model. */
function readAs<T>(
  fields: Fields,
  key: string,
  schema: z.ZodType<T>,
  example: string,
  report: Report,
): T | undefined {
  const value = fields.entry(key)?.value;
  if (value === undefined) return undefined;
  const parsed = schema.safeParse(jsonOf(value));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  report.error(
    "HASP302",
    value.range,
    `\`${key}\` cannot be read${at}: ${issue?.message ?? "it has another shape"}.`,
    `Write for example ${example}.`,
    fields.removing(key),
  );
  return undefined;
}

/** The episode so far that a case tells; undefined where it tells none. */
export function readSession(fields: Fields, report: Report, scope: DomainScope): CaseSession | undefined {
  if (SESSION_KEYS.every((key) => fields.entry(key) === undefined)) return undefined;
  const cwd = fields.string("cwd");
  const world = readAs(fields, "world", worldSchema, "`world: { branch: main }`", report);
  const checks = projectCheckSchema.array();
  return {
    steps: (fields.list("steps")?.items ?? []).flatMap((item) => readStep(item, report, scope) ?? []),
    prompts: fields.strings("prompts")?.map(({ text }) => text) ?? [],
    project:
      readAs(fields, "project", checks, "`project: [{ kind: test, command: npm test }]`", report) ?? [],
    ...(cwd === undefined ? {} : { cwd }),
    ...(world === undefined ? {} : { world }),
  };
}
