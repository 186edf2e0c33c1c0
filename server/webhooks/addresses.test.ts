import { expect, test } from "vitest";
import { webhooks } from "#shared/webhooks/webhooks.ts";
import { start } from "#test/start.ts";

const { as, make, db } = await start();

test("refuses addresses inside the network and addresses with credentials", async () => {
  const admin = await make.admin();
  const create = (url: string) => as(admin)(webhooks.create, { body: { name: "x", url } });
  expect((await create("http://example.com/")).body).toMatchObject({ issues: [{ code: "core.needsHttps" }] });
  expect((await create("https://me:secret@example.com/")).body).toMatchObject({
    issues: [{ code: "core.addressWithCredentials" }],
  });
  expect((await create("ftp://example.com/")).status).toBe(422);
  for (const url of ["https://10.0.0.1/", "http://192.168.1.1/", "https://[fd00::1]/", "https://169.254.169.254/"])
    expect((await create(url)).body).toMatchObject({ issues: [{ path: "url", code: "core.privateAddress" }] });
  expect((await create("https://no-such-host.invalid/")).status).toBe(200);
  const { body: inside } = await create(`http://127.0.0.1:9/`);
  const params = { id: inside.id };
  const changed = await as(admin)(webhooks.update, { params, body: { version: 1, url: "https://10.0.0.1/" } });
  expect(changed.body).toMatchObject({ issues: [{ path: "url", code: "core.privateAddress" }] });
  // The name now has another address.
  await db.updateTable("webhooks").set({ url: "https://10.0.0.1/" }).where("id", "=", inside.id).execute();
  const tested = await as(admin)(webhooks.test, { params: { id: inside.id } });
  expect(tested.body).toMatchObject({ ok: false, status: null, answer: "The address is not a public HTTPS address." });
});
