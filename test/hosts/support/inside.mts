// In a network namespace of its own: lets an agent reach the model of the test, which listens on a socket file outside, and starts the
// agent. `inside.mts <socket> <port> <command …>`; ends as the command does.
import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import process from "node:process";

const [socket = "", port = "", file = "", ...args] = process.argv.slice(2);

const server = createServer((client) => {
  const model = connect(socket);
  client.on("error", () => model.destroy());
  model.on("error", () => client.destroy());
  client.pipe(model).pipe(client);
});

server.listen(Number(port), "127.0.0.1", () => {
  const agent = spawn(file, args, { stdio: "inherit" });
  agent.on("error", (error) => {
    console.error(error.message);
    process.exit(127);
  });
  agent.on("exit", (code) => process.exit(code ?? 1));
});
