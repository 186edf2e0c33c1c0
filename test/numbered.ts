import { pins } from "#shared/auth/pins.ts";
import { companies, type Company } from "#shared/companies/companies.ts";
import { learners } from "#shared/learners/learners.ts";
import { bodyOf } from "#test/probes.ts";
import type { Person, start } from "#test/start.ts";

type Server = Pick<Awaited<ReturnType<typeof start>>, "as">;
export const OWN_PIN = "739164";

/** Lets people of a company log in with a PIN. */
export async function allowPins({ as }: Server, admin: Person, { id }: Company, pinLogin: "pin" | "card" = "pin") {
  const params = { id };
  const { version } = bodyOf(await as(admin)(companies.get, { params }));
  return bodyOf(await as(admin)(companies.update, { params, body: { pinLogin, version } }));
}

/** A learner without an email address, with a first PIN and a card. */
export async function addNumbered(
  { as }: Server,
  admin: Person,
  company: Company,
  number: string,
  name = "Nora Nomail",
) {
  const made = bodyOf(
    await as(admin)(learners.create, { body: { companyId: company.id, name, personnelNumber: number } }),
  );
  const issued = bodyOf(await as(admin)(learners.issuePin, { params: { id: made.id }, body: {} }));
  return { id: made.id, number, company: company.slug, pin: issued.pin, card: issued.card ?? "" };
}
export type Numbered = Awaited<ReturnType<typeof addNumbered>>;

/** The first login, with a PIN of their own. */
export async function signInNumbered({ as }: Server, { company, number, pin }: Numbered) {
  return bodyOf(await as(null)(pins.signIn, { body: { company, number, pin, newPin: OWN_PIN } }));
}
