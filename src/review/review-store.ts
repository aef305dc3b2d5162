import { START_OF_FILE, type Checked, type Diagnostic } from "../model/diagnostic.ts";
import { parseJson } from "../model/read-json.ts";
import {
  REVIEWED_FILES,
  reviewSchema,
  type Fingerprint,
  type Review,
  type ReviewedFile,
} from "../model/review.ts";
import type { SkillFiles } from "../skill/skill-files.ts";
import { decide } from "./decide.ts";
import { METADATA_FILE } from "./metadata-file.ts";

export const METADATA_SCHEMA = "hasp.skill-metadata/1";
const MAX_BYTES = 20_000_000;

/** Files as this room needs them; `src/platform/review-files.ts` implements it. */
export interface ReviewFiles extends Pick<SkillFiles, "readText"> {
  /** Replaces the file as a whole or not at all. */
  writeText(path: string, text: string): Promise<void>;
  /** Runs `work` while nobody else, in this process or another, works on `path`. Rejects when that takes too long. */
  exclusively<T>(path: string, work: () => Promise<T>): Promise<T>;
}

interface Metadata {
  /** The file as it is, with all that is not ours; undefined where there is no file. */
  readonly raw: Readonly<Record<string, unknown>> | undefined;
  /** Entries of `reviews` as they are, readable or not. */
  readonly entries: readonly unknown[];
}

/**
 * The stored reviews of a skill, oldest first; none where there is no `metadata.json`. Undefined where the file cannot be
 * read (HASP710, 711); an entry that is no review is left out with a warning (HASP712). Rejects on I/O errors.
 */
export async function readReviews(
  files: Pick<ReviewFiles, "readText">,
  folder: string,
): Promise<Checked<readonly Review[]>> {
  const { value, diagnostics } = await readMetadata(files, folder);
  if (value === undefined) return { value: undefined, diagnostics };
  const reviews: Review[] = [];
  const wrong: Diagnostic[] = [];
  value.entries.forEach((entry, i) => {
    const read = reviewSchema.safeParse(entry);
    if (read.success && isConsistent(read.data)) reviews.push(read.data);
    else {
      const why = read.success ? "its decision does not follow from its scores" : firstIssue(read.error);
      wrong.push(
        finding(
          folder,
          "HASP712",
          "warning",
          `Review ${i + 1} cannot be read: ${why}.`,
          "Delete it, or leave it: it is kept and not shown.",
        ),
      );
    }
  });
  return { value: reviews, diagnostics: wrong };
}

/**
 * Adds a review to the skill's `metadata.json`, which keeps whatever else it holds. Answers why it was not written (a
 * file that cannot be read is never replaced), or nothing. Rejects on I/O errors.
 */
export async function appendReview(
  files: ReviewFiles,
  folder: string,
  review: Review,
): Promise<readonly Diagnostic[]> {
  const path = `${folder}/${METADATA_FILE}`;
  return files.exclusively(path, async () => {
    const { value, diagnostics } = await readMetadata(files, folder);
    if (value === undefined) return diagnostics;
    const reviews = [...value.entries, review];
    const metadata = { schema: METADATA_SCHEMA, ...value.raw, reviews };
    await files.writeText(path, `${JSON.stringify(metadata, null, 2)}\n`);
    return [];
  });
}

/** Files of the skill that are not as the review saw them: changed, new or gone. Empty: the review is current. */
export function changedSince(review: Review, now: Fingerprint): readonly ReviewedFile[] {
  return REVIEWED_FILES.filter((name) => review.reviewed.files[name] !== now.files[name]);
}

function isConsistent({ scores, said, decision, basis }: Review): boolean {
  const ruling = decide({ scores, said });
  return ruling.decision === decision && ruling.basis === basis;
}

async function readMetadata(
  files: Pick<ReviewFiles, "readText">,
  folder: string,
): Promise<Checked<Metadata>> {
  const found = await files.readText(`${folder}/${METADATA_FILE}`, MAX_BYTES);
  if (found.kind === "absent") return { value: { raw: undefined, entries: [] }, diagnostics: [] };
  const move = "Fix it, or move it away; it is not replaced.";
  const broken = (code: string, message: string, next = move): Checked<Metadata> => ({
    value: undefined,
    diagnostics: [finding(folder, code, "error", message, next)],
  });
  if (found.kind === "too-large") {
    return broken(
      "HASP710",
      `The file has ${(found.size / 1e6).toFixed(1)} MB; at most ${MAX_BYTES / 1e6} MB are read.`,
    );
  }
  const raw = objectOf(found.text);
  if (raw === undefined) return broken("HASP710", "The file is no JSON object.");
  const { schema = METADATA_SCHEMA, reviews = [] } = raw;
  if (schema !== METADATA_SCHEMA) {
    const message = `The file says that it is ${JSON.stringify(schema)?.slice(0, 80) ?? "another"}, and not "${METADATA_SCHEMA}".`;
    return broken(
      "HASP711",
      message,
      "Update HASP Studio if a newer one wrote it, else move it away; it is not replaced.",
    );
  }
  if (!Array.isArray(reviews)) return broken("HASP710", "`reviews` is no list.");
  return { value: { raw, entries: reviews as readonly unknown[] }, diagnostics: [] };
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}

function firstIssue(error: {
  readonly issues: readonly { path: readonly PropertyKey[]; message: string }[];
}): string {
  const [issue] = error.issues;
  const where = issue?.path.map(String).join(".") ?? "";
  return `${where === "" ? "" : `${where}: `}${issue?.message ?? "it is no review"}`;
}

function finding(
  folder: string,
  code: string,
  severity: Diagnostic["severity"],
  message: string,
  next: string,
): Diagnostic {
  return { code, severity, message, next, file: `${folder}/${METADATA_FILE}`, range: START_OF_FILE };
}
