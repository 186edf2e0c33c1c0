import { sql } from "kysely";
import { expect, test } from "vitest";
import { createDirectories, ENTERPRISE, FIELDS, type ScimUser, USER } from "#test/directory.ts";
import { start } from "#test/start.ts";
import { fields } from "#shared/fields/fields.ts";
import { provisioning } from "#shared/provisioning/provisioning.ts";

// Values of fields that an admin changes while the directory stores them

const server = await start();
const { as, db } = server;
const { company } = createDirectories(server);

/** A directory sends a value while a change of its field is not yet done. */
async function sendDuring(change: { archivedAt: string } | { choices: string }) {
  const room = await company();
  const { body: field } = await as(room.admin)(fields.create, {
    body: {
      companyId: room.company.id,
      key: "dept",
      name: "Department",
      kind: "choice",
      choices: [{ name: "Berlin" }, { name: "Rome" }],
    },
  });
  const { id } = await room.create({ userName: "ada" });
  const said = { schemas: [USER, FIELDS], userName: "ada", displayName: "Ada", [FIELDS]: { dept: "Rome" } };
  const reply = await db.transaction().execute(async (tx) => {
    await tx.updateTable("fields").set(change).where("id", "=", field.id).execute();
    const sent = room.call("PUT", `/Users/${id}`, said);
    const waits = async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::int as waiting
        from pg_stat_activity
        where wait_event_type = 'Lock'
          and datname = current_database()`.execute(tx);
      return rows[0]?.waiting;
    };
    await expect.poll(waits, { timeout: 5000 }).toBe(1);
    return { sent };
  });
  const { status, body } = await reply.sent;
  const values = await db.selectFrom("fieldValues").where("userId", "=", id).selectAll().execute();
  return { status, body: body as ScimUser & { detail: string }, values };
}

test("a field that is archived meanwhile gets no value, and the rest is stored", async () => {
  const { status, body, values } = await sendDuring({ archivedAt: new Date().toISOString() });
  expect([status, body.displayName, values]).toEqual([200, "Ada", []]);
});

test("a choice that is removed meanwhile is refused", async () => {
  const berlin = [{ id: crypto.randomUUID(), name: "Berlin" }];
  const { status, body, values } = await sendDuring({ choices: JSON.stringify(berlin) });
  expect([status, body.detail, values]).toEqual([
    400,
    "The value of “dept” does not fit its field in Lyceum: it is not one of the choices.",
    [],
  ]);
});

test("a field stores one attribute, and a later change is a conflict", async () => {
  const { admin, company: of } = await company();
  const params = { id: of.id };
  const { body: field } = await as(admin)(fields.create, {
    body: { companyId: of.id, key: "job", name: "Job", kind: "text" },
  });
  const update = (mapping: object, version: number) =>
    as(admin)(provisioning.update, { params, body: { mapping, version } });
  const twice = await update({ title: field.id, userType: field.id }, 0);
  expect([twice.status, twice.body]).toMatchObject([
    422,
    { issues: [{ path: "mapping.userType", code: "provisioning.mappedTwice" }] },
  ]);
  const unknown = await update({ [`${ENTERPRISE}:department`]: crypto.randomUUID() }, 0);
  expect(unknown.body).toMatchObject({
    issues: [{ path: `mapping.${ENTERPRISE}:department`, code: "fields.unknown" }],
  });
  const saved = await update({ title: field.id }, 0);
  expect([saved.status, saved.body.mapping]).toEqual([200, { title: field.id }]);
  const late = await update({}, 0);
  expect([late.status, late.body]).toMatchObject([
    409,
    { code: "core.conflict", details: { current: { mapping: { title: field.id }, version: 1 } } },
  ]);
});
