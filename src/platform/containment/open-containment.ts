import type { OpenContainment } from "../../scoring/containment.ts";

/** Tries the ways to contain programs that this system may have, the safest first. */
export const openContainment: OpenContainment = async () => ({
  why: "HASP has no way yet to contain a program",
  next: "Judge these answers with another version of HASP.",
});
