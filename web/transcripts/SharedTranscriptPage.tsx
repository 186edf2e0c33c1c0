import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { Verdict } from "#web/certificates/verify/Verdict.tsx";
import page from "#web/certificates/verify/verify.module.css";
import { queryFor } from "#web/core/api/api.ts";
import { formatDate, formatDateIn } from "#web/core/format/format.ts";
import { Heading } from "#web/core/layout/Heading.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { useUser } from "#web/core/session/session.tsx";
import classes from "#web/transcripts/transcripts.module.css";
import { TranscriptView } from "#web/transcripts/TranscriptView.tsx";
import { type CheckedTranscript, transcripts } from "#shared/transcripts/transcripts.ts";

/** `/transcripts/{token}`: a transcript for everyone who has its link. Without an account. */
export function SharedTranscriptPage() {
  const { token = "" } = useParams();
  const user = useUser();
  const { data, error } = useQuery(queryFor(transcripts.open, { params: { token } }));
  if (error) throw error;
  return (
    <div className={page.page} data-inside={user !== null || undefined}>
      {data === undefined && <PageSkeleton />}
      {data === null && <Gone />}
      {data && <Shared transcript={data} />}
    </div>
  );
}

function Gone() {
  const { t } = useTranslation();
  return (
    <div className={page.question}>
      <Verdict tone="unknown" title={t("transcripts.shared.gone")} text={t("transcripts.shared.goneText")} />
      <p className={page.text}>
        <Anchor component={Link} to="/verify">
          {t("transcripts.shared.toVerify")}
        </Anchor>
      </p>
    </div>
  );
}

function Shared({ transcript }: { transcript: CheckedTranscript }) {
  const { t } = useTranslation();
  const { holder, issuer, number, issuedAt, zone, entries } = transcript.facts;
  const differing = transcript.states.filter((state) => state !== "same").length;
  const [tone, title, text] = verdictOf();
  return (
    <>
      <div className={classes.about}>
        <Heading>
          <bdi>{holder}</bdi>
        </Heading>
        <p className={page.dim}>
          {t("transcripts.shared.line", { issuer, number, day: formatDateIn(issuedAt, zone) })}
          {transcript.until && ` · ${t("transcripts.shared.until", { day: formatDate(transcript.until) })}`}
        </p>
      </div>
      <Verdict tone={tone} title={title} text={text} isPart />
      <TranscriptView transcript={transcript} />
    </>
  );

  function verdictOf() {
    if (!transcript.isUnchanged)
      return ["revoked", t("transcripts.shared.broken"), t("transcripts.shared.brokenText")] as const;
    if (differing === 0)
      return [
        "valid",
        t("transcripts.shared.same"),
        t("transcripts.shared.sameText", { count: entries.length, issuer }),
      ] as const;
    return [
      "expired",
      t("transcripts.shared.differs"),
      t("transcripts.shared.differsText", { count: differing, issuer }),
    ] as const;
  }
}
