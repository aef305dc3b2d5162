/** Programs that a prompt names without saying that they are commands; none is a common word behind "and". */
export const PROGRAMS: ReadonlySet<string> = new Set(
  "git npm npx pnpm yarn bun deno python python3 pip pip3 poetry cargo rustup cmake docker docker-compose podman kubectl helm terraform gh glab rm rmdir mv cp mkdir chmod chown cd sudo apt apt-get brew dnf yum curl wget ssh scp rsync psql mysql sqlite3 redis-cli mongosh dropdb createdb twine gem bundle rake mvn gradle dotnet systemctl pkill xargs sed tar unzip bash sh zsh".split(
    " ",
  ),
);
