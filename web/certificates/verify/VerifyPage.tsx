import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { Found } from "#web/certificates/verify/Found.tsx";
import { NumberForm } from "#web/certificates/verify/NumberForm.tsx";
import { Verdict } from "#web/certificates/verify/Verdict.tsx";
import classes from "#web/certificates/verify/verify.module.css";
import { queryFor } from "#web/core/api/api.ts";
import { Heading } from "#web/core/layout/Heading.tsx";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { useUser } from "#web/core/session/session.tsx";
import { certificates } from "#shared/certificates/certificates.ts";

/** `/verify` and `/verify/{number}`: whether a certificate was issued, and what it says. Without an account. */
export function VerifyPage() {
  const { number } = useParams();
  const user = useUser();
  return (
    <div className={classes.page} data-inside={user !== null || undefined}>
      {number ? <Answer key={number} number={number} /> : <Question />}
    </div>
  );
}

function Question() {
  const { t } = useTranslation();
  return (
    <div className={classes.question}>
      <Heading>{t("certificates.verify.title")}</Heading>
      <p className={classes.dim}>{t("certificates.verify.text")}</p>
      <NumberForm />
    </div>
  );
}

function Answer({ number }: { number: string }) {
  const { t } = useTranslation();
  const { data, error } = useQuery(queryFor(certificates.verify, { params: { number } }));
  if (error) throw error;
  if (data === undefined) return <PageSkeleton />;
  if (data) return <Found certificate={data} />;
  return (
    <div className={classes.question}>
      <Verdict
        tone="unknown"
        title={t("certificates.verify.unknown")}
        text={t(/^t[-– ]/i.test(number) ? "certificates.verify.transcript" : "certificates.verify.unknownText")}
      />
      <NumberForm />
    </div>
  );
}
