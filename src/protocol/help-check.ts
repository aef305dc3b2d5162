import {
  HELP_ANCHORS,
  HELP_PAGES,
  type HelpAnchor,
  type HelpPage,
  type HelpPlace,
} from "../model/help-page.ts";
import { object, oneOf, optional } from "./check.ts";

const PAGES = Object.keys(HELP_PAGES) as HelpPage[];
const ANCHORS: readonly HelpAnchor[] = Object.values(HELP_ANCHORS).flat();

export const helpPlace = object<HelpPlace>({ page: oneOf(PAGES), anchor: optional(oneOf(ANCHORS)) });
