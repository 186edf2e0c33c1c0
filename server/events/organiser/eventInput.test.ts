import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { events } from "#shared/events/events.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import { createEventMaker, draftInput, inHours } from "#test/events.ts";
import { start } from "#test/start.ts";
import { OBJECTS_PATH } from "#shared/files/files.ts";
import { multipart } from "#test/client.ts";

const server = await start();
const { app, as, make, db } = server;
const maker = createEventMaker(server);
const admin = await make.admin();
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("converts local times, and rejects times that do not exist", async () => {
  const create = (startsLocal: string, endsLocal: string, timezone: string, input: object = {}) =>
    as(admin)(events.create, { body: draftInput({ startsLocal, endsLocal, timezone, ...input }) });
  expect((await create("2030-06-01T10:00", "2030-06-01T12:00", "Asia/Saigon")).body).toMatchObject({
    startsAt: "2030-06-01T03:00:00.000Z",
    timezone: "Asia/Saigon",
    timeNotes: [],
  });
  expect((await create("2030-06-01T10:00", "2030-06-01T12:00", "US/Pacific")).body.startsAt).toBe(
    "2030-06-01T17:00:00.000Z",
  );
  expect((await create("2030-06-01T10:00", "2030-06-01T12:00", "Mars/Olympus")).body).toMatchObject({
    issues: [{ path: "timezone", code: "events.badZone" }],
  });
  const gap = await create("2030-03-31T02:30", "2030-03-31T05:00", "Europe/Berlin");
  expect([gap.status, gap.body]).toMatchObject([
    422,
    {
      issues: [
        { path: "startsLocal", code: "events.noSuchTime", message: expect.stringContaining("2030-03-31 03:30") },
      ],
    },
  ]);
  const twice = (await create("2030-10-27T02:30", "2030-10-27T03:30", "Europe/Berlin")).body;
  expect(twice).toMatchObject({
    startsAt: "2030-10-27T00:30:00.000Z",
    endsAt: "2030-10-27T02:30:00.000Z",
    timeNotes: [{ path: "startsLocal", code: "events.twiceTime" }],
  });
  expect((await create("2030-02-30T10:00", "2030-03-01T12:00", "UTC")).body).toMatchObject({
    issues: [{ path: "startsLocal", code: "events.badTime" }],
  });
  expect((await create("2030-06-01T10:00", "2030-06-01T10:00", "UTC")).body).toMatchObject({
    issues: [{ path: "endsLocal", code: "events.endsBeforeStart" }],
  });
  expect(
    (await create("2030-06-01T10:00", "2030-06-01T12:00", "UTC", { registrationClosesLocal: "2030-06-01T10:01" })).body,
  ).toMatchObject({ issues: [{ path: "registrationClosesLocal" }] });
  expect(
    (
      await create("2030-06-01T10:00", "2030-06-01T12:00", "UTC", {
        registrationOpensLocal: "2030-05-01T10:00",
        registrationClosesLocal: "2030-04-01T10:00",
      })
    ).body,
  ).toMatchObject({ issues: [{ path: "registrationOpensLocal" }] });
});

