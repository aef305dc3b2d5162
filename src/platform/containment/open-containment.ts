import type { OpenContainment } from "../../scoring/containment.ts";
import { openBubblewrap } from "./bubblewrap.ts";

/** Tries the ways to contain programs that this system may have, the safest first. */
export const openContainment: OpenContainment = openBubblewrap;
