import { expect, test } from "vitest";
import { createProcess } from "#test/process.ts";
import { start } from "#test/start.ts";

test("warns at the start that accounts can be claimed while there is no mail server", async () => {
  const server = await createProcess();
  await server.start();
  expect(server.output()).toMatch(/invited person can claim the account.*Set up a mail server/);
  await server.remove();
}, 60_000);

test("warns once of a reverse proxy that is not trusted", async () => {
  const lines: string[] = [];
  const { app } = await start({}, (line) => lines.push(line));
  const send = (remoteAddress: string, forwarded: boolean) =>
    app.inject({
      url: "/api/academy",
      remoteAddress,
      headers: forwarded ? { "x-forwarded-for": "203.0.113.9" } : {},
    });
  const warnings = () => lines.filter((line) => line.includes("TRUST_PROXY")).length;
  await send("172.18.0.1", false);
  await send("127.0.0.1", true);
  await send("8.8.8.8", true);
  expect(warnings()).toBe(0);
  await send("172.18.0.1", true);
  await send("172.18.0.1", true);
  expect(warnings()).toBe(1);
});

test.each([
  ["DATA_DIR", "/dev/null/data", /DATA_DIR \(\/dev\/null\/data\) cannot be used: ENOTDIR/],
  ["DATABASE_URL", "mysql://localhost/lyceum", /DATABASE_URL: Write postgres:\/\//],
])("the start names %s if it cannot be used", async (name, value, said) => {
  const server = await createProcess({ [name]: value });
  await expect(server.start()).rejects.toThrow(said);
  await server.remove();
});
