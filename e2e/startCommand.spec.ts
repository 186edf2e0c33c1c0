import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { scaled } from "#test/long.ts";
import { freePort } from "#test/process.ts";

/** Deaths after which a server is not started again (scripts/setup.js). */
const MAX_DEATHS = 5;

test("npm start starts a server again that dies, a limited number of times", async () => {
  test.setTimeout(300_000);
  const dataDir = mkdtempSync(join(tmpdir(), "lyceum-start-"));
  const [port, contentPort] = [await freePort(), await freePort()];
  let output = "";
  const command = spawn("node", ["scripts/setup.js", "start"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      NODE_ENV: "",
      PORT: String(port),
      CONTENT_PORT: String(contentPort),
      DATA_DIR: dataDir,
      DEMO: "false",
      LOG_LEVEL: "warn",
    },
  });
  for (const stream of [command.stdout, command.stderr])
    stream.on("data", (text: Buffer) => (output += text.toString()));
  const ended = new Promise<number | null>((resolve) => command.once("exit", resolve));
  const serverPid = () => {
    const [pid = ""] = execFileSync("ps", ["--ppid", String(command.pid), "-o", "pid="], { encoding: "utf8" }).split(
      "\n",
    );
    return Number(pid);
  };
  const isUp = () =>
    fetch(`http://localhost:${port}/api/health`).then(
      (reply) => reply.ok,
      () => false,
    );
  await expect.poll(isUp, { timeout: 90_000 }).toBe(true);
  const readies = () => output.split("Lyceum is ready").length - 1;
  const deaths = scaled(1, MAX_DEATHS);
  for (let death = 1; death <= deaths; death++) {
    await expect.poll(readies, { timeout: 60_000 }).toBe(death);
    const pid = serverPid();
    process.kill(pid, "SIGKILL");
    await expect.poll(async () => (await isUp()) && serverPid() !== pid, { timeout: 60_000 }).toBe(true);
  }
  await expect.poll(readies, { timeout: 60_000 }).toBe(deaths + 1);
  if (deaths === MAX_DEATHS) {
    process.kill(serverPid(), "SIGKILL");
    expect(await ended).toBe(1);
    expect(output).toContain("died too often");
  } else {
    command.kill("SIGTERM");
    expect(await ended).toBe(0);
  }
  expect(await isUp()).toBe(false);
  rmSync(dataDir, { recursive: true, force: true });
});
