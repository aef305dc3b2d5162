import type { Checked } from "../../model/diagnostic.ts";

/** Packages for contained programs, in an environment of this user. */
export interface PackageOrder {
  /** As uv takes them: `numpy`, `pandas==2.2.3`. */
  readonly names: readonly string[];
  /** The folder `trainer/` of the build, whose `uv.txt` names the uv to install where there is none. */
  readonly trainer: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** Lines of the programs that do it, for a person who waits. */
  readonly onLine: (line: string) => void;
}

/** Makes the environment of packages, on a person's order only. Answers their top-level modules. */
export declare function makePackages(
  order: PackageOrder,
): Promise<Checked<{ readonly modules: readonly string[] }>>;
