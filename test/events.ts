import { randomUUID } from "node:crypto";
import type { Job } from "#server/core/jobs.ts";
import { manageTokenOf } from "#server/events/checkin/tickets.ts";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import type { RegistrationState } from "#shared/events/eventPhases.ts";
import type { AdminEvent } from "#shared/events/eventViews.ts";
import { events } from "#shared/events/events.ts";
import type { Person, start } from "#test/start.ts";
import type { z } from "zod";

type Draft = z.input<typeof events.create.body>;
type Form = z.input<typeof eventRegistrations.register.body>;

/** Local time in UTC this many hours from now. */
export const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 16);

/** Input for an event in two weeks that can be published and needs no email confirmation. */
export const draftInput = (input: Partial<Draft> = {}): Draft => ({
  title: `Event ${randomUUID().slice(0, 8)}`,
  timezone: "UTC",
  startsLocal: inHours(14 * 24),
  endsLocal: inHours(14 * 24 + 2),
  venue: { name: "Hall", city: "Bergen" },
  privacyNotice: "We keep your data for a while.",
  requireEmailConfirmation: false,
  organiserName: "Academy",
  ...input,
});

/** Creates events and guests through the public endpoints. */
export function createEventMaker({ as, db, services, app }: Awaited<ReturnType<typeof start>>) {
  const expectOk = <T>(reply: { status: number; body: T }) => {
    if (reply.status !== 200) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const createDraft = async (person: Person, input: Partial<Draft> = {}) =>
    expectOk(await as(person)(events.create, { body: draftInput(input) }));
  const publish = async (person: Person, event: AdminEvent) =>
    expectOk(await as(person)(events.publish, { params: { id: event.id }, body: { version: event.version } }));
  const createPublished = async (person: Person, input: Partial<Draft> = {}) =>
    publish(person, await createDraft(person, input));
  const form = (event: { questionVersion: number }, input: Partial<Form> = {}): Form => ({
    name: "Gus Guest",
    email: `guest-${randomUUID()}@example.com`,
    questionVersion: event.questionVersion,
    privacyAccepted: true,
    ...input,
  });
  /** Sends a form from a random network, so that rate limits do not affect other tests. */
  const sendForm = async (
    slug: string,
    body: Form,
    network = `10.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}.1`,
    token?: string,
  ) => {
    const reply = await app.inject({
      method: "POST",
      url: eventRegistrations.register.path.replace(":slug", slug),
      payload: body,
      remoteAddress: network,
      headers: token ? { authorization: `Bearer ${token}` } : {},
    });
    return {
      status: reply.statusCode,
      body: reply.json() as {
        next: string;
        reference: string | null;
        state: string | null;
        code?: string;
        issues?: { path: string; code: string }[];
        details?: object;
      },
    };
  };
  const rowOf = (email: string) =>
    db
      .selectFrom("eventRegistrations")
      .where("email", "=", email.toLowerCase())
      .selectAll()
      .orderBy("queueNumber", "desc")
      .executeTakeFirstOrThrow();
  /** Registers a guest. Returns the registration with the token from the email. */
  const registerGuest = async (event: { slug: string; questionVersion: number }, input: Partial<Form> = {}) => {
    const body = form(event, input);
    const reply = await sendForm(event.slug, body);
    if (reply.status !== 200) throw new Error(`register: ${reply.status} ${JSON.stringify(reply.body)}`);
    const row = await rowOf(body.email);
    return {
      id: row.id,
      email: row.email,
      reference: row.reference,
      token: manageTokenOf(services, row.id),
      state: row.state as RegistrationState,
    };
  };
  const stateOf = async (id: string) =>
    (await db.selectFrom("eventRegistrations").where("id", "=", id).select("state").executeTakeFirstOrThrow()).state;
  const mailsTo = (email: string) =>
    db.selectFrom("mails").where("recipient", "=", email).selectAll().orderBy("createdAt").orderBy("id").execute();
  /** Runs these jobs until none are queued. */
  const runJobs = async (jobs: Job[]) => {
    for (;;) {
      const { rows } = await services.pool.query<{ id: string; task: string; payload: unknown }>(
        `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = any($1) returning t.identifier as task, j.payload`,
        [jobs.map(({ name }) => name)],
      );
      if (rows.length === 0) return;
      for (const { task, payload } of rows) {
        await jobs.find(({ name }) => name === task)?.run(services, payload);
      }
    }
  };
  return { createDraft, publish, createPublished, form, sendForm, registerGuest, rowOf, stateOf, mailsTo, runJobs };
}
