import { inject } from "vitest";
import { THOROUGH } from "../../support/thorough.ts";

const model = inject("model");

/** Its address; empty where there is none and the tests are skipped. */
export const MODEL_URL = "url" in model ? model.url : "";

export const IS_MISSING = "missing" in model;

/** The end of a suite's title, for `describe.each` too: why it is skipped. */
export const NOTE =
  "missing" in model ? ` (skipped: no real model: ${model.missing.replaceAll("%", "%%")})` : "";

export const IS_BRIEF = !THOROUGH;
export const BRIEF_NOTE = THOROUGH ? NOTE : " (skipped: a part of the thorough form)";
