import { isContainment, type Containment, type NoContainment } from "../../scoring/containment.ts";
import { openBubblewrap } from "./bubblewrap.ts";
import { openInstalledPyodide } from "./pyodide-installed.ts";

/** One way to contain programs, as it was found here. */
export type WayFound =
  | {
      readonly works: true;
      /** As verdicts name it. */
      readonly name: string;
      /** Version of its Python. */
      readonly python: string;
      /** Modules besides the standard library, in the order of the alphabet. */
      readonly packages: readonly string[];
    }
  | ({ readonly works: false } & NoContainment);

export interface ContainmentState {
  readonly bubblewrap: WayFound;
  readonly pyodide: WayFound;
}

async function closed(opened: Containment | NoContainment): Promise<WayFound> {
  if (!isContainment(opened)) return { works: false, ...opened };
  await opened.close();
  const { name, python, packages } = opened;
  return { works: true, name, python, packages: [...packages].toSorted() };
}

/** Tries each way to contain programs, and runs a small program in it. Does not reject. */
export async function describeContainment(): Promise<ContainmentState> {
  return {
    bubblewrap: await closed(await openBubblewrap(1)),
    pyodide: await closed(await openInstalledPyodide(1)),
  };
}

/** The way in which answers are judged; undefined where there is none. */
export const usedWay = ({ bubblewrap, pyodide }: ContainmentState): string | undefined =>
  [bubblewrap, pyodide].find((way) => way.works)?.name;
