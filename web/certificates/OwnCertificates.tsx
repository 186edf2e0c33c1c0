import { Anchor, Button, Group, Pagination, Switch } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { BadgeMenu } from "#web/certificates/BadgeMenu.tsx";
import { CertificateState } from "#web/certificates/CertificateState.tsx";
import classes from "#web/certificates/certificates.module.css";
import { savePdf, saveProof } from "#web/certificates/downloads.ts";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { formatDate } from "#web/core/format/format.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { type Certificate, certificates } from "#shared/certificates/certificates.ts";

const PAGE = 12;
const shown = ["showName", "showScore", "showMinutes"] as const;

/** The certificates of a learner, and what strangers see of each. */
export function OwnCertificates() {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const { data } = useSuspenseQuery(queryFor(certificates.mine, { query: { page, size: PAGE } }));
  return (
    <>
      <PageHead
        title={t("certificates.mineTitle")}
        line={t("certificates.mineLine")}
        parent={{ to: "/my-courses", label: t("certificates.backToMine") }}
        actions={
          <Button variant="default" component={Link} to="/transcripts">
            {t("transcripts.open")}
          </Button>
        }
      />
      {data.total === 0 ? (
        <EmptyState title={t("certificates.noneMine")} text={t("certificates.noneMineText")} />
      ) : (
        <ul className={classes.cards}>
          {data.items.map((row) => (
            <OwnCertificate key={row.id} row={row} />
          ))}
        </ul>
      )}
      {data.total > PAGE && <Pagination mt="lg" value={page} onChange={setPage} total={Math.ceil(data.total / PAGE)} />}
    </>
  );
}

function OwnCertificate({ row }: { row: Certificate }) {
  const { t } = useTranslation();
  const share = useApiMutation(certificates.share);
  const set = (name: (typeof shown)[number], value: boolean) => {
    const { showName, showScore, showMinutes } = row;
    share.mutate(
      { params: { id: row.id }, body: { showName, showScore, showMinutes, [name]: value } },
      { onSuccess: () => toast.done(t("certificates.sharing.saved", { number: row.number })) },
    );
  };
  const offered = shown.filter(
    (name) => (name !== "showScore" || row.scorePercent !== null) && (name !== "showMinutes" || row.minutes !== null),
  );
  return (
    <li className={classes.card}>
      <div className={classes.cardHead}>
        <span className={classes.arch} data-state={row.state} aria-hidden />
        <div>
          <h2>{row.course}</h2>
          {row.kind === "path" && <p className={classes.dim}>{t("certificates.learningPath")}</p>}
          <p>
            <bdi>{row.name}</bdi>
          </p>
        </div>
      </div>
      <dl className={classes.facts}>
        <div>
          <dt>{t("certificates.number")}</dt>
          <dd>
            <Anchor component={Link} to={`/verify/${row.number}`}>
              {row.number}
            </Anchor>
          </dd>
        </div>
        <div>
          <dt>{t("certificates.completed")}</dt>
          <dd>{formatDate(row.completedOn)}</dd>
        </div>
        <div>
          <dt>{t("certificates.validUntil")}</dt>
          <dd>{row.validUntil ? formatDate(row.validUntil) : t("certificates.noEnd")}</dd>
        </div>
        <div>
          <dt>{t("certificates.state")}</dt>
          <dd>
            <CertificateState state={row.state} />
          </dd>
        </div>
      </dl>
      {row.revokedAt && (
        <p className={classes.note}>
          {t("certificates.revokedBecause", { day: formatDate(row.revokedAt), reason: row.revokedReason ?? "–" })}
        </p>
      )}
      {row.replacedBy && <p className={classes.note}>{t("certificates.replacedByLine", { number: row.replacedBy })}</p>}
      <fieldset className={classes.sharing} disabled={share.isPending}>
        <legend>{t("certificates.sharing.title")}</legend>
        <p>{t("certificates.sharing.hint")}</p>
        {offered.map((name) => (
          <Switch
            key={name}
            label={t(`certificates.sharing.${name}`)}
            checked={row[name]}
            onChange={(event) => set(name, event.currentTarget.checked)}
          />
        ))}
      </fieldset>
      <Group gap="xs" mt="md">
        <Button leftSection={<IconDownload size={18} stroke={1.7} />} onClick={() => void savePdf(row)}>
          {t("certificates.pdf")}
          <span className="ly-hidden"> {row.number}</span>
        </Button>
        <BadgeMenu row={row} isOwn />
        <Button variant="default" disabled={!row.sealed} onClick={() => void saveProof(row)}>
          {t("certificates.proof")}
          <span className="ly-hidden"> {row.number}</span>
        </Button>
      </Group>
      {!row.sealed && <p className={classes.note}>{t("certificates.notSealedYet")}</p>}
    </li>
  );
}
