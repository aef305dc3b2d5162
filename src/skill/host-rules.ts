/** Rules that hold for another product's Agent Skill too: the bytes of SKILL.md, and what a host makes of them. */
export const HOST_RULES: ReadonlySet<string> = new Set([
  "HASP124",
  "HASP125",
  "HASP126",
  "HASP127",
  "HASP128",
]);
