import { join } from "node:path";
import * as vscode from "vscode";
import { checked } from "../../app/refusal.ts";
import { evolutionLibrary } from "../../evolve/evolution-library.ts";
import { generatedVersions, type GeneratedVersion } from "../../evolve/generated-versions.ts";
import { overrideCandidate, type Overridden, proposalFolder } from "../../evolve/override-candidate.ts";
import { GENERATED_FOLDER } from "../../model/domain-folder.ts";
import { decisionWordOf, type EvolvedCandidate } from "../../model/evolution.ts";
import { filesBelow, libraryFilesBelow } from "../../platform/files-below.ts";
import { asOnlyWriter } from "../../platform/run-lock.ts";
import { fieldsOf } from "../commands.ts";
import { COMMANDS } from "../contributions.ts";
import { Unmet } from "../failure.ts";
import { logFindings } from "../log-findings.ts";
import { inform } from "../notification.ts";
import type { RunBundles } from "../questions/order.ts";
import { subjectOf } from "../tree.ts";
import { wayTo } from "../unmet.ts";
import { usable } from "../usable.ts";
import { exists, nameOf } from "../workspace/skill-folders.ts";
import { keptFile, shownFile } from "../workspace/readonly-files.ts";
import { requireTrust } from "../workspace/trust.ts";
import { candidateIn } from "./documents.ts";
import { rootOf } from "./resume.ts";
import { candidateName } from "./words.ts";

type Desk = Pick<RunBundles, "editorServices" | "judging">;

/** A candidate and its place. */
interface Placed {
  readonly root: vscode.Uri;
  /** Of the evolution, without a fragment. */
  readonly folder: vscode.Uri;
  /** Relative to `root`. */
  readonly evolution: string;
  readonly candidate: EvolvedCandidate;
  /** The folder of generated skills, relative to `root`. */
  readonly generated: string;
  /** Names the evolution in the library. */
  readonly id: string;
}

/** The candidate of a row, or of an address with its id as the fragment. */
async function placed({ editorServices }: Desk, argument: unknown): Promise<Placed> {
  const subject = subjectOf(argument);
  if (subject === undefined || subject.fragment === "")
    throw new Unmet("No candidate is chosen.", "Choose one in the view Evolutions.");
  const folder = subject.with({ fragment: "" });
  const root = rootOf(folder);
  const found = await editorServices.evolutions.read(folder);
  const { order } = usable(found.report);
  const { id } = order;
  const evolution = `.hasp/evolutions/${nameOf(folder)}`;
  const generated = usable(
    await checked(async () =>
      evolutionLibrary(filesBelow(root.fsPath, editorServices.files), evolution, order),
    ),
  );
  const candidate = candidateIn(found, subject.fragment);
  return { root, folder, evolution, candidate, generated, id };
}

const filesOf = ({ editorServices: { files } }: Desk, root: vscode.Uri) => filesBelow(root.fsPath, files);
const uriOf = (root: vscode.Uri, path: string): vscode.Uri => vscode.Uri.file(join(root.fsPath, path));

const versionsOf = (desk: Desk, { root, generated }: Placed): Promise<readonly GeneratedVersion[]> =>
  generatedVersions(filesOf(desk, root), generated);

/** The files of a candidate: those in the library, else those that its author proposed, which are a record. */
async function fileOf(desk: Desk, place: Placed): Promise<(name: string) => vscode.Uri> {
  const { root, candidate, evolution, id } = place;
  const own = (await versionsOf(desk, place)).find(
    ({ evolved }) => evolved?.evolution === id && evolved.candidate === candidate.id,
  );
  if (own !== undefined && !own.isRetired) return (name) => uriOf(root, `${own.folder}/${name}`);
  const proposal = await proposalFolder(filesOf(desk, root), evolution, candidate.id);
  const folder = own?.folder ?? (proposal.diagnostics.length > 0 ? usable(proposal) : proposal.value);
  if (folder === undefined)
    throw new Unmet(
      `${candidate.id} has no skill: ${candidate.decision.reason}`,
      "The replies of its author are in the folder of the epoch.",
    );
  return (name) => keptFile(uriOf(root, `${folder}/${name}`).fsPath);
}

/** Opens the code of a candidate with its SKILL.md beside it. Answers both. */
export async function openCandidate(desk: Desk, argument: unknown): Promise<readonly vscode.Uri[]> {
  const at = await fileOf(desk, await placed(desk, argument));
  const [pf, skillMd] = [at("pf.ts"), at("SKILL.md")];
  await vscode.window.showTextDocument(pf, { viewColumn: vscode.ViewColumn.One, preview: true });
  const beside = { viewColumn: vscode.ViewColumn.Two, preview: true, preserveFocus: true };
  await vscode.window.showTextDocument(skillMd, beside);
  return [pf, skillMd];
}

const SKILL_TEXTS = ["SKILL.md", "pf.ts", "cases.yaml"] as const;

