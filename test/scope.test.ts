import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { listContracts } from "#server/endpoints.ts";
import { registrationsExportPath } from "#shared/events/eventRegistrations.ts";
import { events } from "#shared/events/events.ts";
import { BUCKET, OBJECTS_PATH } from "#shared/files/files.ts";
import type { Contract } from "#shared/core/route.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { readCompanyRows } from "#test/companyRows.ts";
import { ENDLESS_STREAMS } from "#test/operations.ts";
import { fillCompany, probes } from "#test/probes.ts";
import { start } from "#test/start.ts";

// No person has this role today: an admin whose account belongs to one company. The test proves that every query takes
// its rows from the scope of the user (shared/core/users.ts), so that managers of one company can be added without
// opening services. The rows of the other company, and valid writes to them, are those of the domain.probes.ts.

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9", CLAIM_CONFIRMATION: "off" });
const { app, as, make, db } = server;
const own = await make.classroom();
const other = await fillCompany(server, own);
const academy = other.admin;
const event = (await as(academy)(events.listAll)).body.items[0]!;
await limitToCompany(db, own.admin, own.company.id);
const manager = own.admin;

/** Ids and names that only rows of the other company contain. */
const { marks, writes } = other;
const ids = marks.filter((mark) => /^[0-9a-f-]{36}$/.test(mark));

const all = listContracts().map((contract) => ({ name: `${contract.domain}.${contract.name}`, contract }));
const call = async (contract: Contract, path: string, payload?: unknown) => {
  const reply = await app.inject({
    method: contract.method,
    url: path,
    headers: { authorization: `Bearer ${manager.token}` },
    ...(payload !== undefined && { payload: payload as object }),
  });
  return { status: reply.statusCode, text: reply.body };
};
/** What a reply says about the other company, without what the request itself contained. */
const leaks = (text: string, path: string) => marks.filter((mark) => text.includes(mark) && !path.includes(mark));

test("no list or record of another company is read", async () => {
  const wrong: unknown[] = [];
  for (const { name, contract } of all.filter(
    ({ contract: { method, path } }) => method === "GET" && !ENDLESS_STREAMS.includes(path),
  )) {
    const { id } = other.company;
    const queries = ["", `?q=${other.tag}`, `?companyId=${id}`, `?userId=${other.learner.user.id}`, "?withdrawn=true"];
    const paths = contract.path.includes(":")
      ? ids.map((one) => contract.path.replace(/:\w+/g, one))
      : queries.map((query) => contract.path + query);
    for (const path of [...paths, contract.path.replace(":slug", event.slug)]) {
      const { status, text } = await call(contract, path);
      if (status > 499 || leaks(text, path).length > 0) wrong.push([name, path, status, leaks(text, path)]);
    }
  }
  expect(wrong).toEqual([]);
});

test("no file or export of another company is read", async () => {
  const path = `companies/${other.company.id}/${randomUUID()}.pdf`;
  await db
    .insertInto("files")
    .values({
      bucket: BUCKET,
      fullPath: path,
      purpose: "document",
      visibility: "company",
      companyId: other.company.id,
      ownerId: academy.user.id,
      contentType: "application/pdf",
      detectedType: "application/pdf",
      size: 1,
      md5Hash: "none",
      sha256: "none",
      storageKey: "none",
    })
    .execute();
  const read = (url: string) => app.inject({ url, headers: { authorization: `Bearer ${manager.token}` } });
  expect((await read(`${OBJECTS_PATH}/${encodeURIComponent(path)}`)).statusCode).toBe(404);
  expect((await read(OBJECTS_PATH)).body).not.toContain(path);
  expect((await read(registrationsExportPath(event.id, "csv"))).statusCode).toBe(404);
  const before = await readOtherCompany();
  const address = `${OBJECTS_PATH}/${encodeURIComponent(path)}`;
  const write = async (method: "PATCH" | "DELETE" | "POST", url: string) =>
    (await app.inject({ method, url, payload: {}, headers: { authorization: `Bearer ${manager.token}` } })).statusCode;
  expect(await write("PATCH", address)).toBe(404);
  expect(await write("DELETE", address)).toBe(404);
  expect(await write("POST", `${address}?create_token=true`)).toBe(404);
  expect(await readOtherCompany()).toEqual(before);
});

/** Writes whose subject is the academy itself, the account of the caller, or a guest. */
const withoutCompany = new Set(probes.flatMap(({ withoutCompany: names = [] }) => names));
const readOtherCompany = () => readCompanyRows(db, other.company.id);

test("no row of another company is changed", async () => {
  const before = await readOtherCompany();
  const wrong: unknown[] = [];
  for (const { name, contract } of all.filter(({ contract: { method } }) => method !== "GET")) {
    const write = writes[name];
    if (!write) {
      if (!withoutCompany.has(name) && !withoutCompany.has(`${contract.domain}.*`))
        wrong.push(`Add ${name} to the writes of domain.probes.ts, with a body for a row of the company`);
      continue;
    }
    const path = contract.path
      .replace(/:(id|companyId)\b/, write.id ?? "")
      .replace(":courseId", other.course.id)
      .replace(":number", "1")
      .replace(/^(.*)(\?version=\d+)(.*)$/, "$1$3$2");
    const { status, text } = await call(contract, path, write.body);
    const isForbidden = status === 403 && text.includes('"core.forbidden"');
    const isWithoutEffect = /^\{"(changed|added|values|total)":0|"rawData.nothingToDelete"/.test(text);
    const isRefused = isForbidden || [404, 422].includes(status) || isWithoutEffect;
    if (!isRefused || (status === 422 && !text.includes("companyId"))) wrong.push([name, status, text.slice(0, 200)]);
    const after = await readOtherCompany();
    if (JSON.stringify(after) !== JSON.stringify(before)) wrong.push([name, "changed rows"]);
  }
  expect(wrong).toEqual([]);
});

test("every name in domain.probes.ts is an endpoint", () => {
  const names = new Set(all.flatMap(({ name, contract }) => [name, `${contract.domain}.*`]));
  expect([...withoutCompany, ...Object.keys(writes)].filter((name) => !names.has(name))).toEqual([]);
});
