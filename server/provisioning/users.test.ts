import { expect, test } from "vitest";
import { createDirectories, ENTERPRISE, ERROR, patchOf, type ScimUser, USER } from "#test/directory.ts";
import { start } from "#test/start.ts";
import { learners } from "#shared/learners/learners.ts";

const server = await start();
const { as, db } = server;
const { company } = createDirectories(server);

/** RFC 7643, 8.1 and 8.3, and RFC 7644, 3.3: bodies typed from the text. */
const bjensen = {
  schemas: [USER],
  userName: "bjensen",
  externalId: "bjensen",
  name: { formatted: "Ms. Barbara J Jensen III", familyName: "Jensen", givenName: "Barbara" },
};
const full = {
  schemas: [USER, ENTERPRISE],
  id: "2819c223-7f76-453a-919d-413861904646",
  externalId: "701984",
  userName: "bjensen@example.com",
  name: {
    formatted: "Ms. Barbara J Jensen, III",
    familyName: "Jensen",
    givenName: "Barbara",
    middleName: "Jane",
    honorificPrefix: "Ms.",
    honorificSuffix: "III",
  },
  displayName: "Babs Jensen",
  nickName: "Babs",
  profileUrl: "https://login.example.com/bjensen",
  emails: [
    { value: "bjensen@example.com", type: "work", primary: true },
    { value: "babs@jensen.org", type: "home" },
  ],
  addresses: [{ type: "work", streetAddress: "100 Universal City Plaza", country: "USA", primary: true }],
  phoneNumbers: [
    { value: "555-555-5555", type: "work" },
    { value: "555-555-4444", type: "mobile" },
  ],
  ims: [{ value: "someaimhandle", type: "aim" }],
  photos: [{ value: "https://photos.example.com/profilephoto/72930000000Ccne/F", type: "photo" }],
  userType: "Employee",
  title: "Tour Guide",
  preferredLanguage: "en-US",
  locale: "en-US",
  timezone: "America/Los_Angeles",
  active: true,
  password: "t1meMa$heen",
  x509Certificates: [{ value: "MIIDQzCCAqygAwIBAgICEAAwDQYJKoZIhvcNAQEFBQAwTjELMAkGA1UEBhMCVVMx" }],
  [ENTERPRISE]: {
    employeeNumber: "701984",
    costCenter: "4130",
    organization: "Universal Studios",
    division: "Theme Park",
    department: "Tour Operations",
  },
};

test("a person of RFC 7644 is created with id, meta, ETag and Location", async () => {
  const { call, company: of } = await company();
  const { status, body, headers } = await call("POST", "/Users", bjensen);
  const user = body as ScimUser;
  expect(status).toBe(201);
  expect(headers["content-type"]).toMatch(/^application\/scim\+json/);
  expect(headers.location).toBe(`http://localhost:1/scim/v2/Users/${user.id}`);
  expect(headers.etag).toBe(user.meta.version);
  expect(user).toMatchObject({ ...bjensen, active: true, displayName: "Ms. Barbara J Jensen III" });
  expect(user.meta).toMatchObject({ resourceType: "User", location: headers.location });
  const row = await db.selectFrom("users").where("id", "=", user.id).selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ email: null, name: "Ms. Barbara J Jensen III", status: "invited", companyId: of.id });
});

test("the full person of RFC 7643 comes back with everything that has a place", async () => {
  const { create, read, admin } = await company();
  const { id } = await create(full);
  expect(id).not.toBe(full.id);
  const { password: _p, addresses: _a, ims: _i, photos: _f, x509Certificates: _x, profileUrl: _u, ...kept } = full;
  expect(await read(id)).toMatchObject({ ...kept, id });
  const { body } = await as(admin)(learners.get, { params: { id } });
  expect(body).toMatchObject({ name: "Babs Jensen", email: "bjensen@example.com", personnelNumber: "701984" });
});

test("names of attributes and schemas are read in any case", async () => {
  const { create } = await company();
  const made = await create({
    schemas: [USER.toUpperCase()],
    USERNAME: "case@example.com",
    Name: { GIVENNAME: "Ada", familyname: "Lovelace" },
    [ENTERPRISE.toLowerCase()]: { DEPARTMENT: "Maths" },
  });
  expect(made).toMatchObject({ userName: "case@example.com", displayName: "Ada Lovelace" });
  expect(made[ENTERPRISE]).toEqual({ department: "Maths" });
});

test("a changed person is replaced, and what only Lyceum knows stays", async () => {
  const { create, done, read } = await company();
  const boss = await create({ userName: "boss@example.com", displayName: "Boss" });
  const { emails: _, ...named } = { ...full, userName: "bjensen-put" };
  const { id } = await create({ ...named, [ENTERPRISE]: { employeeNumber: "7", manager: { value: boss.id } } });
  const put = await done<ScimUser>("PUT", `/Users/${id}`, {
    schemas: [USER],
    id,
    userName: "bjensen-put",
    name: { familyName: "Jones", givenName: "Barbara" },
  });
  expect(put).toMatchObject({ displayName: "Barbara Jones", active: true });
  expect(put.title).toBeUndefined();
  expect(put[ENTERPRISE]).toEqual({
    employeeNumber: "7",
    manager: { value: boss.id, $ref: boss.meta.location, displayName: "Boss" },
  });
  await done("PUT", `/Users/${id}`, {
    schemas: [USER],
    userName: "bjensen-put",
    displayName: "Barbara Jones",
    [ENTERPRISE]: { employeeNumber: null, manager: null },
  });
  expect((await read(id))[ENTERPRISE]).toBeUndefined();
});

