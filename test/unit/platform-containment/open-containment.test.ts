import os from "node:os";
import { expect, it, vi } from "vitest";
import { openBubblewrap } from "../../../src/platform/containment/bubblewrap.ts";
import { openContainment } from "../../../src/platform/containment/open-containment.ts";
import { openInstalledPyodide } from "../../../src/platform/containment/pyodide-installed.ts";

vi.mock(import("../../../src/platform/containment/bubblewrap.ts"), () => ({
  openBubblewrap: vi.fn<typeof openBubblewrap>(async () => ({ why: "no", next: "Wait." })),
}));
vi.mock(import("../../../src/platform/containment/pyodide-installed.ts"), () => ({
  openInstalledPyodide: vi.fn<typeof openInstalledPyodide>(async () => ({ why: "no", next: "Wait." })),
  openPyodideIn:
    vi.fn<typeof import("../../../src/platform/containment/pyodide-installed.ts").openPyodideIn>(),
  FETCH_NEXT: "",
}));

it("runs no more programs at once than there are cores, however many are wanted", async () => {
  await openContainment(1_000);
  for (const open of [openBubblewrap, openInstalledPyodide])
    expect(vi.mocked(open)).toHaveBeenLastCalledWith(os.availableParallelism());
  await openContainment(1);
  expect(vi.mocked(openBubblewrap)).toHaveBeenLastCalledWith(1);
});
