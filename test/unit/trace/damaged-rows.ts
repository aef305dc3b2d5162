import * as fc from "fast-check";
import { expect } from "vitest";
import type { Episode } from "../../../src/model/episode.ts";

/**
 * Reads a session with up to eight of its lines missing, doubled, or with any JSON in the place of `key`, 300 times. Each command that
 * is still in the lines has to be that of a step.
 */
export function everyCommandIsAStep(
  session: readonly object[],
  { key, commands }: { readonly key: string; readonly commands: readonly string[] },
  read: (rows: readonly object[]) => readonly Episode[],
): void {
  const names = (value: unknown, command: string): boolean => JSON.stringify(value).includes(command);
  const change = fc.record({
    at: fc.nat(session.length - 1),
    how: fc.constantFrom("drop", "twice", "odd"),
    odd: fc.jsonValue(),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
      const hows = new Map(changes.map((one) => [one.at, one]));
      const rows = session.flatMap((one, at): object[] => {
        const { how, odd } = hows.get(at) ?? {};
        if (how === "drop") return [];
        return how === "twice" ? [one, one] : how === "odd" ? [{ ...one, [key]: odd }] : [one];
      });
      const acts = read(rows).flatMap(({ steps }) => steps.map(({ executed }) => executed.arg));
      for (const command of commands)
        if (rows.some((value) => names(value, command))) expect(names(acts, command)).toBe(true);
    }),
    { numRuns: 300 },
  );
}