test("an ETag protects a change, and saves a read", async () => {
  const { create, call, read } = await company();
  const { id, meta } = await create(bjensen);
  expect((await call("GET", `/Users/${id}`, undefined, { "if-none-match": meta.version })).status).toBe(304);
  const change = patchOf({ op: "replace", path: "title", value: "Guide" });
  const both = await Promise.all(
    [1, 2].map(() =>
      call("PATCH", `/Users/${id}`, patchOf({ op: "replace", path: "title", value: `Guide` }), {
        "if-match": meta.version,
      }),
    ),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  expect((await call("PATCH", `/Users/${id}`, change, { "if-match": "*" })).status).toBe(200);
  expect((await call("GET", `/Users/${id}`, undefined, { "if-none-match": meta.version })).status).toBe(200);
  expect((await call("DELETE", `/Users/${id}`, undefined, { "if-match": meta.version })).status).toBe(412);
  expect((await read(id)).title).toBe("Guide");
});

test("of two creations of one user name, one succeeds", async () => {
  const { call, create } = await company();
  const both = await Promise.all([1, 2].map(() => call("POST", "/Users", { ...bjensen, userName: "BJensen@x.test" })));
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  const again = await call("POST", "/Users", { schemas: [USER], userName: "bjensen@X.test" });
  expect(again.body).toEqual({
    schemas: [ERROR],
    status: "409",
    scimType: "uniqueness",
    detail: "“userName” is taken.",
  });
  await create({ userName: "other", externalId: "other" });
  expect((await call("POST", "/Users", { schemas: [USER], userName: "third", externalId: "other" })).status).toBe(409);
});

test("an address of another company is refused without telling where it is", async () => {
  const [here, there] = [await company(), await company()];
  const { email } = there.learner.user;
  const { status, body } = await here.call("POST", "/Users", { schemas: [USER], userName: email });
  expect([status, (body as { detail: string }).detail]).toEqual([409, "The email address is taken."]);
  const own = await here.call("POST", "/Users", {
    schemas: [USER],
    userName: "x",
    emails: [{ value: here.learner.user.email }],
  });
  expect([own.status, (own.body as { detail: string }).detail]).toEqual([409, "The email address is taken."]);
  for (const method of ["GET", "PUT", "PATCH", "DELETE"] as const) {
    const sent = method === "PUT" ? bjensen : patchOf({ op: "replace", path: "title", value: "x" });
    const reply = await here.call(method, `/Users/${there.learner.user.id}`, method === "GET" ? undefined : sent);
    expect([method, reply.status]).toEqual([method, 404]);
  }
  expect((await here.find(`userName eq "${email}"`)).totalResults).toBe(0);
});

test("people who are here already are found by address or number, and not made again", async () => {
  const { find, patch, learner } = await company();
  const found = await find(`userName eq "${learner.user.email.toUpperCase()}"`);
  expect(found.Resources.map(({ id }) => id)).toEqual([learner.user.id]);
  const patched = await patch(learner.user.id, { op: "add", value: { externalId: "ext-1", title: "Pilot" } });
  expect(patched).toMatchObject({ externalId: "ext-1", title: "Pilot", userName: learner.user.email });
  expect((await find('externalId eq "ext-1"')).totalResults).toBe(1);
});

test("a person who was deleted is gone, and comes back with the same id", async () => {
  const { create, call, done, find, course } = await company();
  await Promise.all([1, 2, 3].map((one) => create({ userName: `filler${one}` })));
  const { id } = await create({ userName: "ada@example.com", externalId: "hr-1", displayName: "Ada" });
  const [enrolment] = await db.selectFrom("enrolments").where("userId", "=", id).select(["id", "courseId"]).execute();
  expect(enrolment?.courseId).toBe(course.id);
  await done("DELETE", `/Users/${id}`);
  for (const method of ["GET", "DELETE"] as const) expect((await call(method, `/Users/${id}`)).status).toBe(404);
  expect((await find('userName eq "ada@example.com"')).totalResults).toBe(0);
  const row = () => db.selectFrom("users").where("id", "=", id).selectAll().executeTakeFirstOrThrow();
  expect(await row()).toMatchObject({ status: "suspended", name: "Ada" });
  const { body, status } = await call("POST", "/Users", {
    schemas: [USER],
    userName: "ada.byron@example.com",
    externalId: "hr-1",
    displayName: "Ada Byron",
  });
  expect([status, (body as ScimUser).id]).toEqual([201, id]);
  expect(await row()).toMatchObject({ status: "invited", name: "Ada Byron", email: "ada@example.com" });
  expect(await db.selectFrom("enrolments").where("userId", "=", id).select("id").execute()).toEqual([
    { id: enrolment?.id },
  ]);
});

test("managers are people of the company, without circles", async () => {
  const { create, call, patch } = await company();
  const [ana, ben] = [await create({ userName: "ana" }), await create({ userName: "ben" })];
  const path = `${ENTERPRISE}:manager`;
  await patch(ben.id, { op: "add", path, value: ana.id });
  for (const value of [ben.id, crypto.randomUUID(), "nobody"]) {
    const { status, body } = await call(
      "PATCH",
      `/Users/${ana.id}`,
      patchOf({ op: "replace", path, value: { value } }),
    );
    expect([status, body]).toMatchObject([400, { scimType: "invalidValue" }]);
  }
  await patch(ben.id, { op: "remove", path });
  expect(await db.selectFrom("managers").where("userId", "=", ben.id).select("userId").execute()).toEqual([]);
});
