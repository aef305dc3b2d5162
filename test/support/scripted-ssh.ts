import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/**
 * A folder with an `ssh` that stands in for the system's: a command for the host `good` runs here, with a home folder of its own, and other
 * hosts fail as OpenSSH does. Put first on the PATH. Only for systems with a POSIX shell.
 */
export function writeScriptedSsh(folder: string): { readonly bin: string; readonly home: string } {
  const [bin, home] = [join(folder, "bin"), join(folder, "there")];
  mkdirSync(bin, { recursive: true });
  mkdirSync(home, { recursive: true });
  const text = `#!/bin/sh
while [ $# -gt 0 ] && [ "$1" != "--" ]; do shift; done
host="$2"
case "$host" in
  good) cd '${home}' && HOME='${home}' PATH='${bin}':"$PATH" exec sh -c "$3" ;;
  stranger) echo "No ED25519 host key is known for stranger and you have requested strict checking." >&2
    echo "Host key verification failed." >&2 ;;
  closed) echo "ssh: connect to host closed port 22: Connection refused" >&2 ;;
  locked) echo "me@locked: Permission denied (publickey)." >&2 ;;
  *) echo "ssh: Could not resolve hostname $host: Name or service not known" >&2 ;;
esac
exit 255
`;
  // The Node of this process, which may be an Electron.
  const node = `#!/bin/sh\nELECTRON_RUN_AS_NODE=1 exec "${process.execPath}" "$@"\n`;
  for (const [name, program] of Object.entries({ ssh: text, node })) {
    writeFileSync(join(bin, name), program);
    chmodSync(join(bin, name), 0o755);
  }
  return { bin, home };
}
