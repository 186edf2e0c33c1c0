import { useTranslation } from "react-i18next";
import { Verdict } from "#web/certificates/verify/Verdict.tsx";
import { formatDate, formatDateIn } from "#web/core/format/format.ts";
import classes from "#web/transcripts/transcripts.module.css";
import { TranscriptView } from "#web/transcripts/TranscriptView.tsx";
import type { CheckedTranscript } from "#shared/transcripts/transcripts.ts";

/** A transcript below the name of its holder: who issued it, whether the records of today agree, and its entries. */
export function TranscriptSheet({ transcript }: { transcript: CheckedTranscript }) {
  const { t } = useTranslation();
  const { issuer, number, issuedAt, zone } = transcript.facts;
  return (
    <>
      <p className={classes.about}>
        {t("transcripts.shared.line", { issuer, number, day: formatDateIn(issuedAt, zone) })}
        {transcript.lastDay && ` · ${t("transcripts.shared.until", { day: formatDate(transcript.lastDay) })}`}
      </p>
      <Result transcript={transcript} />
      <TranscriptView transcript={transcript} />
    </>
  );
}

function Result({ transcript: { facts, states, isUnchanged } }: { transcript: CheckedTranscript }) {
  const { t } = useTranslation();
  const { issuer, entries } = facts;
  const differing = states.filter((state) => state !== "same").length;
  const textOf = (kind: "same" | "differs", count: number) => ({
    title: t(`transcripts.shared.${kind}`),
    text: t(`transcripts.shared.${kind}Text`, { count, issuer }),
  });
  if (!isUnchanged)
    return (
      <Verdict tone="revoked" title={t("transcripts.shared.broken")} text={t("transcripts.shared.brokenText")} isPart />
    );
  if (differing > 0) return <Verdict tone="expired" {...textOf("differs", differing)} isPart />;
  return <Verdict tone="valid" {...textOf("same", entries.length)} isPart />;
}
