import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import {
  allDomains,
  defaultDomain,
  domainNames,
  domainOf,
  domainOfRecord,
  foreignDomain,
  runnableDomain,
  unknownDomain,
} from "../../../src/domains/registry.ts";
import { ROOT } from "../../support/core.ts";
import { SHIPPED_LISTS } from "../../../src/model/shipped-lists.ts";

test("the registry knows its domains and no other name", () => {
  expect(domainNames()).toEqual(["web-search", "math", "code", "coding-agent", "agent"]);
  expect(defaultDomain().name).toBe("web-search");
  expect(domainOf("web-search")).toMatchObject({
    actionTypes: ["SEARCH", "READ", "FINAL"],
    defaults: { handlerVoteThreshold: 4 },
  });
  expect(domainOf("coding-agent")).toMatchObject({ defaults: { maxModifyFires: 1000 } });
  expect(domainOf("toString")).toBeUndefined();
});

test("the folders of skills/ are those of the domains that ship skills, and of the lists of them", () => {
  const skills = path.join(ROOT, "skills");
  const below = (folder: string): string[] =>
    readdirSync(folder).filter((name) => statSync(path.join(folder, name)).isDirectory());
  const isList = (name: string): boolean => SHIPPED_LISTS.some((list) => list === name);
  const folders = below(skills).filter((name) => !isList(name));
  const shipping = allDomains().filter(({ shipsSkills }) => shipsSkills);
  expect(shipping.map(({ name }) => name).toSorted()).toEqual(folders.toSorted());
  for (const list of below(skills).filter(isList))
    expect(folders).toEqual(expect.arrayContaining(below(path.join(skills, list))));
});

test("a domain without an environment is refused, with the names of those that have one", () => {
  expect(runnableDomain("web-search")).toHaveProperty("domain.name", "web-search");
  for (const name of ["coding-agent", "agent"])
    expect(runnableDomain(name)).toEqual({
      message: `HASP has no environment for the domain "${name}", so it cannot run its questions.`,
      next: expect.stringContaining("Domains with an environment: web-search, math, code."),
    });
  expect(runnableDomain("physics")).toEqual(unknownDomain("physics"));
});

test("an unregistered name is refused with the registered ones, and the one that was meant", () => {
  expect(unknownDomain("physics").next).toContain(
    "Registered domains: web-search, math, code, coding-agent, agent.",
  );
  expect(unknownDomain("web_search").next).toMatch(/^Did you mean "web-search"\?/);
});

test("a record of an unregistered domain is read as one of agent, with the record's own action types", () => {
  const facts = { domain: "booking", actionTypes: ["find_flight", "FINAL"] };
  expect(domainOfRecord(facts)).toMatchObject({ name: "agent", actionTypes: facts.actionTypes });
  expect(foreignDomain("booking")).toBe(
    'The domain "booking" is not registered: its episodes are read as those of agent.',
  );
  expect(domainNames().map(foreignDomain)).toEqual(domainNames().map(() => undefined));
  const search = { domain: "web-search", actionTypes: ["SEARCH"] };
  expect(domainOfRecord(search)).toBe(domainOf("web-search"));
});

test.each(domainNames())(
  "%s has nine mock calls of its own action types, the final one among them",
  (name) => {
    const domain = domainOf(name);
    const calls = domain?.mockCalls() ?? [];
    expect(calls).toHaveLength(9);
    expect(new Set(calls.map(({ proposed }) => proposed.type))).toContain(domain?.finalAction);
    for (const { proposed, actionTypes } of calls) expect(actionTypes).toContain(proposed.type);
  },
);
