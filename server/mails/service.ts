import { sql } from "kysely";
import { createTransport, type Transporter } from "nodemailer";
import { z } from "zod";
import type { Db, Tx } from "#server/core/db.ts";
import type { Ctx } from "#server/core/http.ts";
import { job } from "#server/core/jobs.ts";
import { type Listing, searchFor } from "#server/core/listing.ts";
import type { Services } from "#server/core/services.ts";
import type { Mail } from "#shared/mails.ts";
import type { User } from "#shared/users.ts";

/** What goes with a letter, in base64. `cid`: a picture that its HTML shows. `method`: an entry for calendars, which mail programs act on. */
export type Attachment = { name: string; type: string; content: string; cid?: string; method?: "REQUEST" | "CANCEL" };
/** One letter: plain text and its twin in HTML, and why it was written. `registrationId` is the row it goes with, and goes away with. */
export type MailInput = {
  recipient: string;
  userId: string | null;
  companyId: string | null;
  subject: string;
  body: string;
  html: string;
  reason: string;
  attachments?: Attachment[];
  replyTo?: string | null;
  registrationId?: string | null;
};

let transport: Transporter | null = null;

/** Puts a letter into the outbox, in the caller's transaction; with a mail server it is sent by a job, otherwise kept for admins to read. */
export async function enqueueMail(services: Services, tx: Db | Tx, { attachments = [], ...letter }: MailInput) {
  const status = services.config.smtpUrl ? "queued" : "kept";
  const { id } = await tx
    .insertInto("mails")
    .values({ ...letter, attachments: JSON.stringify(attachments), status })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (status === "queued") await sendMail.enqueue(tx, { id });
}

export const sendMail = job("mails:send", z.object({ id: z.uuid() }), async ({ db, config }, { id }) => {
  const letter = await db
    .selectFrom("mails")
    .where("id", "=", id)
    .where("status", "in", ["queued", "failed"])
    .selectAll()
    .executeTakeFirst();
  if (!letter || !config.smtpUrl) return;
  transport ??= createTransport(config.smtpUrl);
  try {
    await transport.sendMail({
      from: config.mailFrom,
      to: letter.recipient,
      subject: letter.subject,
      text: letter.body,
      html: letter.html,
      messageId: `<${id}@lyceum>`,
      ...(letter.replyTo && { replyTo: letter.replyTo }),
      ...toMailerAttachments(letter.attachments as unknown as Attachment[]),
    });
  } catch (error) {
    await db
      .updateTable("mails")
      .set({ status: "failed", error: (error as Error).message.slice(0, 500) })
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

/** Calendar entries become a part of the text, `text/calendar; method=…`, which is what mail programs look for. */
function toMailerAttachments(attachments: Attachment[]) {
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

/** Takes away every letter about these rows: their people are forgotten. */
export const deleteRegistrationMails = (tx: Db | Tx, registrationIds: string[]) =>
  tx.deleteFrom("mails").where("registrationId", "in", registrationIds).execute();

/** The words of a letter as SQL, with `…` in the place of every key to an account or a registration that its links carry. */
export const REDACTED_BODY = `regexp_replace(body, '((invitation|token|code)=|/events/registration/)[^[:space:]]+', '\\1…', 'g')`;

/** The outbox. Links are there to be passed on by hand where no mail server takes the letter; from one that goes its own way they are left out. */
export async function listMails({ db }: Ctx<User>, query: Listing & { status?: Mail["status"] }) {
  let rows = db.selectFrom("mails");
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
  return { items, total };
}
