import { expect, it } from "vitest";
import { environmentSecrets } from "../../../src/llm/env-secrets.ts";
import { createRedactor } from "../../../src/llm/redact.ts";

it("takes the passwords in the URLs of all variables, as written and decoded, and no word", () => {
  const found = environmentSecrets({
    DATABASE_URL: "postgres://app:p4ssw0rd%2Fdb@db.example.org/app",
    HTTPS_PROXY: "http://me:tr0ub4dor@proxy:8080",
    REDIS_URL: "redis://:c0rrect-horse@cache",
    BROKEN_URL: "amqp://me:100%-sure@queue",
    LOCAL_URL: "postgres://postgres:postgres@localhost",
    PLAIN_URL: "https://example.org:8443/path/1/a@b",
    MONGO_URL: "mongodb://app:r3plica-set@one:27017,two:27017/db",
    INDEX_URLS: "https://me:first-1ndex@a.org https://me:second-1ndex@b.org",
  });
  const passwords = [
    "p4ssw0rd%2Fdb",
    "p4ssw0rd/db",
    "tr0ub4dor",
    "c0rrect-horse",
    "100%-sure",
    "r3plica-set",
    "first-1ndex",
    "second-1ndex",
  ];
  expect(found).toEqual(passwords);
});

it("takes the values of variables that are named like secrets, and no words, numbers and paths", () => {
  const secrets = {
    DB_PASSWORD: "correct-horse9",
    OPENAI_APIKEY: "Zm9vYmFyYmF6",
    GITLAB_PAT: "abc-12345678",
    AWS_CREDENTIALS: "id1234:word",
    TOKEN_2: " x1y2z3w4v5 ",
    APP_SECRET: "correcthorsebattery",
  };
  const others = {
    SSH_KEY: "/home/me/.ssh/id_rsa1",
    WIN_KEY: String.raw`C:\keys\one1`,
    API_TOKEN: "production",
    MAX_TOKENS: "100000000",
    SHORT_KEY: "a1b2",
    KEYBOARD: "de-latin1-nodeadkeys",
    PATTERN: "a1b2c3d4e5",
    NOTHING_KEY: undefined,
  };
  const found = environmentSecrets({ ...secrets, ...others });
  expect(found).toEqual(Object.values(secrets).map((one) => one.trim()));
  const hidden = createRedactor(found).redact(`before ${secrets.DB_PASSWORD} after`);
  expect(hidden).toBe("before [redacted] after");
});
