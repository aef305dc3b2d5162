import fc from "fast-check";
import { expect, it } from "vitest";
import { formatDiagnostic } from "../../../src/cli/format-diagnostic.ts";
import { printable, printableLine } from "../../../src/model/printable.ts";
import { START_OF_FILE } from "../../../src/model/diagnostic.ts";
import { escapeUnseen } from "../../../src/trace/safe-json.ts";

const UNFIT = /(?![\n\t])[\p{Cc}\p{Cs}\p{Bidi_Control}]/u;

it("lets no text drive a terminal, and keeps what a script needs", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(UNFIT.test(printable(text))).toBe(false);
      expect(printableLine(text)).not.toMatch(/[\r\n]/);
    }),
  );
  const scripts = "می\u200cخواهم 👩\u200d🔬 日本語 é";
  expect(printable(scripts)).toBe(scripts);
});

it("keeps a stranger's line breaks from making lines of ours", () => {
  const finding = { code: "HASP1", severity: "error", message: "a\n✓ fine", range: START_OF_FILE } as const;
  const shown = formatDiagnostic({ ...finding, file: "x\r\ny", next: "do\nthis" });
  expect(shown).toBe("x y:1:1  error  HASP1  a ✓ fine\n    → do this");
});

it("writes what nobody can see as escapes of JSON, and changes no value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, text) => {
      const escaped = escapeUnseen(JSON.stringify([value, text]));
      expect(JSON.parse(escaped)).toEqual(JSON.parse(JSON.stringify([value, text])));
      expect(UNFIT.test(escaped)).toBe(false);
    }),
  );
});
