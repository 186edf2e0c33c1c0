// Loaded into a server of a test by `--import`: at SIGUSR2 it fails as the error named in FAILURE says.
const failures: Record<string, () => void> = {
  rejection: () => void Promise.reject(new Error("nobody handles this")),
  connection: () => {
    throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  },
  bug: () => {
    throw new TypeError("a bug");
  },
};
let turn = 0;
const order = (process.env.FAILURES ?? "").split(",");
process.on("SIGUSR2", () => failures[order[turn++] ?? ""]?.());
