import font from "../../node_modules/@vscode/codicons/dist/codicon.ttf?base64";
import script from "../../webview/export/main.ts?browser";
import formulas from "../../webview/formulas/main.ts?browser";
import python from "../../webview/python/main.ts?browser";
import style from "../../webview/export/page.css?browser";
import type { PageBundle } from "../trace/export-html.ts";

/** The view that an exported page carries, in the one file of the CLI: it works without the rest of the build. */
export const PAGE_BUNDLE: PageBundle = { script, style, formulas, python, font };
