import { expect, test } from "vitest";
import { createProcess } from "#test/process.ts";

test("warns at the start that accounts can be claimed while there is no mail server", async () => {
  const server = await createProcess();
  await server.start();
  expect(server.output()).toMatch(/invited person can claim the account.*SMTP_URL/);
  await server.remove();
}, 60_000);
