import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { auth } from "#shared/auth/auth.ts";
import type { Contract, Sent } from "#shared/core/route.ts";
import { documents } from "#shared/documents/documents.ts";
import { createClient } from "#test/client.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";

const server = await createProcess();
const provider = await startProvider("openai");
afterAll(() => Promise.all([server.remove(), provider.stop()]));

test("the vectors of a document are there seconds after it is live", { timeout: 120_000 }, async () => {
  await server.start();
  const admin = createClient(server.url);
  admin.useToken((await admin.call(auth.signIn, { body: ADMIN })).token);
  const boss = async <C extends Contract>(contract: C, sent: Sent<C>) => ({
    status: 200,
    body: await admin.call(contract, sent as never),
  });
  await connect(boss, provider, { embeds: true });
  // The job that looks every five minutes does not help.
  if (new Date().getUTCMinutes() % 5 === 4) await sleep(70_000);
  for (const title of ["Gates", "Canteen"]) {
    const body = { title, text: `# ${title}\n\nOpen from eight to five.` };
    const { id } = await admin.call(documents.addText, { body });
    const vectors = () =>
      server.query(
        `select 1
          from passage_vectors
          join passages on passages.id = passage_vectors.passage_id
          join documents on documents.live_version_id = passages.version_id
          where documents.id = $1`,
        [id],
      );
    await expect.poll(async () => (await vectors()).length, { timeout: 30_000, interval: 100 }).toBe(1);
  }
});
