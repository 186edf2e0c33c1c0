import type { Db, Tx } from "#server/core/db.ts";
import type { Services } from "#server/core/services.ts";
import { renderMail } from "#server/mails/template.ts";
import { enqueueMail } from "#server/mails/service.ts";
import { readSettings } from "#server/settings/service.ts";
import { holdsAddress } from "#shared/users.ts";

type Sheet = Omit<Parameters<typeof renderMail>[0], "name" | "color">;
type Letter = { subject: string; sheet: Sheet };
const letter = (subject: string, sheet: Sheet): Letter => ({ subject, sheet });

/** Puts a letter about somebody's account into the outbox, in the academy's name and colour. */
export async function enqueueAccountMail(
  services: Services,
  tx: Db | Tx,
  to: { id: string; email: string; companyId: string | null },
  reason: `auth.${string}`,
  { subject, sheet }: Letter,
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
const hello = (name: string) => (name && !holdsAddress(name) ? `Hello ${name},` : "Hello,");

export const resetMail = ({ name, link }: { name: string; link: string }) =>
  letter("Set a new password", {
    paragraphs: [hello(name), "Somebody, most likely you, asked for a new password for your account."],
    button: { label: "Set a new password", url: link },
    footer:
      "The link works for one hour and only once. If you did not ask for it, ignore this mail: your password stays as it is.",
  });

export const useSsoMail = ({ name, company, link }: { name: string; company: string; link: string }) =>
  letter("How you log in", {
    paragraphs: [
      hello(name),
      `You asked for a new password. You have none here: you log in with your account at ${company}. Enter your email on the login page and go on from there.`,
    ],
    button: { label: "Login", url: link },
    footer: "If you did not ask for it, ignore this mail.",
  });

export const passwordChangedMail = ({ name, link }: { name: string; link: string }) =>
  letter("Your password was changed", {
    paragraphs: [
      hello(name),
      "The password of your account was changed just now. If that was you, there is nothing to do.",
    ],
    button: { label: "It was not me: set a new password", url: link },
    footer: "You get this mail because a changed password is something you should know about.",
  });

/** To the invited address when somebody completes the record; with a link while the mailbox has to be proven. */
export const activatedMail = ({ name, company, link }: { name: string; company: string; link: string | null }) =>
  letter("Your account was activated", {
    paragraphs: [
      hello(name),
      `Your account at ${company} was activated, and a password was chosen for it.`,
      link
        ? "Confirm that this is your mailbox; until then nobody can log in. If it was not you, say so on the same page."
        : "If it was you, there is nothing to do. If not, set a password of your own: it replaces the other one.",
    ],
    button: link ? { label: "Confirm your mailbox", url: link } : undefined,
    footer: link ? "The link works for three days and only once." : "You get this mail because you were invited.",
  } as Sheet);

export const factorResetMail = ({ name, link }: { name: string; link: string }) =>
  letter("Your second factor was removed", {
    paragraphs: [
      hello(name),
      "An admin removed the authenticator app, the recovery codes and the passkeys of your account, so that you can log in with your password alone and set them up again.",
    ],
    button: { label: "Login", url: link },
    footer: "If you did not ask for this, tell the person who runs training in your company.",
  });
