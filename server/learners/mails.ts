import { renderMail } from "#server/mails/template.ts";

type Invitation = { name: string; company: string; color: string | null; link: string; days: number };

export function invitationMail({ name, company, color, link, days }: Invitation) {
  const subject = `${company} invites you to learn`;
  const content = renderMail({
    name: company,
    color,
    paragraphs: [
      name ? `Hello ${name},` : "Hello,",
      `${company} has created an account for you. ` +
        "Choose a password to start your courses. You can continue them on any device.",
    ],
    button: { label: "Set your password", url: link },
    footer: `The link works once, within ${days} days. If you did not expect this email, ignore it.`,
  });
  return { subject, ...content };
}
