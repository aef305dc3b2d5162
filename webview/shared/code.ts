import { html, LitElement } from "lit";
import { programView, visibleText } from "./code-pieces.ts";
import { copyExactly } from "./copy-exactly.ts";
import { fencedStretches } from "./fenced.ts";
import { loadBeside } from "./script-beside.ts";

/** `program`: a Python program, with numbers of its lines. `text`: words with fenced programs in them. `value`: a value as Python has it. */
export type CodeText = "program" | "text" | "value";

/** `1`, `2`, … one a line; an empty line after the last line break has none. */
function lineNumbers(program: string): string {
  const { length } = program.replace(/\n$/, "").split("\n");
  return Array.from({ length }, (_, i) => i + 1).join("\n");
}

/**
 * `<hasp-code .text=… .kind=${"program"}>`: a program as one. It has no shadow root, so that a selection goes through it; a copy gets the
 * text as it is, without what the page adds.
 */
export class HaspCode extends LitElement {
  static override properties = { text: { attribute: false }, kind: { attribute: false, reflect: false } };
  declare text: string;
  declare kind: CodeText;

  constructor() {
    super();
    this.text = "";
    this.kind = "program";
    this.addEventListener("copy", (event) => copyExactly(this, event, ".line-numbers"));
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override firstUpdated(): void {
    // Without the script that colours, the program is shown all the same.
    if (globalThis.haspPythonTokens === undefined)
      void loadBeside("python.js").then(() => this.requestUpdate());
  }

  protected override updated(): void {
    this.dispatchEvent(new CustomEvent("hasp-drawn", { bubbles: true, composed: true }));
  }

  protected override render(): unknown {
    if (this.kind === "program")
      return html`<span class="line-numbers" data-numbers=${lineNumbers(this.text)}></span
        ><span class="program-source">${programView(this.text)}</span>`;
    if (this.kind === "value") return visibleText(this.text);
    return fencedStretches(this.text).map(({ text, code }) =>
      code === undefined
        ? text
        : html`<span class="fenced">${code === "python" ? programView(text) : text}</span>`,
    );
  }
}

customElements.define("hasp-code", HaspCode);
