import { expect, test } from "vitest";
import { createEventMaker } from "#test/events.ts";
import { start } from "#test/start.ts";

const setUp = await start();
const { make } = setUp;
const { published, form, send } = createEventMaker(setUp);

test("a hybrid event whose room is full answers the same for a guest who is in and for one who is not", async () => {
  const admin = await make.admin();
  const event = await published(admin, {
    attendanceMode: "hybrid",
    onlineUrl: "https://meet.example/x",
    capacity: 1,
    capacityOnline: 10,
    waitlistEnabled: false,
  });
  const inside = form(event, { attendance: "in_person" });
  expect((await send(event.slug, inside)).status).toBe(200);
  const [known, unknown] = [
    await send(event.slug, { ...inside }),
    await send(event.slug, form(event, { attendance: "in_person" })),
  ];
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
  expect(unknown.body.code).toBe("events.full");
  expect((await send(event.slug, form(event, { attendance: "online" }))).status).toBe(200);
});
