import fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor, oneLine } from "../../../src/llm/redact.ts";

const KEYS = [
  "Authorization: Bearer abcdef0123456789",
  "authorization: basic dXNlcjpwYXNzd29yZA==",
  '{"api_key":"0123456789abcdef"}',
  "Incorrect API key provided: sk-proj-0123456789abcdef",
  "hf_abcdefghijklmnopqrst and gsk_abcdefghijklmnopqrst",
  "https://me:topsecret@llm.example.org/v1",
  "redis://:topsecret@cache",
  "aws_access_key_id = AKIA0123456789ABCDEF",
  "glpat-abcdefghijklmnopqrst and npm_abcdefghijklmnopqrstuvwxyz0123456789",
  "xoxb-0123456789-abcdefghij and sk_live_abcdefghijklmnop",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTIzNDU2Nzg5In0.abcdefghijklmnop",
  "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzabcdefghij\n0123456789\n-----END OPENSSH PRIVATE KEY-----",
  "cut off: -----BEGIN PRIVATE KEY-----\nabcdefghij",
];

test.each(KEYS)("%s shows no key", (text) => {
  const hidden = createRedactor().redact(text);
  expect(hidden).toContain("[redacted]");
  expect(hidden).not.toMatch(/0123456789|dXNlcjpw|abcdefghij|topsecret|eyJzdWI/);
  expect(createRedactor().redact(hidden)).toBe(hidden);
});

test.each(KEYS)("%s shows no key as it stands in the arguments of a call, in JSON within JSON", (text) => {
  const call = JSON.stringify({ name: "Bash", arguments: { command: text } });
  for (const within of [call, JSON.stringify({ content: call })]) {
    const hidden = createRedactor().redact(within);
    expect(hidden).toContain("[redacted]");
    expect(hidden).not.toMatch(/0123456789|dXNlcjpw|abcdefghij|topsecret|eyJzdWI/);
    expect(JSON.parse(hidden)).toBeTypeOf("object");
  }
});

test("text after the mention of a private key stays", () => {
  const text = "grep -r '-----BEGIN RSA PRIVATE KEY-----' src && rm -rf everything-else";
  expect(createRedactor().redact(text)).toBe(text);
});

test("ordinary text stays", () => {
  const text =
    "The standard bearer of Elizabeth I asked the risk-averse desk-bound clerk about task-oriented https://a.org/@b, AKIA and npm_modules.";
  expect(createRedactor().redact(text)).toBe(text);
});

test("a known secret is hidden in plain text, in JSON and in URLs; short words are no secrets", () => {
  const redactor = createRedactor();
  redactor.learn('p"ss w/rd+1');
  redactor.learn("EMPTY");
  const text = `p"ss w/rd+1 ${JSON.stringify('p"ss w/rd+1')} ?k=${encodeURIComponent('p"ss w/rd+1')} EMPTY`;
  expect(redactor.hideKnown(text)).toBe('[redacted] "[redacted]" ?k=[redacted] EMPTY');
});

test("no learned secret survives, and hiding twice changes nothing", () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9_\-.]{8,24}$/).filter((s) => !"[redacted]".includes(s));
  fc.assert(
    fc.property(
      fc.array(secret, { minLength: 1, maxLength: 3 }),
      fc.string(),
      fc.string(),
      (secrets, before, after) => {
        const redactor = createRedactor();
        for (const one of secrets) redactor.learn(one);
        const hidden = redactor.redact(before + secrets.join(after) + after);
        for (const one of secrets) expect(hidden).not.toContain(one);
        expect(redactor.redact(hidden)).toBe(hidden);
      },
    ),
  );
});

test("one line is one line", () => {
  expect(oneLine(" a\u0000\n\u001b[31mb\u2028 ")).toBe("a [31mb");
  expect(oneLine("abcdef", 3)).toBe("abc…");
});
