import type { Db } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { renderMail } from "#server/mails/template.ts";
import { readMailLogo } from "#server/mails/mailLogo.ts";
import { enqueueMail } from "#server/mails/service.ts";
import { readSettings } from "#server/settings/service.ts";
import { EMAIL_CHANGE_HOURS } from "#shared/auth/account.ts";
import { ADMIN_INVITATION_DAYS } from "#shared/auth/admins.ts";
import { containsLink } from "#shared/core/users.ts";

type AccountMailParts = Omit<Parameters<typeof renderMail>[0], "name" | "color" | "logo">;
type AccountMail = { subject: string; parts: AccountMailParts };
const accountMail = (subject: string, parts: AccountMailParts): AccountMail => ({ subject, parts });

/**
 * Queues an email about an account, in the academy's name and colour; none for a person without an address. `isQueued`:
 * a mail server sends it.
 */
export async function enqueueAccountMail(
  services: Services,
  tx: Db,
  to: { id: string; email: string | null; companyId: string | null },
  reason: `auth.${string}`,
  { subject, parts }: AccountMail,
) {
  if (to.email === null) return { isQueued: false };
  const { academyName: name, color } = await readSettings(tx);
  const logo = await readMailLogo(tx);
  return enqueueMail(services, tx, {
    recipient: to.email,
    userId: to.id,
    companyId: to.companyId,
    reason,
    subject,
    ...renderMail({ name, color, logo, ...parts }),
  });
}

// The account may have been created by someone who does not own the address, so its name may be spam.
const greeting = (name: string) => (name && !containsLink(name) ? `Hello ${name},` : "Hello,");

export const resetMail = ({ name, link }: { name: string; link: string }) =>
  accountMail("Set a new password", {
    paragraphs: [greeting(name), "Someone, most likely you, requested a new password for your account."],
    button: { label: "Set a new password", url: link },
    footer:
      "The link works once, within one hour. " +
      "If you did not request it, ignore this email. Your password stays unchanged.",
  });

export const useSsoMail = ({ name, company, link }: { name: string; company: string; link: string }) =>
  accountMail("How you log in", {
    paragraphs: [
      greeting(name),
      `You requested a new password, but you log in with your ${company} account and have no password here. ` +
        "Enter your email address on the login page to continue.",
    ],
    button: { label: "Log in", url: link },
    footer: "If you did not request this, ignore this email.",
  });

export const passwordChangedMail = ({ name, link }: { name: string; link: string }) =>
  accountMail("Your password was changed", {
    paragraphs: [
      greeting(name),
      "The password of your account has just been changed. " +
        "If that was you, no action is needed. If not, set a new password immediately.",
    ],
    button: { label: "Set a new password", url: link },
    footer: "We send this email whenever a password is changed.",
  });

/** Sent to the address of an account when it is activated; with a link if the address must be verified. */
export const activatedMail = ({ name, company, link }: { name: string; company: string; link: string | null }) =>
  accountMail("Your account was activated", {
    paragraphs: [
      greeting(name),
      `Your account at ${company} was activated and a password was set.`,
      link
        ? "Confirm that this is your email address. Until then, nobody can log in. " +
          "If it was not you, you can reject it on the same page."
        : "If that was you, no action is needed. If not, set a new password, which replaces that one.",
    ],
    button: link ? { label: "Confirm your email address", url: link } : undefined,
    footer: link ? "The link works once, within three days." : "You receive this email because you were invited.",
  } as AccountMailParts);

export const factorResetMail = ({ name, link }: { name: string; link: string }) =>
  accountMail("Your second factor was removed", {
    paragraphs: [
      greeting(name),
      "An admin removed the authenticator app, recovery codes and passkeys of your account. " +
        "You can log in with your password alone and set them up again.",
    ],
    button: { label: "Log in", url: link },
    footer: "If you did not request this, contact another admin.",
  });

type AdminInvitation = { name: string; academy: string; by: { name: string; email: string | null }; link: string };
export const adminInvitationMail = ({ name, academy, by, link }: AdminInvitation) =>
  accountMail(`You are invited as an admin of ${academy}`, {
    paragraphs: [
      greeting(name),
      `${by.name || by.email} invites you to run ${academy} as an admin. ` +
        "Choose a password to accept. You can then change everything there.",
    ],
    button: { label: "Set your password", url: link },
    footer: `The link works once, within ${ADMIN_INVITATION_DAYS} days. If you did not expect this email, ignore it.`,
  });

export const adminRemovedMail = ({ name }: { name: string }) =>
  accountMail("You are no longer an admin", {
    paragraphs: [greeting(name), "Another admin has removed your access. You can no longer log in."],
    footer: "If you did not expect this, contact the other admins.",
  });

/** Sent to the new address. */
export const newEmailMail = ({ name, link }: { name: string; link: string }) =>
  accountMail("Confirm your new email address", {
    paragraphs: [
      greeting(name),
      "You asked to log in with this email address from now on. Confirm that it is yours. " +
        "Until then, you log in with your previous one.",
    ],
    button: { label: "Confirm your email address", url: link },
    footer: `The link works once, within ${EMAIL_CHANGE_HOURS} hours. If this was not you, ignore this email.`,
  });

/** Sent to the previous address. Does not name the new one, because someone else may read that mailbox. */
export const emailChangedMail = ({ name }: { name: string }) =>
  accountMail("Your email address was changed", {
    paragraphs: [
      greeting(name),
      "Your account now has another email address, and you no longer log in with this one. " +
        "If that was you, no action is needed.",
    ],
    footer: "If it was not you, contact another admin immediately.",
  });
