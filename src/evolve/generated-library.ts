import type { Checked, Diagnostic } from "../model/diagnostic.ts";
import { decisionWordOf } from "../model/evolution.ts";
import type { HistoryEntry } from "../model/library-history.ts";
import { decisionEntry, type AdmissionOrder, type CandidatePlace } from "./admission-record.ts";
import { admit, nextVersion, type Admitted, type OtherSkill } from "./admit-candidate.ts";
import { generatedVersions, type GeneratedVersion } from "./generated-versions.ts";
import { appendHistory, readHistory } from "./library-history.ts";
import { alone, type LibraryPlace, type LibraryPorts } from "./library-place.ts";
import { moveAll, type MoveOrder } from "./move-versions.ts";
import { override, type OverrideOrder } from "./override-decision.ts";
import type { CandidateTexts } from "./write-version.ts"; /**
 * The skills that evolutions wrote for one domain: `skills/<domain>/generated`. Every change keeps others out, is recorded in the history
 * once, and can be repeated after an interruption with the same end. All reject on I/O errors; nothing is deleted.
 */
export interface GeneratedLibrary {
  readonly folder: string;
  /** All versions on the disk, the retired ones last. */
  versions(): Promise<readonly GeneratedVersion[]>;
  history(): Promise<Checked<readonly HistoryEntry[]>>;
  /**
   * 1 for a new id; else one more than the latest version that is, or ever was, in the library or is among `others` (shipped and hand-written
   * skills). The version that the candidate `by` has already, where it is in the library.
   */
  nextVersion(
    skillId: string,
    others?: readonly OtherSkill[],
    by?: Omit<CandidatePlace, "epoch">,
  ): Promise<number>;
  /** Writes an admitted candidate with its version and records the decision. HASP660, HASP662, HASP663. */
  admit(order: AdmissionOrder, texts: CandidateTexts): Promise<Checked<Admitted>>;
  /** Records the decision on a candidate that is not admitted. */
  reject(order: AdmissionOrder): Promise<readonly Diagnostic[]>;
  /** Takes versions out; they are kept in a hidden folder and never fire. The folders they are now in. HASP660, HASP664. */
  retire(order: MoveOrder): Promise<Checked<readonly string[]>>;
  /** Puts retired versions back. HASP660, HASP664. */
  restore(order: MoveOrder): Promise<Checked<readonly string[]>>;
  /** A person accepts a rejected candidate or rejects an admitted one. Undefined in `folder` where it is not in the library now. */
  override(order: OverrideOrder): Promise<Checked<{ readonly folder: string | undefined }>>;
}

export function openGeneratedLibrary(ports: LibraryPorts, folder: string): GeneratedLibrary {
  const place: LibraryPlace = { ...ports, folder };
  const { files, clock } = ports;
  return {
    folder,
    versions: () => generatedVersions(files, folder),
    history: () => readHistory(files, folder),
    nextVersion: (...asked) => nextVersion(place, ...asked),
    admit: (order, texts) => alone(place, () => admit(place, order, texts)),
    reject(order) {
      const kind = decisionWordOf(order.candidate.decision);
      const entry = decisionEntry(order, { kind, when: clock.now() });
      return alone(place, () => appendHistory(files, folder, [entry]));
    },
    retire: (order) => alone(place, () => moveAll(place, order, "retired")),
    restore: (order) => alone(place, () => moveAll(place, order, "restored")),
    override: (order) => alone(place, () => override(place, order)),
  };
}