/** The version before a candidate: the latest generated one below its number, else the skill of its id that is not generated. */
async function before(desk: Desk, place: Placed) {
  const { root, candidate, id } = place;
  const { skillId, version } = candidate;
  const older = (await versionsOf(desk, place))
    .filter(
      (one) =>
        one.skillId === skillId &&
        !(one.evolved?.evolution === id && one.evolved.candidate === candidate.id) &&
        (one.version < version || !candidate.decision.admitted),
    )
    .toSorted((a, b) => Number(a.isRetired) - Number(b.isRetired) || b.version - a.version)[0];
  if (older !== undefined) {
    const at = (name: string): vscode.Uri => keptOrShown(root, older, name);
    return { label: `v${older.version}`, at };
  }
  const skills = await desk.editorServices.library.list();
  const other = skills.find(
    (one) => one.skillId === skillId && !one.uri.path.includes(`/${GENERATED_FOLDER}/`),
  );
  if (other === undefined) return undefined;
  const at = (name: string): vscode.Uri => shownFile(other, vscode.Uri.joinPath(other.uri, name));
  return { label: other.isBuiltIn ? "built in" : `v${other.skill?.version ?? "?"}`, at };
}

function keptOrShown(root: vscode.Uri, { folder, isRetired }: GeneratedVersion, name: string): vscode.Uri {
  const uri = uriOf(root, `${folder}/${name}`);
  return isRetired ? keptFile(uri.fsPath) : uri;
}

/** Shows the differences of a candidate from the version before it. */
export async function compareCandidate(desk: Desk, argument: unknown): Promise<boolean> {
  const place = await placed(desk, argument);
  const now = await fileOf(desk, place);
  const old = await before(desk, place);
  const { skillId } = place.candidate;
  if (old === undefined)
    throw new Unmet(`There is no version before ${skillId}.`, "The candidate is the first skill of its id.");
  const changes: [vscode.Uri, vscode.Uri, vscode.Uri][] = [];
  for (const name of SKILL_TEXTS) {
    const [left, right] = [old.at(name), now(name)];
    if ((await exists(left.with({ scheme: "file" }))) && (await exists(right.with({ scheme: "file" }))))
      changes.push([right, left, right]);
  }
  const title = `${skillId}: ${old.label} ↔ ${place.candidate.id}`;
  await vscode.commands.executeCommand("vscode.changes", title, changes);
  return true;
}

/** Asks why; undefined when the person leaves. */
async function askReason(
  title: string,
  candidate: EvolvedCandidate,
  accept: boolean,
): Promise<string | undefined> {
  const deed = accept ? "accepted" : "rejected";
  const text = await vscode.window.showInputBox({
    title,
    prompt: `Why ${candidateName(candidate)} is ${deed}. It is kept with the decision. The gate said: ${candidate.decision.reason}`,
    placeHolder: "A sentence",
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === "" ? "Say why, in a sentence." : undefined),
  });
  return text?.trim();
}

/** A person accepts a rejected candidate or rejects an admitted one. `reason` in the argument: of a call by code. */
export async function override(
  desk: Desk,
  accept: boolean,
  argument: unknown,
): Promise<Overridden | undefined> {
  requireTrust("A decision on a candidate changes which Program Functions run; it");
  const { evolutions, library, clock, log, files } = desk.editorServices;
  const { subject, reason: given } = fieldsOf(argument);
  const place = await placed(desk, subject ?? argument);
  const { root, folder, evolution, candidate, generated } = place;
  if (evolutions.running(folder) !== undefined)
    throw new Unmet(`${nameOf(folder)} is running.`, "Stop it first, or wait for its end.");
  const command = accept ? COMMANDS.acceptCandidate : COMMANDS.rejectCandidate;
  if (decisionWordOf(candidate.decision) === (accept ? "admitted" : "rejected"))
    throw new Unmet(
      `${candidateName(candidate)} is ${decisionWordOf(candidate.decision)} already.`,
      "Nothing is to do.",
    );
  const reason =
    typeof given === "string" ? given : await askReason(`HASP: ${command.title}`, candidate, accept);
  if (reason === undefined) return undefined;
  const others = (await library.list())
    .filter(({ uri }) => !uri.path.startsWith(`${uriOf(root, generated).path}/`))
    .flatMap(({ skill }) =>
      skill === undefined ? [] : [{ skillId: skill.skillId, version: skill.version }],
    );
  const ports = {
    files: filesOf(desk, root),
    library: libraryFilesBelow(root.fsPath, files),
    clock,
    domains: await desk.judging.compiler.domains(),
    others,
  };
  const order = { folder: evolution, candidate: candidate.id, accept, reason };
  const result = await asOnlyWriter(join(root.fsPath, evolution), () => overrideCandidate(order, ports));
  evolutions.forget(folder);
  logFindings(log, result.diagnostics);
  const done = usable(result);
  const where =
    done.folder === undefined ? "It is out of the library; its files are kept." : `It is in ${done.folder}.`;
  inform(
    `${candidateName(done.candidate)} is ${accept ? "accepted" : "rejected"}. ${where}`,
    wayTo(COMMANDS.openCandidate, folder.with({ fragment: candidate.id })),
  );
  return done;
}
