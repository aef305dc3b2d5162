import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import { TARGET_NAME, targetSchema, type NamedTarget } from "../model/target.ts";
import type { z } from "../model/zod.ts";

const KEYS = Object.keys(targetSchema.shape);

const NEXT = "docs/jobs.md lists the keys of a target.";

function problem(name: string, message: string, next: string, file: string | undefined): Diagnostic {
  const place = { ...(file !== undefined && { file }), range: START_OF_FILE };
  return { code: "HASP796", severity: "error", message: `The target ${name}: ${message}.`, next, ...place };
}

/** Letters in which two words differ, at most 3. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  const row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    let before = row[0] ?? 0;
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const above = row[j] ?? 0;
      row[j] = Math.min(above + 1, (row[j - 1] ?? 0) + 1, before + (a[i - 1] === b[j - 1] ? 0 : 1));
      before = above;
    }
  }
  return row[b.length] ?? 3;
}

function unknownKey(name: string, key: string, file: string | undefined): Diagnostic {
  const near = KEYS.find((known) => distance(key, known) <= 2);
  const next = near === undefined ? NEXT : `Did you mean \`${near}\`?`;
  return problem(name, `there is no key \`${key}\``, next, file);
}

function problems(name: string, error: z.ZodError, file: string | undefined): readonly Diagnostic[] {
  return error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => unknownKey(name, key, file))
      : [problem(name, `${issue.path.map(String).join(".") || "it"} ${issue.message}`, NEXT, file)],
  );
}

/**
 * Reads targets by their names, as `targets` of `hasp.yaml` and the setting `hasp.targets` hold them. Those that can be used come with the
 * findings about the others (HASP796).
 */
export function readTargets(
  value: unknown,
  file?: string,
): Checked<readonly NamedTarget[]> & { readonly value: readonly NamedTarget[] } {
  const diagnostics: Diagnostic[] = [];
  const targets: NamedTarget[] = [];
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  for (const [name, fields] of entries) {
    const read = targetSchema.safeParse(fields);
    if (!TARGET_NAME.test(name))
      diagnostics.push(
        problem(
          JSON.stringify(name),
          "its name has other characters than letters, digits, `.`, `-` and `_`",
          NEXT,
          file,
        ),
      );
    else if (!read.success) diagnostics.push(...problems(name, read.error, file));
    else if (read.data.kind === "ssh" && read.data.host === undefined)
      diagnostics.push(problem(name, "a target of the kind `ssh` needs a `host`", NEXT, file));
    else targets.push({ name, target: read.data });
  }
  return { value: targets, diagnostics };
}
