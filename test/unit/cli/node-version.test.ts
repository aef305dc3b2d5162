import { expect, it } from "vitest";
import { engines } from "../../../package.json";
import { NEEDED_NODE, tooOldNode } from "../../../src/cli/node-version.ts";

it("asks for the Node that the package asks for", () => {
  expect(engines.node).toBe(`>=${NEEDED_NODE}`);
});

it("is content with that Node and with newer ones", () => {
  expect(["22.0.0", "24.21.0", "100.1.2"].flatMap((version) => tooOldNode(version, "node") ?? [])).toEqual(
    [],
  );
});

it.each(["21.7.3", "20.20.2", "18.20.8"])(
  "tells Node %s what is needed, what it is, and what to do",
  (version) => {
    const told = tooOldNode(version, "/usr/bin/node");
    expect(told).toContain(`needs Node 22 or newer; this is Node ${version} (/usr/bin/node)`);
    expect(told).toContain("→ Put a newer Node first on the PATH");
  },
);
