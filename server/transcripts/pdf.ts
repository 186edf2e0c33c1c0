import type { Readable } from "node:stream";
import qrcode from "qrcode";
import { type Column, INK, PdfReport } from "#server/core/pdf/pdfDocument.ts";
import { calendarDay, counted, duration, longDay, percent } from "#server/core/pdf/pdfFormats.ts";
import texts from "#shared/locales/en/transcripts.json" with { type: "json" };
import { elsewhereText, transcriptTotals } from "#shared/transcripts/transcriptFile.ts";
import type { TranscriptEntry, TranscriptFacts } from "#shared/transcripts/transcripts.ts";
import { fillText } from "#shared/variables/templates.ts";

type Input = {
  facts: TranscriptFacts;
  digest: string;
  link: { url: string; lastDay: string } | null;
  academy: string;
};
/** A column and the text of its cells; it takes a share of the width. */
type Drawn = Column & { cellOf: (entry: TranscriptEntry) => string };

const { pdf: words, columns } = texts;

/** A transcript as tagged PDF, with a code that leads to its link while it is shared. */
export async function drawTranscript({ facts, digest, link, academy }: Input): Promise<Readable> {
  const { number, holder, issuer, zone, issuedAt, total } = facts;
  const issued = longDay(issuedAt, zone);
  const pdf = new PdfReport(fillText(words.title, { holder }), academy);
  pdf.heading(1, holder);
  pdf.paragraph(fillText(words.line, { issuer, day: issued }), { size: 11, color: INK });
  const { completed, active, reported } = transcriptTotals(facts);
  pdf.ledger([
    { label: texts.totals.completed, value: counted(completed), note: "" },
    ...(active === null ? [] : [{ label: texts.totals.active, value: duration(active), note: "" }]),
    ...(reported === null ? [] : [{ label: texts.totals.reported, value: duration(reported), note: "" }]),
  ]);
  pdf.heading(2, words.completed);
  if (total > facts.entries.length)
    pdf.paragraph(fillText(words.limited, { shown: counted(facts.entries.length), n: counted(total) }));
  const drawn = columnsOf(facts);
  await pdf.table(
    drawn,
    facts.entries.map((entry) => drawn.map(({ cellOf }, n) => ({ text: cellOf(entry), bold: n === 0 }))),
  );
  if (facts.entries.some(({ setByAdmin }) => setByAdmin)) pdf.paragraph(words.setByAdmin);
  if (facts.withTimes) pdf.paragraph(words.times);
  pdf.heading(2, words.check);
  if (link)
    pdf.code(
      qrcode.create(link.url, { errorCorrectionLevel: "M" }).modules,
      link.url,
      fillText(words.checkText, { day: calendarDay(link.lastDay), issuer, digest }),
    );
  else pdf.paragraph(fillText(words.noLink, { digest }));
  pdf.finish([words.head, issued], (page, pages) => [
    number,
    `sha256 ${(digest.slice(0, 16).match(/.{4}/g) ?? []).join(" ")}`,
    fillText(words.page, { page, pages }),
  ]);
  return pdf.doc as unknown as Readable;
}

function columnsOf({ withScores, withTimes }: TranscriptFacts): Drawn[] {
  const fixed: Drawn[] = [
    { head: columns.completed, width: 0.12, cellOf: (entry) => calendarDay(entry.completedOn) },
    { head: columns.result, width: 0.115, cellOf: (entry) => texts.results[entry.success] },
    ...(withScores ? [{ head: columns.score, width: 0.08, align: "right", cellOf: scoreOf } satisfies Drawn] : []),
    ...(withTimes
      ? [
          { head: columns.active, width: 0.1, align: "right", cellOf: activeOf } satisfies Drawn,
          { head: columns.reported, width: 0.1, align: "right", cellOf: reportedOf } satisfies Drawn,
        ]
      : []),
    { head: columns.validUntil, width: 0.12, cellOf: (entry) => calendarDay(entry.validUntil) },
    { head: columns.certificate, width: 0.165, cellOf: (entry) => entry.certificate ?? "" },
  ];
  const left = 1 - fixed.reduce((sum, { width }) => sum + width, 0);
  return [{ head: columns.course, width: left, cellOf: courseOf }, ...fixed];
}

const scoreOf = ({ scorePercent }: TranscriptEntry) => (scorePercent === null ? "" : percent(scorePercent));
const activeOf = ({ activeSeconds }: TranscriptEntry) => duration(activeSeconds);
const reportedOf = ({ reportedSeconds }: TranscriptEntry) => duration(reportedSeconds);
const courseOf = ({ course, code, setByAdmin, elsewhere }: TranscriptEntry) =>
  [`${course}${setByAdmin ? " *" : ""}`, code, elsewhere === undefined ? "" : elsewhereText(elsewhere)]
    .filter(Boolean)
    .join("\n");
