import type { Readable } from "node:stream";
import { FileAnswer } from "#server/core/export/exportRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { INK, PdfReport } from "#server/core/pdf/pdfDocument.ts";
import { longDay } from "#server/core/pdf/pdfFormats.ts";
import { readMeasures } from "#server/measures/service.ts";
import { readSettings } from "#server/settings/service.ts";
import { measuredKinds } from "#shared/core/measuredKinds.ts";
import type { User } from "#shared/core/users.ts";
import texts from "#shared/locales/en/measures.json" with { type: "json" };
import { settingLines } from "#shared/measures/measuresText.ts";
import { fillText } from "#shared/variables/templates.ts";

const words = texts.pdf;

const textAt = (key: string) => {
  const [group = "", name = ""] = key.split(".");
  return (texts.settings as Record<string, Record<string, string>>)[group]?.[name] ?? "";
};

/** What a company measures, as tagged PDF. The settings that are changed elsewhere are those of today. */
export async function sendMeasures(ctx: Ctx<User>, companyId: string, version?: number) {
  const measured = await readMeasures(ctx, companyId, version);
  const { company, zone, choices, settings, reason } = measured;
  const { academyName } = await readSettings(ctx.db);
  const today = longDay(new Date().toISOString(), zone);
  const { since, version: number } = measured;
  const line =
    since === null ? texts.neverChanged : fillText(texts.version, { version: number, day: longDay(since, zone) });
  const pdf = new PdfReport(`${texts.title}: ${company}`, academyName);
  pdf.heading(1, texts.title);
  pdf.paragraph(company, { size: 12, color: INK, gap: 4 });
  pdf.paragraph(`${line} ${fillText(words.printed, { day: today })}`, { gap: reason ? 4 : 14 });
  if (reason) pdf.paragraph(fillText(texts.reasonIs, { reason }), { gap: 14 });
  pdf.heading(2, texts.choicesTitle);
  await pdf.table(
    [
      { head: words.what, width: 0.2 },
      { head: words.who, width: 0.18 },
      { head: words.means, width: 0.62 },
    ],
    measuredKinds.map((kind) => [
      { text: texts.kinds[kind].name, bold: true },
      { text: texts.who[choices[kind]] },
      { text: texts.kinds[kind].about },
    ]),
  );
  pdf.paragraph(fillText(texts.smallestIs, { n: choices.smallestGroup }), { gap: 8 });
  pdf.paragraph(texts.managersNever, { gap: 8 });
  pdf.heading(2, texts.settingsTitle);
  for (const { key, values } of settingLines(settings)) pdf.paragraph(fillText(textAt(key), { ...values }), { gap: 4 });
  pdf.heading(2, texts.notCoveredTitle);
  for (const text of Object.values(texts.notCovered)) pdf.paragraph(text, { gap: 4 });
  pdf.finish([texts.title, `${academyName}, ${today}`], (page, pages) => [
    company,
    line,
    fillText(words.page, { page, pages }),
  ]);
  return new FileAnswer(
    `what-is-measured-${number}.pdf`,
    "application/pdf",
    pdf.doc as unknown as Readable,
    measuredKinds.length,
  );
}
