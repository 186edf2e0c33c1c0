import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/certificates/certificates.module.css";
import { savePdf } from "#web/certificates/downloads.ts";
import { queryFor } from "#web/core/api/api.ts";
import { formatDate } from "#web/core/format/format.ts";
import { AsideCard } from "#web/core/layout/AsideCard.tsx";
import { certificates } from "#shared/certificates/certificates.ts";

const newestOf = (courseId: string) => queryFor(certificates.mine, { query: { courseId, size: 1 } });

/** On the page of a course: an open arch until the certificate is there, then the certificate. */
export function CertificateCard({ courseId }: { courseId: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(certificates.offer, { params: { courseId } }));
  const { earned, offer } = data ?? {};
  if (!earned && !offer) return null;
  return (
    <div className={classes.aside}>
      <AsideCard title={t("certificates.card.title")}>
        <div className={classes.cardHead}>
          <span className={classes.arch} data-state={earned?.state ?? "open"} aria-hidden />
          {earned ? (
            <div>
              <p>{earned.number}</p>
              <p className={classes.dim}>
                {earned.validUntil
                  ? t("certificates.verify.validUntil", { day: formatDate(earned.validUntil) })
                  : t("certificates.verify.noEnd")}
              </p>
            </div>
          ) : (
            <p className={classes.dim}>
              {t("certificates.card.after.course")}{" "}
              {offer?.months && t("certificates.card.validFor", { count: offer.months })}
            </p>
          )}
        </div>
        {earned && (
          <div className={classes.cardActions}>
            <Button
              size="xs"
              leftSection={<IconDownload size={16} stroke={1.7} />}
              onClick={() => void savePdf(earned)}
            >
              {t("certificates.pdf")}
            </Button>
            <Button size="xs" variant="subtle" component={Link} to="/certificates">
              {t("certificates.card.all")}
            </Button>
          </div>
        )}
      </AsideCard>
    </div>
  );
}

/** After a course was completed: its certificate is there at once. Nothing for a course without one. */
export function EarnedCertificate({ courseId }: { courseId: string }) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...newestOf(courseId), staleTime: 0, refetchOnMount: "always" });
  const earned = data?.items[0];
  if (!earned) return null;
  return (
    <div className={classes.earned} role="status">
      <span className={classes.arch} data-state="valid" aria-hidden />
      <div>
        <strong>{t("certificates.card.ready")}</strong>
        <span>{earned.number}</span>
      </div>
      <Button
        variant="default"
        leftSection={<IconDownload size={18} stroke={1.7} />}
        onClick={() => void savePdf(earned)}
      >
        {t("certificates.pdf")}
      </Button>
    </div>
  );
}
