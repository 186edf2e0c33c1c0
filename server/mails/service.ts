import { sql } from "kysely";
import { z } from "zod";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { job } from "#server/core/jobs.ts";
import { searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Services } from "#server/core/services.ts";
import { deliver } from "#server/mails/delivery.ts";
import { failureText } from "#server/mails/deliveryFailure.ts";
import { withLogo } from "#server/mails/mailLogo.ts";
import { findMailRoute, hasMailServer, passwordOf } from "#server/mails/mailServer.ts";
import { readSettings } from "#server/settings/service.ts";
import type { MailAttachment, mails } from "#shared/mails/mails.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/**
 * An email as plain text and HTML. `reason`: why it is sent, such as `auth.reset`. `registrationId`: the event
 * registration with which it is deleted. `notAfter`: the time from which it is no longer true, and stays in the outbox.
 */
export type MailInput = {
  recipient: string;
  userId: string | null;
  companyId: string | null;
  subject: string;
  body: string;
  html: string;
  reason: string;
  attachments?: MailAttachment[];
  replyTo?: string | null;
  registrationId?: string | null;
  notAfter?: string | null;
};

/**
 * Puts an email into the outbox, in the caller's transaction. A job sends it if there is a mail server (`isQueued`);
 * otherwise it stays there for admins to pass on.
 */
export async function enqueueMail(services: Services, tx: Db, { attachments = [], ...mail }: MailInput) {
  const status = (await hasMailServer({ config: services.config, db: tx })) ? "queued" : "kept";
  const { id } = await tx
    .insertInto("mails")
    .values({ ...mail, attachments: JSON.stringify(attachments), status })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (status === "queued") await sendMail.enqueue(tx, { id }, { key: `mails:send ${id}` });
  return { id, isQueued: status === "queued" };
}

/** Why an email was not sent after its time. */
const TOO_LATE = "It could not be sent in time.";

export const sendMail = job("mails:send", z.object({ id: z.uuid() }), async ({ db, config }, { id }) => {
  const mail = await db
    .selectFrom("mails")
    .where("id", "=", id)
    .where("status", "in", ["queued", "failed"])
    .selectAll()
    .executeTakeFirst();
  if (!mail) return;
  const route = await findMailRoute({ config, db });
  if (!route) {
    // The mail server has been removed meanwhile.
    await db.updateTable("mails").set({ status: "kept" }).where("id", "=", id).execute();
    return;
  }
  if (mail.notAfter !== null && Date.parse(mail.notAfter) < Date.now()) {
    await db.updateTable("mails").set({ status: "kept", error: TOO_LATE }).where("id", "=", id).execute();
    return;
  }
  const { academyName } = await readSettings(db);
  const { html, attachments: logos } = await withLogo(db, mail.html);
  const { attachments, ...calendar } = toMailerAttachments(mail.attachments);
  try {
    await deliver(config, route, academyName, {
      to: mail.recipient,
      subject: mail.subject,
      text: mail.body,
      html,
      messageId: `<${id}@lyceum>`,
      ...(mail.replyTo && { replyTo: mail.replyTo }),
      ...calendar,
      attachments: [...attachments, ...logos],
    });
  } catch (error) {
    await db
      .updateTable("mails")
      .set({ status: "failed", error: failureText(error as Error, passwordOf(route)) })
      .where("id", "=", id)
      .execute();
    throw error;
  }
  await db
    .updateTable("mails")
    .set({ status: "sent", error: null, sentAt: new Date().toISOString() })
    .where("id", "=", id)
    .execute();
});

/**
 * Calendar entries become an alternative part `text/calendar; method=…`, which mail clients require (RFC 6047); others
 * become attachments.
 */
function toMailerAttachments(attachments: MailAttachment[]) {
  const entry = attachments.find(({ method }) => method);
  return {
    attachments: attachments
      .filter(({ method }) => !method)
      .map(({ name, type, content, cid }) => ({
        filename: name,
        contentType: type,
        content,
        encoding: "base64",
        ...(cid && { cid }),
      })),
    ...(entry && {
      icalEvent: {
        method: entry.method as string,
        filename: entry.name,
        content: Buffer.from(entry.content, "base64").toString("utf8"),
      },
    }),
  };
}

/** Deletes all emails about these registrations, when their personal data is deleted. */
export const deleteRegistrationMails = (tx: Db, registrationIds: string[]) =>
  tx.deleteFrom("mails").where("registrationId", "in", registrationIds).execute();

/**
 * SQL for the text of an email in which `…` replaces the tokens of its links, which give access to an account or
 * registration.
 */
export const REDACTED_BODY = `regexp_replace(
  body,
  '((invitation|token|code)=|/events/registration/)[^[:space:]]+',
  '\\1…',
  'g'
)`;

/** Emails that only their recipient sees: that somebody may need help is told to nobody else. */
export const PRIVATE_REASONS = ["notifications.chatAlert"];

/** Lists the outbox. Links are complete only in emails that were not sent, so that admins can pass them on. */
export async function listMails({ db, user, config }: Ctx<User>, query: QueryOf<typeof mails.list>) {
  let rows = db
    .selectFrom("mails")
    .where(inScope(user, { company: "mails.companyId" }))
    .where((e) => e.or([e("reason", "not in", PRIVATE_REASONS), e("userId", "=", user.id)]));
  if (query.status) rows = rows.where("status", "=", query.status);
  if (query.q) rows = rows.where(searchFor(query.q, ["mails.recipient", "mails.subject"]));
  const { total } = await rows.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const items = await rows
    .select([
      "id",
      "recipient",
      "subject",
      sql<string>`case when status in ('queued', 'sent') then ${sql.raw(REDACTED_BODY)} else body end`.as("body"),
      "reason",
      "status",
      "error",
      "createdAt",
      "sentAt",
    ])
    .orderBy("createdAt", "desc")
    .orderBy("id")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  return { items, total, isSending: await hasMailServer({ db, config }) };
}

/** Sends all emails again that were not sent, in the scope of the user. Returns how many. */
export const retryMails = (ctx: Ctx<User>) =>
  inTransaction(ctx.db, async (tx) => {
    const failed = await tx
      .updateTable("mails")
      .set({ status: (await hasMailServer({ config: ctx.config, db: tx })) ? "queued" : "kept", error: null })
      .where("status", "=", "failed")
      .where(inScope(ctx.user, { company: "mails.companyId" }))
      .returning("id")
      .execute();
    for (const { id } of failed) await sendMail.enqueue(tx, { id }, { key: `mails:send ${id}` });
    await record(tx, ctx, { action: "mails.retry", details: { emails: failed.length } });
    return { changed: failed.length };
  });
