// Preloaded (`node -r`) before a TypeScript script, so that a Node too old to read one says so in words
// instead of failing on a file extension. Plain CommonJS, because that is what an old Node can read.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  const onLinux = process.platform === "linux" && process.arch === "x64";
  console.error(
    [
      `HASP Studio's scripts need Node 22.18 or newer; this is Node ${process.versions.node}.`,
      onLinux
        ? "On Linux x64 `npm install` brings Node 24 itself: run `npm install` here first, without `--omit=optional`, and start through `npm run`."
        : "Install a current Node from https://nodejs.org and run the command again.",
    ].join("\n"),
  );
  process.exit(2);
}
