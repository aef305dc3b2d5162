/**
 * Rules that hold for another product's Agent Skill too: frontmatter that a host cannot read, of which VS Code says nothing or not what to
 * do, the bytes of SKILL.md, and what a host makes of them.
 */
export const HOST_RULES: ReadonlySet<string> = new Set([
  "HASP105",
  "HASP106",
  "HASP124",
  "HASP125",
  "HASP126",
  "HASP127",
  "HASP128",
]);
