import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { announceChange } from "#server/core/live/announcements.ts";
import type { Services } from "#server/core/services.ts";
import { enqueueMail } from "#server/mails/service.ts";
import { readMailLogo } from "#server/mails/mailLogo.ts";
import { renderMail } from "#server/mails/template.ts";
import { readSettings } from "#server/settings/service.ts";
import texts from "#shared/locales/en/notifications.json" with { type: "json" };
import { type Notification, type NotificationKind, notificationKinds } from "#shared/notifications/notifications.ts";
import { fillText } from "#shared/variables/templates.ts";

type Occasion = {
  /** Ids of users, all active admins, or the responsible admin (all admins, if that person is no active admin). */
  to: string[] | "admins" | { responsible: string | null };
  /** Notifies only admins who see rows of this company (null: rows without a company). By default, of every scope. */
  companyId?: string | null;
  kind: NotificationKind;
  /** Values of the text; names and numbers, no secrets. `count` selects the plural form. */
  params: Notification["params"];
  /** The path of the page that the notification opens. */
  link: string;
  /** Identifies the occasion: a person is notified of it once. */
  key: string;
};

const plurals = new Intl.PluralRules("en");
/** A text of a kind with its values filled in; `count` selects the singular or plural. */
function textOf(kind: NotificationKind, part: "title" | "text", params: Notification["params"]) {
  const forms: Record<string, string> = texts.kinds[kind];
  const form = typeof params.count === "number" ? `${part}_${plurals.select(params.count)}` : part;
  return fillText(forms[form] ?? forms[part] ?? "", params);
}

/** Notifies people in the caller's transaction: in the app and by email, as each of them has chosen. */
export async function notify(services: Services, tx: Db, { to, companyId: of, kind, params, link, key }: Occasion) {
  let people = tx
    .selectFrom("users")
    .leftJoin("notificationChoices as choice", (join) =>
      join.onRef("choice.userId", "=", "users.id").on("choice.kind", "=", kind),
    )
    .where("users.status", "=", "active");
  if (Array.isArray(to)) people = people.where(isOneOf("users.id", to));
  else {
    people = people.where("users.role", "=", "admin");
    if (of !== undefined)
      people = people.where((e) => e.or([e("users.companyId", "is", null), e("users.companyId", "=", of)]));
    const named = to === "admins" ? null : to.responsible;
    const responsible = people.where("users.id", "=", named);
    if (named && (await responsible.select("users.id").executeTakeFirst())) people = responsible;
  }
  const recipients = await people
    .select([
      "users.id",
      "users.email",
      "users.companyId",
      sql<boolean>`coalesce(choice.is_shown, ${notificationKinds[kind].isShown})`.as("isShown"),
      sql<boolean>`coalesce(choice.is_mailed, ${notificationKinds[kind].isMailed})`.as("isMailed"),
    ])
    .execute();
  if (recipients.length === 0) return;
  const added = await tx
    .insertInto("notifications")
    .values(
      recipients.map(({ id, isShown }) => ({ userId: id, kind, params: JSON.stringify(params), link, key, isShown })),
    )
    .onConflict((conflict) => conflict.columns(["userId", "key"]).doNothing())
    .returning("userId")
    .execute();
  const isNew = new Set(added.map(({ userId }) => userId));
  const { academyName, color } = await readSettings(tx);
  const logo = await readMailLogo(tx);
  const [title, text] = [textOf(kind, "title", params), textOf(kind, "text", params)];
  for (const { id, email, companyId, isMailed } of recipients.filter(({ id }) => isNew.has(id))) {
    await announceChange(tx, { domain: "notifications", userId: id });
    if (!isMailed || !email) continue;
    const mail = renderMail({
      name: academyName,
      color,
      logo,
      paragraphs: [title, text],
      button: { label: texts.mail.button, url: services.config.publicUrl + link },
      footer: texts.mail.footer,
    });
    await enqueueMail(services, tx, {
      recipient: email,
      userId: id,
      companyId,
      subject: title,
      reason: `notifications.${kind}`,
      ...mail,
    });
  }
}
