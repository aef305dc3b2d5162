import { html, type TemplateResult } from "lit";
import { RequestError } from "../../src/protocol/connection.ts";
import { icon } from "./icon.ts";

/** A request that failed, in words. */
export interface Failed {
  readonly message: string;
  readonly next: string | undefined;
}

export function failedOf(error: unknown): Failed {
  if (error instanceof RequestError) return { message: error.message, next: error.next };
  return { message: String(error), next: undefined };
}

/** The ways out of a failure. */
interface Ways {
  open(): Promise<void>;
  openLog(): void;
}

export function failedView({ message, next }: Failed, ways: Ways): TemplateResult {
  return html`<section class="notice" role="alert">
    <p dir="auto">${icon("error", "bad")} ${message} ${next ?? ""}</p>
    <div class="buttons">
      <vscode-button secondary @click=${() => void ways.open()}>Try again</vscode-button>
      <vscode-button secondary @click=${() => ways.openLog()}>Open log</vscode-button>
    </div>
  </section>`;
}
