import type { Db, Tx } from "#server/core/db.ts";
import type { Services } from "#server/core/services.ts";
import { renderMail } from "#server/mails/template.ts";
import { enqueueMail } from "#server/mails/service.ts";
import { readSettings } from "#server/settings/service.ts";
import { containsLink } from "#shared/users.ts";

type AccountMailParts = Omit<Parameters<typeof renderMail>[0], "name" | "color">;
type AccountMail = { subject: string; sheet: AccountMailParts };
const accountMail = (subject: string, sheet: AccountMailParts): AccountMail => ({ subject, sheet });

/** Puts a letter about somebody's account into the outbox, in the academy's name and colour. */
export async function enqueueAccountMail(
  services: Services,
  tx: Db | Tx,
  to: { id: string; email: string; companyId: string | null },
  reason: `auth.${string}`,
  { subject, sheet }: AccountMail,
) {
  const { academyName: name, color } = await readSettings(tx);
  await enqueueMail(services, tx, {
    recipient: to.email,
    userId: to.id,
    companyId: to.companyId,
    reason,
    subject,
    ...renderMail({ name, color, ...sheet }),
  });
}

// The account may be of somebody who is not the owner of the address.
const greeting = (name: string) => (name && !containsLink(name) ? `Hello ${name},` : "Hello,");

export const resetMail = ({ name, link }: { name: string; link: string }) =>
  accountMail("Set a new password", {
    paragraphs: [greeting(name), "Somebody, most likely you, asked for a new password for your account."],
    button: { label: "Set a new password", url: link },
    footer:
      "The link works for one hour and only once. If you did not ask for it, ignore this mail: your password stays as it is.",
  });

export const useSsoMail = ({ name, company, link }: { name: string; company: string; link: string }) =>
  accountMail("How you log in", {
    paragraphs: [
      greeting(name),
      `You asked for a new password. You have none here: you log in with your account at ${company}. Enter your email on the login page and go on from there.`,
    ],
    button: { label: "Login", url: link },
    footer: "If you did not ask for it, ignore this mail.",
  });

export const passwordChangedMail = ({ name, link }: { name: string; link: string }) =>
  accountMail("Your password was changed", {
    paragraphs: [
      greeting(name),
      "The password of your account was changed just now. If that was you, there is nothing to do.",
    ],
    button: { label: "It was not me: set a new password", url: link },
    footer: "You get this mail because a changed password is something you should know about.",
  });

/** To the invited address when somebody completes the record; with a link while the mailbox has to be proven. */
export const activatedMail = ({ name, company, link }: { name: string; company: string; link: string | null }) =>
  accountMail("Your account was activated", {
    paragraphs: [
      greeting(name),
      `Your account at ${company} was activated, and a password was chosen for it.`,
      link
        ? "Confirm that this is your mailbox; until then nobody can log in. If it was not you, say so on the same page."
        : "If it was you, there is nothing to do. If not, set a password of your own: it replaces the other one.",
    ],
    button: link ? { label: "Confirm your mailbox", url: link } : undefined,
    footer: link ? "The link works for three days and only once." : "You get this mail because you were invited.",
  } as AccountMailParts);

export const factorResetMail = ({ name, link }: { name: string; link: string }) =>
  accountMail("Your second factor was removed", {
    paragraphs: [
      greeting(name),
      "An admin removed the authenticator app, the recovery codes and the passkeys of your account, so that you can log in with your password alone and set them up again.",
    ],
    button: { label: "Login", url: link },
    footer: "If you did not ask for this, tell the person who runs training in your company.",
  });
