import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { Verdict } from "#web/certificates/verify/Verdict.tsx";
import page from "#web/certificates/verify/verify.module.css";
import { queryFor } from "#web/core/api/api.ts";
import { Heading } from "#web/core/layout/Heading.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { TranscriptSheet } from "#web/transcripts/TranscriptSheet.tsx";
import { transcripts } from "#shared/transcripts/transcripts.ts";

/** `/transcripts/{token}`: a transcript for everyone who has its link. Without an account. */
export function SharedTranscriptPage() {
  const { token = "" } = useParams();
  const user = useUser();
  const { data, error } = useQuery(queryFor(transcripts.open, { params: { token } }));
  const { t } = useTranslation();
  if (error && !data) throw error;
  return (
    <div className={page.page} data-inside={user !== null || undefined}>
      {data === undefined && <PageSkeleton />}
      {data === null && <Gone />}
      {data && (
        <>
          <Heading title={t("transcripts.shared.title")}>
            <bdi>{data.facts.holder}</bdi>
          </Heading>
          <TranscriptSheet transcript={data} />
        </>
      )}
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
