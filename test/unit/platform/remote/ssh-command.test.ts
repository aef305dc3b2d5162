import fs from "node:fs";
import { describe, expect, test } from "vitest";
import type { Target } from "../../../../src/model/target.ts";
import { commandFor, faultOf } from "../../../../src/platform/remote/ssh-command.ts";

const target = (fields: Partial<Target> = {}): Target => ({
  kind: "ssh",
  host: "gpu",
  folder: "~/hasp",
  ...fields,
});

/** As OpenSSH writes them. */
const SAID = {
  "unknown-host": "ssh: Could not resolve hostname gpu: Name or service not known",
  "changed-key": `@@@@@@@@@@@
@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @
Host key for gpu has changed and you have requested strict checking.
Host key verification failed.`,
  "unknown-key":
    "No ED25519 host key is known for gpu and you have requested strict checking.\nHost key verification failed.",
  "no-listener": "ssh: connect to host gpu port 22: Connection refused",
  login: "me@gpu: Permission denied (publickey,password).",
  timeout: "ssh: connect to host gpu port 22: Connection timed out",
} as const;

describe("why a request had no reply", () => {
  test.each(Object.entries(SAID))("%s", (fault, errors) => {
    const banner = "** WARNING: connection is not using a post-quantum key exchange algorithm.\n";
    for (const text of [errors, banner + errors])
      expect(faultOf(target(), { code: 255, errors: text, hasBegun: false }).fault).toBe(fault);
  });

  test("a program there that says the same words is not ssh itself", () => {
    const end = { code: 1, errors: "psql: Connection refused", hasBegun: false };
    expect(faultOf(target(), end)).toEqual({ fault: "other", detail: "psql: Connection refused" });
  });

  test("a link that breaks after the reply has begun is cut, whatever ssh says about it", () => {
    const errors =
      "Connection to gpu closed by remote host.\nclient_loop: send disconnect: Connection refused";
    expect(faultOf(target(), { code: 255, errors, hasBegun: true }).fault).toBe("cut");
  });

  test("the shell there has found no Python, or a setup line failed", () => {
    expect(faultOf(target(), { code: 93, errors: "", hasBegun: false }).fault).toBe("no-python");
    expect(faultOf(target(), { code: 94, errors: "module: not found", hasBegun: false })).toEqual({
      fault: "setup",
      detail: "module: not found",
    });
  });
});

describe("the command", () => {
  test("never asks anybody, and takes the host as a host", () => {
    const { executable, args } = commandFor(target({ host: "me@gpu" }), { HOME: "/nowhere" });
    expect(executable).toBe("ssh");
    expect(args).toContain("BatchMode=yes");
    expect(args.slice(-3, -1)).toEqual(["--", "me@gpu"]);
    // The folder of shared connections is not one of this user's.
    expect(args.join(" ")).not.toContain("ControlPath");
  });

  test("shares one connection below the person's own .ssh, where nobody else can put a socket", () => {
    // Short: the path of a socket has at most 107 bytes.
    const home = fs.mkdtempSync("/tmp/h-");
    const shared = (HOME: string): boolean =>
      commandFor(target(), { HOME }).args.some((one) => one.startsWith("ControlPath="));
    try {
      expect(shared(home)).toBe(false);
      fs.mkdirSync(`${home}/.ssh`, { mode: 0o700 });
      expect(commandFor(target(), { HOME: home }).args).toContain(`ControlPath=${home}/.ssh/hasp-%C`);
      fs.chmodSync(`${home}/.ssh`, 0o777);
      expect(shared(home)).toBe(false);
      const long = `${home}/${"long-".repeat(8)}`;
      fs.mkdirSync(`${long}/.ssh`, { recursive: true, mode: 0o700 });
      expect(shared(long)).toBe(false);
    } finally {
      fs.rmSync(home, { recursive: true });
    }
  });

  test("has the setup lines of a person in one word for the shell there", () => {
    const { args } = commandFor(target({ setup: ["export A='b c'"] }), { HOME: "/nowhere" });
    const command = args.at(-1) ?? "";
    expect(command.startsWith("sh -c '{ export A='\\''b c'\\'' ; } </dev/null >&2 || exit 94; ")).toBe(true);
    expect(command).not.toContain("\n");
  });

  test("of this very machine is the shell's own", () => {
    const { host: _host, ...here } = target();
    expect(commandFor(here, {}).executable).toBe("sh");
  });
});
