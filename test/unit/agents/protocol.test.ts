import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRequest } from "../../../src/agents/serve/protocol.ts";
import { lineSplitter } from "../../../src/agents/serve/lines.ts";

const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

function errorOf(request: Uint8Array) {
  const parsed = parseRequest(request);
  if (!("error" in parsed)) throw new Error("It was taken.");
  const { code, message, next } = parsed.error;
  return { id: parsed.id, code, message, next };
}

describe("a request", () => {
  it("is taken with its id, as a text or a number, and with params left out where there are none", () => {
    expect(parseRequest(bytes({ id: "a", method: "ping" }))).toMatchObject({
      id: "a",
      request: { method: "ping" },
    });
    const action = { type: "SEARCH", arg: "Walton" };
    expect(parseRequest(bytes({ id: 7, method: "step", params: { episode: "e", action } }))).toMatchObject({
      id: 7,
      request: { method: "step", params: { episode: "e", thought: "", action } },
    });
  });

  it("of an unknown method, or with an unknown key, is answered with the likely one", () => {
    expect(errorOf(bytes({ id: 1, method: "obsrve" }))).toMatchObject({
      id: 1,
      code: "unknown_method",
      next: 'Did you mean "observe"?',
    });
    expect(errorOf(bytes({ id: 1, method: "open", params: { questoin: "?" } })).code).toBe("bad_params");
    const slip = { question: "Who?", maxsteps: 3 };
    expect(errorOf(bytes({ id: 1, method: "open", params: slip }))).toMatchObject({
      code: "bad_params",
      next: 'Did you mean "max_steps"?',
    });
    expect(errorOf(bytes({ id: 1, metod: "ping" }))).toMatchObject({ code: "bad_request" });
    for (const name of ["__proto__", "constructor", "toString"])
      expect(errorOf(bytes({ id: 1, method: name })).code).toBe("unknown_method");
  });

  it("with a value of the wrong type says which", () => {
    const wrong = { question: "Who?", max_steps: "3" };
    expect(errorOf(bytes({ id: 1, method: "open", params: wrong })).message).toContain("`max_steps`");
    const params = { episode: "e", action: { type: "", arg: "x" } };
    expect(errorOf(bytes({ id: 1, method: "step", params })).message).toContain("`action.type`");
    expect(errorOf(bytes({ id: 1, method: "open", params: { question: "  " } })).code).toBe("bad_params");
  });

  it("that is no UTF-8, no JSON or no object is refused, and keeps the id where one can be read", () => {
    expect(errorOf(Uint8Array.of(0x22, 0xff, 0x22))).toMatchObject({ id: null, code: "bad_json" });
    expect(errorOf(new TextEncoder().encode("{"))).toMatchObject({ id: null, code: "bad_json" });
    expect(errorOf(bytes([]))).toMatchObject({ id: null, code: "bad_request" });
    expect(errorOf(bytes({ id: 3, params: {} }))).toMatchObject({ id: 3, code: "bad_request" });
    expect(errorOf(bytes({ method: "ping" }))).toMatchObject({ id: null, code: "bad_request" });
  });

  it.each([
    ["deep", `{"id":1,"method":"ping","params":{"x":${"[".repeat(100_000)}}`, "200 levels deep"],
    ["of many values", `{"id":1,"params":[${"{},".repeat(5_000_001)}1]}`, "5000000 values"],
  ])("that is too %s is refused before it is parsed", (_, text, says) => {
    const { code, message } = errorOf(new TextEncoder().encode(text));
    expect(code).toBe("too_large");
    expect(message).toContain(says);
  });

  it("never throws, whatever the bytes", () => {
    fc.assert(fc.property(fc.uint8Array(), (raw) => void parseRequest(raw)));
    fc.assert(fc.property(fc.jsonValue(), (value) => void parseRequest(bytes(value))));
    const method = fc.constantFrom("open", "step", "observe", "close", "library", "ping", "x");
    const request = fc.record({ id: fc.jsonValue(), method, params: fc.jsonValue() });
    fc.assert(fc.property(request, (value) => void parseRequest(bytes(value))));
  });
});

describe("lines of a stream", () => {
  const read = (pieces: readonly Uint8Array[], most = 1000) => {
    const splitter = lineSplitter(most);
    return [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()].map((line) =>
      line.kind === "line" ? new TextDecoder().decode(line.bytes) : line.kind,
    );
  };
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

  it("are the same however the stream is cut", () => {
    const text = fc
      .array(fc.string({ unit: fc.constantFrom("a", "é", "\n", "\r\n", " ") }))
      .map((all) => all.join(""));
    const cuts = fc.array(fc.nat(40), { maxLength: 10 });
    fc.assert(
      fc.property(text, cuts, (whole, at) => {
        const all = encode(whole);
        const ends = [
          ...new Set([...at.filter((n) => n < all.length).toSorted((a, b) => a - b), all.length]),
        ];
        const pieces = ends.map((end, i) => all.subarray(ends[i - 1] ?? 0, end));
        expect(read(pieces)).toEqual(whole.split("\n").filter((line) => line.trim() !== ""));
      }),
    );
  });

  it("over the limit are told once and lost, and the next is read again", () => {
    const pieces = [encode("ok\n"), encode("x".repeat(8)), encode("x".repeat(8)), encode("\nfine")];
    expect(read(pieces, 10)).toEqual(["ok", "too-large", "fine"]);
    expect(read([encode("1234567890\n")], 10)).toEqual(["1234567890"]);
    expect(read([encode("12345678901")], 10)).toEqual(["too-large"]);
  });
});