test("keeps questions of earlier form versions and rejects invalid ones", async () => {
  const [diet, wine] = [randomUUID(), randomUUID()];
  const question = (id: string, label: string, input: object = {}) => ({
    id,
    label,
    kind: "choice" as const,
    options: ["A", "B"],
    ...input,
  });
  const live = await maker.createPublished(admin, {
    questions: [
      question(diet, "Diet"),
      question(wine, "Wine", { showIf: { questionId: diet, equals: "A" }, required: true }),
    ],
  });
  const form = { ...maker.form(live), answers: { [diet]: "A" } };
  const missing = await as(null)(eventRegistrations.register, { params: { slug: live.slug }, body: form });
  expect([missing.status, missing.body]).toMatchObject([
    422,
    { issues: [{ path: `answers.${wine}`, code: "events.answerNeeded" }] },
  ]);
  expect(
    (
      await as(null)(eventRegistrations.register, {
        params: { slug: live.slug },
        body: { ...form, answers: { [diet]: "C" } },
      })
    ).status,
  ).toBe(422);
  const guest = await maker.registerGuest(live, { answers: { [diet]: "B", [wine]: "A" } });
  expect((await as(null)(eventRegistrations.mine, { params: { token: guest.token } })).body.answers).toEqual({
    [diet]: "B",
  });
  const changed = (
    await as(admin)(events.update, {
      params: { id: live.id },
      body: { version: live.version, questions: [question(wine, "Beverage")] },
    })
  ).body;
  expect(changed.questionVersion).toBe(2);
  const outdated = await as(null)(eventRegistrations.register, {
    params: { slug: live.slug },
    body: { ...form, answers: { [diet]: "B" } },
  });
  expect([outdated.status, outdated.code, (outdated.body as unknown as { details: object }).details]).toMatchObject([
    409,
    "events.formChanged",
    { questionVersion: 2, questions: [{ label: "Beverage" }] },
  ]);
  const list = (await as(admin)(eventRegistrations.list, { params: { id: live.id } })).body;
  expect(list.questions.map(({ label }) => label)).toEqual(["Beverage", "Diet"]);
  expect(
    (await as(null)(eventRegistrations.mine, { params: { token: guest.token } })).body.questions.map(
      ({ label }) => label,
    ),
  ).toEqual(["Diet", "Wine"]);
  const tooFewOptions = await as(admin)(events.create, {
    body: draftInput({ questions: [question(diet, "Diet", { options: ["A"] })] }),
  });
  expect(tooFewOptions.body).toMatchObject({ issues: [{ path: "questions.0.options" }] });
  const circular = await as(admin)(events.create, {
    body: draftInput({
      questions: [question(diet, "Diet", { showIf: { questionId: wine, equals: "A" } }), question(wine, "Wine")],
    }),
  });
  expect(circular.body).toMatchObject({ issues: [{ path: "questions.0.showIf" }] });
});

test("duplicates the chosen parts and shifts the agenda", async () => {
  const speaker = { id: randomUUID(), name: "Sam Speaker", role: "", bio: "" };
  const live = await maker.createPublished(admin, {
    timezone: "Europe/Berlin",
    startsLocal: "2030-03-29T10:00",
    endsLocal: "2030-03-29T12:30",
    capacity: 7,
    description: "Long",
    speakers: [speaker],
    agenda: [{ id: randomUUID(), title: "Talk", startsAt: "2030-03-29T10:30", speakerIds: [speaker.id, randomUUID()] }],
  });
  expect(live.agenda[0]?.speakerIds).toEqual([speaker.id]);
  const copy = (
    await as(admin)(events.duplicate, {
      params: { id: live.id },
      body: { title: "Again", startsLocal: "2030-03-30T20:00", with: ["agenda", "seats"] },
    })
  ).body;
  expect(copy).toMatchObject({
    status: "draft",
    title: "Again",
    endsLocal: "2030-03-30T22:30",
    capacity: 7,
    description: "",
    speakers: [],
    privacyNotice: "",
    agenda: [{ startsAt: "2030-03-30T20:30", speakerIds: [] }],
    counts: { confirmed: 0 },
  });
});

test("marks a cover as in use while an event shows it", async () => {
  const path = `events/${randomUUID()}/cover.png`;
  const uploadPicture = async (purpose: string, name: string) => {
    const { headers, body } = multipart({ contentType: "image/png", metadata: { purpose } }, PNG);
    return app.inject({
      method: "POST",
      url: `${OBJECTS_PATH}?name=${encodeURIComponent(name)}`,
      headers: { ...headers, authorization: `Bearer ${admin.token}` },
      payload: body,
    });
  };
  expect((await uploadPicture("event_cover", path)).statusCode).toBe(200);
  expect((await as(admin)(events.create, { body: draftInput({ cover: "nothing/there.png" }) })).body).toMatchObject({
    issues: [{ path: "cover", code: "events.badCover" }],
  });
  const live = await maker.createPublished(admin, { cover: path });
  const { event } = (await as(null)(events.show, { params: { slug: live.slug } })).body;
  const picture = await app.inject(event?.coverUrl as string);
  expect([picture.statusCode, picture.headers["content-type"], picture.rawPayload.equals(PNG)]).toEqual([
    200,
    "image/png",
    true,
  ]);
  const file = () => db.selectFrom("files").where("fullPath", "=", path).select("inUse").executeTakeFirstOrThrow();
  expect((await file()).inUse).toBe(true);
  const copy = (
    await as(admin)(events.duplicate, {
      params: { id: live.id },
      body: { title: "Copy", startsLocal: inHours(100), with: ["cover"] },
    })
  ).body;
  await as(admin)(events.update, { params: { id: live.id }, body: { version: live.version, cover: null } });
  expect((await file()).inUse).toBe(true);
  await as(admin)(events.remove, { params: { id: copy.id } });
  expect((await file()).inUse).toBe(false);
});
