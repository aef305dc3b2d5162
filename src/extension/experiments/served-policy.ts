import * as vscode from "vscode";
import { fieldsOf } from "../commands.ts";
import { COMMANDS, CONTEXT_KEYS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import { chosenModel, CONFIGURE } from "../models/chosen-model.ts";

/** A student that may be served as the policy. */
export interface Student {
  /** Of its spec, `served:<name>`. */
  readonly name: string;
  /** For people, such as the name of its experiment. */
  readonly title: string;
  /** Folder or name of the model; a relative folder is below `cwd`. */
  readonly model: string;
  /** Absolute folder of a LoRA adapter; absent: the model as it is. */
  readonly adapter?: string;
  readonly cwd: string;
  /** The policy before it, as a spec. */
  readonly before?: string;
}

/** Whether a kept value is a student: an older or a newer version may have kept something else. */
function isStudent(value: unknown): value is Student {
  const { name, title, model, adapter = "", cwd, before = "" } = fieldsOf(value);
  return [name, title, model, adapter, cwd, before].every((text) => typeof text === "string");
}

/** A student that answers. */
export interface Answering {
  readonly student: Student;
  /** As a model spec: `http://127.0.0.1:8123/v1#student`. */
  readonly address: string;
  /** The secret that it asks of each request. */
  readonly key: string;
  /** Ends it, in order. */
  readonly close: () => Promise<void>;
  /** Asks it to end, without waiting, as the window closes. */
  readonly end: () => void;
}

/** The student that is the policy, and the server of it that this window runs. The choice outlives the window; the server does not. */
export interface ServedPolicy extends vscode.Disposable {
  /** The student that is the policy now; undefined where the policy is another model. */
  chosen(): Student | undefined;
  /** The student that this window serves. */
  answering(): Answering | undefined;
  /** This window serves the student that is the policy. */
  isServed(): boolean;
  /** Shows a student as answering, or with undefined as no longer so. */
  setAnswering(answering: Answering | undefined): void;
  /** Keeps a student, so that another window can serve it again. */
  keep(student: Student): Promise<void>;
  readonly onDidChange: vscode.Event<void>;
}

const KEPT = "hasp.students";
/** Students that are remembered, the latest first. */
const MOST_KEPT = 20;

export const specOf = ({ name }: Pick<Student, "name">): string => `served:${name}`;

/** The name in a spec of a served student; undefined for another model. */
export const servedName = (spec: string): string | undefined => /^served:(.+)$/.exec(spec)?.[1];

export function keepServedPolicy(globalState: vscode.Memento): ServedPolicy {
  const changed = new vscode.EventEmitter<void>();
  let answering: Answering | undefined;
  const kept = (): readonly Student[] => {
    const found: unknown = globalState.get(KEPT);
    return Array.isArray(found) ? found.filter(isStudent) : [];
  };
  const chosen = (): Student | undefined => {
    const name = servedName(chosenModel("policy") ?? "");
    return name === undefined ? undefined : kept().find((one) => one.name === name);
  };
  const configured = vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration("hasp.models.policy")) changed.fire();
  });
  return {
    chosen,
    answering: () => answering,
    isServed: () => answering !== undefined && answering.student.name === chosen()?.name,
    setAnswering(next) {
      answering = next;
      void vscode.commands.executeCommand("setContext", CONTEXT_KEYS.serving, next !== undefined);
      changed.fire();
    },
    async keep(student) {
      const others = kept().filter(({ name }) => name !== student.name);
      await globalState.update(KEPT, [student, ...others].slice(0, MOST_KEPT));
      changed.fire();
    },
    onDidChange: changed.event,
    dispose() {
      answering?.end();
      vscode.Disposable.from(changed, configured).dispose();
    },
  };
}

/** Fails where a spec names a student that this window does not serve, with the way to serve it. */
export function requireServed(served: Pick<ServedPolicy, "answering" | "chosen">, spec: string): void {
  const name = servedName(spec);
  if (name === undefined || served.answering()?.student.name === name) return;
  const known = served.chosen();
  if (known?.name !== name)
    throw new Unmet(
      `${spec} is a student of an experiment, and nobody serves it here.`,
      "Use its adapter as the policy, or configure another model.",
      CONFIGURE,
    );
  throw new Unmet(
    `The policy is the adapter of ${known.title}, and its server is not running.`,
    "Serve it again, or configure another model.",
    { label: "Serve Adapter", command: COMMANDS.useAdapter.id, arguments: [{ student: name }] },
    CONFIGURE,
  );
}
