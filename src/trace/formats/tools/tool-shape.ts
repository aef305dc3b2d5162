import type { CodingTool } from "../../../model/coding-tools.ts";
import type { ToolInput } from "../../canonical-input.ts";

/** What a host's schema says of one key of an input. */
export interface KeyShape {
  /** The canonical key; the same name where it is left out. */
  readonly as?: string;
  readonly type: "string" | "number" | "boolean" | "strings" | "objects" | "object" | "command";
  readonly required?: true;
  /** It holds a path, or texts that are paths. */
  readonly path?: true;
}

/** A form of input that renaming keys alone does not bring into the canonical one. */
export interface InputForm {
  /** The input as `keys` reads it, and perhaps another tool; undefined where this call is not that tool after all. */
  read(input: ToolInput): { readonly input: ToolInput; readonly tool?: CodingTool } | undefined;
  /** The way back; undefined where the host's tool cannot say it. */
  write(input: ToolInput, original: ToolInput): ToolInput | undefined;
}

export interface ToolShape {
  readonly tool: CodingTool;
  /** By the host's names, in the form after `form.read`. */
  readonly keys: Readonly<Record<string, KeyShape>>;
  readonly form?: InputForm;
  /** By the host's names as it sends them, where `form` changes them. */
  readonly sent?: Readonly<Record<string, KeyShape>>;
  /** On Windows the same tool runs PowerShell. */
  readonly powershellOnWindows?: true;
  /** The key of an input that is sent as bare text. */
  readonly bare?: string;
}

/** The tools of one host by the names it gives them. */
export interface ToolTable {
  readonly host: string;
  /** The host wants absolute paths. */
  readonly absolutePaths: boolean;
  readonly tools: Readonly<Record<string, ToolShape>>;
}
