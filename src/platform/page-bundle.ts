import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { PageBundle } from "../trace/export-html.ts";
import { FileError } from "./file-error.ts";

/** The built view that an exported page carries. Rejects with a FileError where the folder lacks a part of it. */
export async function readPageBundle(folder: string): Promise<PageBundle> {
  const read = (name: string, encoding: "utf8" | "base64"): Promise<string> =>
    readFile(path.join(folder, name), encoding).catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      const parts = { file: path.join(folder, name), next: "Install HASP again.", cause };
      throw new FileError(`The view that goes into the page cannot be read: ${why}.`, parts);
    });
  const [script, style, formulas, python, font] = await Promise.all([
    read("export.js", "utf8"),
    read("export.css", "utf8"),
    read("formulas.js", "utf8"),
    read("python.js", "utf8"),
    read("codicon.ttf", "base64"),
  ]);
  return { script, style, formulas, python, font };
}

/** For the page's content security policy. */
export function sha256Base64(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("base64");
}
