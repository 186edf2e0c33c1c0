import { renderMail } from "#server/mails/template.ts";

type Invitation = { name: string; company: string; color: string | null; link: string; days: number };

export function invitationMail({ name, company, color, link, days }: Invitation) {
  const subject = `${company} invites you to learn`;
  const sheet = renderMail({
    name: company,
    color,
    paragraphs: [
      name ? `Hello ${name},` : "Hello,",
      `${company} has set up an account for you. Choose a password and start with your courses; your place is kept on every device.`,
    ],
    button: { label: "Set your password", url: link },
    footer: `The link works for ${days} days and only once. If you did not expect this mail, ignore it: without the link nothing happens.`,
  });
  return { subject, ...sheet };
}
