import { escapeHtml } from "#server/core/rendering/html.ts";
import { brandShades } from "#shared/settings/branding.ts";

/** Text for both formats, or one version for HTML and one for plain text. */
export type MailContent = string | { html: string; text: string };

type MailParts = {
  paragraphs: MailContent[];
  /** Labels and values, one per line. */ facts?: [string, string][];
  /** An attached image by its `cid`, with alternative text. */ picture?: {
    cid: string;
    alt: string;
  };
  button?: { label: string; url: string };
  footer: MailContent;
  color?: string | null;
  name: string;
};

/** Renders an email as plain text and HTML. All input is plain text and is escaped. */
export function renderMail({ paragraphs, facts = [], picture, button, footer, color, name }: MailParts) {
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
  const fill = color ? brandShades(color).shades[7] : "#0f5763";
  const buttonHtml = button
    ? `<p style="margin:24px 0"><a href="${escapeHtml(button.url)}" style="background:${fill};color:#ffffff;padding:12px 20px;border-radius:7px;text-decoration:none;font-weight:600">${escapeHtml(button.label)}</a></p>`
    : "";
  const rows = facts
    .map(
      ([label, value]) =>
        `<tr><td style="color:#566460;padding:0 16px 6px 0;vertical-align:top">${escapeHtml(label)}</td><td style="padding:0 0 6px">${escapeHtml(value)}</td></tr>`,
    )
    .join("");
  const table = rows
    ? `<table role="presentation" style="border-collapse:collapse;margin:0 0 16px">${rows}</table>`
    : "";
  const imageHtml = picture
    ? `<p style="margin:0 0 16px"><img src="cid:${escapeHtml(picture.cid)}" alt="${escapeHtml(picture.alt)}" width="200" height="200" style="display:block"></p>`
    : "";
  const html = `<!doctype html><html lang="en"><body style="margin:0;background:#f1f4f3;font:16px/1.5 system-ui,'Segoe UI',Roboto,sans-serif;color:#15201e">
<div style="max-width:560px;margin:0 auto;padding:32px 16px"><p style="font-weight:650;font-size:18px;margin:0 0 16px">${escapeHtml(name)}</p>
<div style="background:#ffffff;border-radius:12px;padding:28px">${text}${table}${imageHtml}${buttonHtml}</div>
<p style="color:#566460;font-size:13px;margin:16px 0">${rich(footer)}</p></div></body></html>`;
  return { body, html };
}
