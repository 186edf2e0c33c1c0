import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createEventMaker } from "#test/events.ts";
import { start } from "#test/start.ts";
import { unzipSync } from "fflate";
import { registrationsExportPath } from "#shared/events/eventRegistrations.ts";

const server = await start();
const { app, make } = server;
const maker = createEventMaker(server);
const { admin, learner } = await make.classroom();

test("exports all rows with answers, and never formulas", async () => {
  const question = { id: randomUUID(), label: "Diet, please", kind: "line" as const };
  const event = await maker.createPublished(admin, { questions: [question] });
  await maker.registerGuest(event, { name: "=HYPERLINK(1)", answers: { [question.id]: 'none "at all"' } });
  await Promise.all(Array.from({ length: 20 }, () => maker.registerGuest(event)));
  const csv = await app.inject({
    url: registrationsExportPath(event.id, "csv"),
    headers: { authorization: `Bearer ${admin.token}` },
  });
  expect([csv.statusCode, csv.headers["content-disposition"], csv.body.trim().split("\r\n").length]).toEqual([
    200,
    `attachment; filename="${event.slug}.csv"`,
    22,
  ]);
  expect(csv.body).toContain(`'=HYPERLINK(1)`);
  expect(csv.body).toContain('"none ""at all"""');
  expect(csv.body).toContain('"Diet, please"');
  const xlsx = await app.inject({
    url: registrationsExportPath(event.id, "xlsx"),
    headers: { authorization: `Bearer ${admin.token}` },
  });
  const files = Object.entries(unzipSync(xlsx.rawPayload)).map(
    ([name, bytes]) => [name, Buffer.from(bytes).toString("utf8")] as const,
  );
  expect(files.some(([, text]) => text.includes("=HYPERLINK(1)"))).toBe(true);
  expect(files.every(([, text]) => !/<f>/.test(text))).toBe(true);
});

test("only admins can export registrations", async () => {
  const event = await maker.createPublished(admin);
  for (const [who, status] of [
    [null, 401],
    [learner, 403],
  ] as const) {
    expect(
      (
        await app.inject({
          url: registrationsExportPath(event.id, "csv"),
          headers: who ? { authorization: `Bearer ${who.token}` } : {},
        })
      ).statusCode,
    ).toBe(status);
  }
});
