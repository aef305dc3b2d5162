import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sshHosts } from "../../../../src/extension/jobs/ssh-hosts.ts";

let home: string;
const write = (name: string, text: string): void => writeFileSync(join(home, ".ssh", name), text);

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "hasp-ssh-"));
  mkdirSync(join(home, ".ssh/config.d"), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it("names the aliases of the configuration and of included files, in their order and once", () => {
  write("config", 'Include config.d/*\nHost a b\n  HostName x\nhost = "c d"\nHOST a\nInclude ~/.ssh/more\n');
  write("config.d/2-lab", "Host lab\n");
  write("config.d/1-home", "Host home\n");
  write("more", "Host more\nInclude config\n");
  expect(sshHosts(home)).toEqual(["home", "lab", "a", "b", "c d", "more"]);
});

it("leaves out patterns, negations, and names that ssh would take for options", () => {
  write("config", "Host * !x gpu-? -oProxyCommand=touch\nHost good\n# Host comment\nHostName not-a-host\n");
  expect(sshHosts(home)).toEqual(["good"]);
});

it("names none without a configuration, and survives one that includes itself", () => {
  expect(sshHosts(home)).toEqual([]);
  write("config", "Include config\nInclude missing nowhere/*\nHost one\n");
  expect(sshHosts(home)).toEqual(["one"]);
});
