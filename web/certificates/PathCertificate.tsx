import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/certificates/certificates.module.css";
import { savePdf } from "#web/certificates/downloads.ts";
import { queryFor } from "#web/core/api/api.ts";
import { formatDate } from "#web/core/format/format.ts";
import { certificates } from "#shared/certificates/certificates.ts";

/** On the page of a learning path: what completing it gives, then the certificate. */
export function PathCertificate({ pathId }: { pathId: string }) {
  const { t } = useTranslation();
  const { data } = useQuery({
    ...queryFor(certificates.pathOffer, { params: { pathId } }),
    staleTime: 0,
    refetchOnMount: "always",
  });
  const { earned, offer } = data ?? {};
  if (!earned && !offer) return null;
  const validity = earned?.validUntil
    ? t("certificates.verify.validUntil", { day: formatDate(earned.validUntil) })
    : t("certificates.verify.noEnd");
  return (
    <section className={classes.earned} aria-label={t("certificates.card.title")}>
      <span className={classes.arch} data-state={earned?.state ?? "open"} aria-hidden />
      {earned ? (
        <>
          <div>
            <strong>
              {t(earned.state === "valid" ? "certificates.card.ready" : `certificates.is.${earned.state}`)}
            </strong>
            <span className={classes.dim}>{`${earned.number}. ${validity}`}</span>
          </div>
          <Button
            variant="default"
            leftSection={<IconDownload size={18} stroke={1.7} />}
            onClick={() => void savePdf(earned)}
          >
            {t("certificates.pdf")}
          </Button>
          <Button variant="subtle" component={Link} to="/certificates">
            {t("certificates.card.all")}
          </Button>
        </>
      ) : (
        <div>
          <strong>{t("certificates.card.title")}</strong>
          <span className={classes.dim}>
            {t("certificates.card.after.path")}{" "}
            {offer?.months && t("certificates.card.validFor", { count: offer.months })}
          </span>
        </div>
      )}
    </section>
  );
}
