import { sql } from "kysely";
import { checkCatalogue, followCatalogue, tellCatalogue } from "#server/catalogue/follow.ts";
import { catalogue, type JoinWay } from "#shared/catalogue/catalogue.ts";
import { courses } from "#shared/courses/courses.ts";
import type { OfferTerms } from "#shared/catalogue/terms.ts";
import { learners } from "#shared/learners/learners.ts";
import { bodyOf } from "#test/probes.ts";
import type { Person, start } from "#test/start.ts";

export type Terms = Partial<OfferTerms>;

/** Offers courses, and lets people take them. */
export function createCatalogueTester({ as, make, services, db }: Awaited<ReturnType<typeof start>>, admin: Person) {
  const call = as(admin);
  /** Follows what changed and sends emails, as the jobs do. */
  const work = async () => {
    await followCatalogue.run(services, {});
    await tellCatalogue.run(services, {});
  };
  const check = async () => {
    await checkCatalogue.run(services, {});
    await work();
  };
  const company = () => make.company(admin, { timezone: "UTC" });
  const people = async (accessCode: string, ...names: string[]) => {
    const made: Person[] = [];
    for (const name of names) made.push(await make.learner(accessCode, name));
    return made;
  };
  const full = (terms: Terms = {}): OfferTerms => ({
    isVisible: true,
    way: "self",
    places: null,
    priceMinor: null,
    currency: null,
    costCentre: "",
    languages: [],
    requires: [],
    ...terms,
  });
  const offer = async (companyId: string, terms: Terms = {}, courseId?: string) => {
    const id = courseId ?? (await make.course(admin)).id;
    return bodyOf(
      await call(catalogue.create, { params: { id: companyId }, body: { courseId: id, terms: full(terms) } }),
    );
  };
  const change = async (companyId: string, id: string, terms: Terms) => {
    const { items } = bodyOf(await call(catalogue.offers, { params: { id: companyId }, query: { size: 200 } }));
    const version = items.find((one) => one.id === id)?.version ?? 0;
    return bodyOf(await call(catalogue.update, { params: { id }, body: { terms: full(terms), version } }));
  };
  const join = (person: Person, id: string, way: JoinWay, note = "") =>
    as(person)(catalogue.join, { params: { id }, body: { as: way, note } });
  const assign = async (courseId: string, ...to: Person[]) =>
    bodyOf(await call(courses.assign, { params: { id: courseId }, body: { userIds: to.map(({ user }) => user.id) } }));
  const leave = (person: Person, id: string) => as(person)(catalogue.leave, { params: { id } });
  const withdraw = (person: Person, id: string) => as(person)(catalogue.withdraw, { params: { id } });
  const read = (person: Person, id: string) => as(person)(catalogue.get, { params: { id } });
  const requestsOf = async (companyId: string, query = {}) =>
    bodyOf(await call(catalogue.requests, { params: { id: companyId }, query })).items;
  const requestOf = async (companyId: string, person: Person, offerId?: string) =>
    (await requestsOf(companyId, { size: 200, ...(offerId && { offerId }) })).find(
      ({ userId }) => userId === person.user.id,
    );
  const stateOf = async (person: Person, companyId: string) => (await requestOf(companyId, person))?.status;
  /** A course with one place that Ada has, and Ben and Cleo wait for, in this order. */
  const queue = async (terms: Terms = {}) => {
    const acme = await company();
    const [ada, ben, cleo] = (await people(acme.accessCode, "Ada", "Ben", "Cleo")) as [Person, Person, Person];
    const made = await offer(acme.id, { places: 1, ...terms });
    bodyOf(await join(ada, made.id, "enrol"));
    for (const person of [ben, cleo]) bodyOf(await join(person, made.id, "wait"));
    return { acme, ada, ben, cleo, ...made };
  };
  const lead = async (manager: Person | null, ...led: Person[]) =>
    bodyOf(
      await call(learners.setManager, {
        body: { ids: led.map(({ user }) => user.id), managerId: manager?.user.id ?? null },
      }),
    );
  /** People who hold a place of an offer, counted on their own. */
  const countHolders = async (offerId: string) => {
    const { rows } = await sql<{ count: number }>`
      select count(distinct enrolments.user_id)::int as count
      from enrolments
      join enrolment_reasons reasons on reasons.enrolment_id = enrolments.id
      where reasons.rule_id = ${offerId}
        and reasons.kind = 'self'
        and reasons.until is null
        and enrolments.status <> 'withdrawn'`.execute(db);
    return rows[0]?.count ?? 0;
  };
  /** The open reasons of a person's enrolment in a course. */
  const reasonsOf = async (person: Person, courseId: string) => {
    const { rows } = await sql<{ kind: string }>`
      select kind
      from enrolment_reasons
      join enrolments on enrolments.id = enrolment_reasons.enrolment_id
      where user_id = ${person.user.id}
        and course_id = ${courseId}
        and until is null
      order by kind`.execute(db);
    return rows.map(({ kind }) => kind);
  };
  const statusOf = async (person: Person, courseId: string) => {
    const { rows } = await sql<{ status: string }>`
      select status
      from enrolments
      where user_id = ${person.user.id}
        and course_id = ${courseId}
      order by cycle desc
      limit 1`.execute(db);
    return rows[0]?.status ?? null;
  };
  /** The emails of the catalogue to a person, by kind. */
  const mailsTo = async (person: Person) => {
    const { rows } = await sql<{ reason: string }>`
      select reason
      from mails
      where user_id = ${person.user.id}
        and reason like 'catalogue.%'
      order by created_at`.execute(db);
    return rows.map(({ reason }) => reason.replace("catalogue.", ""));
  };
  return {
    call,
    work,
    check,
    company,
    people,
    full,
    offer,
    change,
    join,
    assign,
    leave,
    withdraw,
    read,
    requestsOf,
    requestOf,
    stateOf,
    queue,
    lead,
    countHolders,
    reasonsOf,
    statusOf,
    mailsTo,
  };
}
