import { escapeHtml } from "#server/core/rendering/html.ts";
import { logoImage, type MailLogo } from "#server/mails/mailLogo.ts";
import { brandShades } from "#shared/settings/brandColors.ts";

/** Text for both formats, or one version for HTML and one for plain text. */
export type MailContent = string | { html: string; text: string };

type MailParts = {
  paragraphs: MailContent[];
  /** Labels and values, one per line. */
  facts?: [string, string][];
  /** An attached image by its `cid`, with alternative text. */
  picture?: { cid: string; alt: string };
  button?: { label: string; url: string };
  footer: MailContent;
  color?: string | null;
  name: string;
  /** Shown instead of the name. */
  logo?: MailLogo;
};

/** Renders an email as plain text and HTML. All input is plain text and is escaped. */
export function renderMail({ paragraphs, facts = [], picture, button, footer, color, name, logo }: MailParts) {
  const plain = (content: MailContent) => (typeof content === "string" ? content : content.text);
  const rich = (content: MailContent) => escapeHtml(typeof content === "string" ? content : content.html);
  const body = [
    ...paragraphs.map(plain),
    ...(facts.length > 0 ? [facts.map(([label, value]) => `${label}: ${value}`).join("\n")] : []),
    ...(picture ? [picture.alt] : []),
    ...(button ? [`${button.label}: ${button.url}`] : []),
    "--",
    plain(footer),
  ].join("\n\n");
  const text = paragraphs.map((p) => `<p style="margin:0 0 16px;white-space:pre-line">${rich(p)}</p>`).join("");
  const rows = facts
    .map(
      ([label, value]) =>
        `<tr><td style="${STYLES.label}">${escapeHtml(label)}</td>` +
        `<td style="padding:0 0 6px">${escapeHtml(value)}</td></tr>`,
    )
    .join("");
  const table = rows
    ? `<table role="presentation" style="border-collapse:collapse;margin:0 0 16px">${rows}</table>`
    : "";
  const content = [text, table, imageOf(picture), buttonOf(button, color)].join("");
  const head = logo ? logoImage(logo, name) : escapeHtml(name);
  const html = `<!doctype html><html lang="en"><body style="${STYLES.body}">
<div style="max-width:560px;margin:0 auto;padding:32px 16px"><div style="${STYLES.name}">${head}</div>
<div style="background:#ffffff;border-radius:12px;padding:28px">${content}</div>
<p style="color:#566460;font-size:13px;margin:16px 0">${rich(footer)}</p></div></body></html>`;
  return { body, html };
}

/** Mail clients apply inline styles only. */
const STYLES = {
  body: "margin:0;background:#f1f4f3;font:16px/1.5 system-ui,'Segoe UI',Roboto,sans-serif;color:#15201e",
  name: "font-weight:650;font-size:18px;margin:0 0 16px",
  label: "color:#566460;padding:0 16px 6px 0;vertical-align:top",
  button: "color:#ffffff;padding:12px 20px;border-radius:7px;text-decoration:none;font-weight:600",
};

function imageOf(picture: MailParts["picture"]) {
  if (!picture) return "";
  const [cid, alt] = [escapeHtml(picture.cid), escapeHtml(picture.alt)];
  const image = `<img src="cid:${cid}" alt="${alt}" width="200" height="200" style="display:block">`;
  return `<p style="margin:0 0 16px">${image}</p>`;
}

function buttonOf(button: MailParts["button"], color: MailParts["color"]) {
  if (!button) return "";
  const fill = color ? brandShades(color).shades[7] : "#0f5763";
  const style = `background:${fill};${STYLES.button}`;
  const link = `<a href="${escapeHtml(button.url)}" style="${style}">${escapeHtml(button.label)}</a>`;
  return `<p style="margin:24px 0">${link}</p>`;
}
