import { describe, expect, it } from "vitest";
import { isLoopbackAddress, isPublicAddress } from "../../../src/platform/public-address.ts";
import { retrieverKeys } from "../../../src/platform/retriever-keys.ts";

describe("addresses", () => {
  it.each([
    "8.8.8.8",
    "100.63.255.255",
    "172.15.0.1",
    "172.32.0.1",
    "192.0.1.1",
    "2a00:1450:4001::1",
    "2620:0:862::1",
  ])("%s is public", (address) => expect(isPublicAddress(address)).toBe(true));

  it.each(
    [
      "0.0.0.0 10.1.2.3 100.64.0.1 127.8.8.8 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 198.18.0.1",
      "224.0.0.1 255.255.255.255 :: ::1 ::ffff:8.8.8.8 fe80::1 fc00::1 fd12::1 ff02::1 64:ff9b::7f00:1",
      "2001::1 2001:db8::1 2002:7f00:1:: x",
    ]
      .join(" ")
      .split(" "),
  )("%j is not", (address) => expect(isPublicAddress(address)).toBe(false));

  it("this machine is told from the rest", () => {
    expect(["127.0.0.1", "127.3.2.1", "::1"].every(isLoopbackAddress)).toBe(true);
    expect(["128.0.0.1", "::2", "localhost", "0.0.0.0"].some(isLoopbackAddress)).toBe(false);
  });
});

describe("keys of retrievers", () => {
  const keys = retrieverKeys({
    SERPAPI_API_KEY: " k1 ",
    HASP_KEY_SERP_EXAMPLE_443: "k2",
    OPENAI_API_KEY: "k3",
  });

  it("each goes to its own origin", async () => {
    expect(await keys.keyFor("https://serpapi.com")).toBe("k1");
    expect(await keys.keyFor("https://serp.example")).toBe("k2");
    expect(await keys.keyFor("https://other.example")).toBeUndefined();
    expect(await keys.keyFor("http://serpapi.com")).toBeUndefined();
    expect(await retrieverKeys({ SERPAPI_API_KEY: " " }).keyFor("https://serpapi.com")).toBeUndefined();
  });

  it("says how one is given", () => {
    expect(keys.howToGive("https://serpapi.com")).toContain("SERPAPI_API_KEY");
    expect(keys.howToGive("https://serp.example")).toContain("HASP_KEY_SERP_EXAMPLE_443");
  });
});
