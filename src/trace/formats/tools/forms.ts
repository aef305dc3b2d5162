import { isRecord, without } from "../records.ts";
import type { ToolInput } from "../../canonical-input.ts";
import type { InputForm } from "./tool-shape.ts";

/** How a host names what one edit of several says. */
export interface EditKeys {
  /** Undefined where the path stands beside the edits, once for all. */
  readonly path?: string;
  readonly oldText: string;
  readonly newText: string;
  readonly all?: string;
}

const CANONICAL_EDIT = ["path", "oldText", "newText", "all"];

/** Several edits in one call: `list` holds them; without a `path` of their own they take the one beside it. */
export function editList(list: string, keys: EditKeys, pathBeside?: string): InputForm {
  const names = Object.entries({ ...keys });
  function toCanonical(edit: ToolInput, path: unknown): ToolInput {
    const own = names.filter(([, host]) => Object.hasOwn(edit, host));
    const known = Object.fromEntries(own.map(([canonical, host]) => [canonical, edit[host]]));
    const beside = pathBeside === undefined ? {} : { path };
    return { ...beside, ...known, ...without(edit, [...own.map(([, host]) => host), ...CANONICAL_EDIT]) };
  }
  function toHost(edit: ToolInput): ToolInput {
    const own = names.filter(([canonical]) => Object.hasOwn(edit, canonical));
    const known = Object.fromEntries(own.map(([canonical, host]) => [host, edit[canonical]]));
    return { ...known, ...without(edit, CANONICAL_EDIT) };
  }
  return {
    read(input) {
      const edits = input[list];
      if (!Array.isArray(edits) || !edits.every(isRecord)) return undefined;
      if (pathBeside !== undefined && edits.length === 0) return undefined;
      const path = pathBeside === undefined ? undefined : input[pathBeside];
      const rest = without(input, [list, "edits", ...(pathBeside === undefined ? [] : [pathBeside])]);
      return { input: { edits: edits.map((edit) => toCanonical(edit, path)), ...rest } };
    },
    write({ edits, ...rest }) {
      if (!Array.isArray(edits) || !edits.every(isRecord)) return undefined;
      if (keys.all === undefined && edits.some((edit) => edit["all"] === true)) return undefined;
      if (pathBeside === undefined) return { ...rest, [list]: edits.map(toHost) };
      const paths = new Set(edits.map((edit) => edit["path"]));
      const [path] = paths;
      return paths.size === 1 ? { ...rest, [pathBeside]: path, [list]: edits.map(toHost) } : undefined;
    },
  };
}

function isLine(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}

/** The lines from the first to the last, 1-based, as `offset` and `limit`; undefined where they are no such lines. */
function offsetAndLimit(first: unknown, last: unknown): ToolInput | undefined {
  if (first !== undefined && !isLine(first)) return undefined;
  if (last === undefined || last === -1) return first === undefined ? undefined : { offset: first };
  if (!isLine(last) || last < (first ?? 1)) return undefined;
  return first === undefined ? { limit: last } : { offset: first, limit: last - first + 1 };
}

/** The first and the last line of `offset` and `limit`; undefined where they are no numbers of lines. */
function firstAndLast({ offset, limit }: ToolInput): readonly [number, number | undefined] | undefined {
  if (offset !== undefined && !isLine(offset)) return undefined;
  if (limit !== undefined && !isLine(limit)) return undefined;
  const first = offset ?? 1;
  return [first, limit === undefined ? undefined : first + limit - 1];
}

/** A first and a last line under two keys. Where the call has neither, the host's `offset` and `limit` stay. */
export function lineKeys(first: string, last: string): InputForm {
  const has = (input: ToolInput): boolean => Object.hasOwn(input, first) || Object.hasOwn(input, last);
  return {
    read(input) {
      if (!has(input) || "offset" in input || "limit" in input) return { input };
      const lines = offsetAndLimit(input[first], input[last]);
      return { input: lines === undefined ? input : { ...without(input, [first, last]), ...lines } };
    },
    write(input, original) {
      if (!has(original) || has(input)) return input;
      const lines = firstAndLast(input);
      if (lines === undefined) return undefined;
      const rest = without(input, ["offset", "limit"]);
      if (input["offset"] === undefined && input["limit"] === undefined) return rest;
      return { ...rest, [first]: lines[0], ...(lines[1] === undefined ? {} : { [last]: lines[1] }) };
    },
  };
}

/** A pair of lines under one key, the last -1 for the end of the file. */
export function lineRange(key: string): InputForm {
  return {
    read(input) {
      const range = input[key];
      if (!Array.isArray(range) || range.length !== 2 || "offset" in input || "limit" in input)
        return { input };
      const lines = range[0] === undefined ? undefined : offsetAndLimit(range[0], range[1]);
      return { input: lines === undefined ? input : { ...without(input, [key]), ...lines } };
    },
    write(input) {
      if (input["offset"] === undefined && input["limit"] === undefined) return input;
      const lines = firstAndLast(input);
      if (lines === undefined) return undefined;
      return { ...without(input, ["offset", "limit", key]), [key]: [lines[0], lines[1] ?? -1] };
    },
  };
}

/** A list that mostly holds one item, as that item. A call with several is not that tool in canonical words. */
export function onlyItem(list: string, item: string): InputForm {
  return {
    read(input) {
      const items = input[list];
      if (!Array.isArray(items) || items.length !== 1 || item in input) return undefined;
      const only: unknown = items[0];
      return { input: { [item]: only, ...without(input, [list]) } };
    },
    write: (input) => ({ ...without(input, [item]), [list]: [input[item]] }),
  };
}
