import { Button, Collapse } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/auditPacks/auditPacks.module.css";
import { lastDayOf } from "#web/auditPacks/lastDay.ts";
import { LinkDialog } from "#web/auditPacks/LinkDialog.tsx";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { CopyField } from "#web/core/display/CopyField.tsx";
import { formatDateTime } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { type AuditLink, auditPacks, type Opening } from "#shared/auditPacks/auditPacks.ts";

/** The links of a pack for auditors, and what was opened by them. */
export function PackLinks({ packId, zone }: { packId: string; zone: string }) {
  const { t } = useTranslation();
  const { data } = useSuspenseQuery(queryFor(auditPacks.links, { params: { id: packId } }));
  const [isAdding, setAdding] = useState(false);
  return (
    <Section
      title={t("auditPacks.links.title")}
      side={
        <Button variant="default" size="xs" onClick={() => setAdding(true)}>
          {t("auditPacks.links.new")}
        </Button>
      }
    >
      <p className={classes.about}>{t("auditPacks.links.text")}</p>
      {data.items.length === 0 ? (
        <p className={classes.dim}>{t("auditPacks.links.none")}</p>
      ) : (
        <ul className={classes.links}>
          {data.items.map((link) => (
            <LinkRow key={link.id} link={link} zone={zone} />
          ))}
        </ul>
      )}
      {isAdding && <LinkDialog packId={packId} onClose={() => setAdding(false)} />}
    </Section>
  );
}

function LinkRow({ link, zone }: { link: AuditLink; zone: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const end = useApiMutation(auditPacks.unlink, { quiet: true });
  const { id, label, url, isWorking, until, opened, samples, openings } = link;
  const ask = () =>
    confirm({
      title: t("auditPacks.links.endTitle", { label }),
      text: t("auditPacks.links.endText"),
      confirmLabel: t("auditPacks.links.end"),
      cancelLabel: t("core.cancel"),
      danger: true,
      onConfirm: async () => {
        await end.mutateAsync({ params: { id } });
        toast.done(t("auditPacks.links.ended"));
      },
    });
  const counts = [
    opened === 0 ? t("auditPacks.links.neverOpened") : t("auditPacks.links.opened", { count: opened }),
    ...(samples > 0 ? [t("auditPacks.links.samples", { count: samples })] : []),
    ...(link.mayDownload ? [t("auditPacks.links.mayDownload")] : []),
  ];
  return (
    <li>
      <div className={classes.linkHead}>
        <div>
          <strong>{label}</strong>
          <span className={classes.dim}>
            {isWorking ? t("auditPacks.links.working", { day: lastDayOf(until, zone) }) : t("auditPacks.links.over")}
            {` · ${counts.join(" · ")}`}
          </span>
        </div>
        <div className={classes.state}>
          {openings.length > 0 && (
            <Button variant="default" size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {t("auditPacks.links.showOpenings")}
            </Button>
          )}
          {isWorking && (
            <Button variant="subtle" color="red" size="xs" onClick={ask}>
              {t("auditPacks.links.end")}
            </Button>
          )}
        </div>
      </div>
      {isWorking && <CopyField label={t("auditPacks.links.address", { label })} text={url} />}
      <Collapse expanded={isOpen}>
        <ul className={classes.openings}>
          {openings.map((one) => (
            <li key={`${one.at} ${one.what} ${one.person}`}>
              <span className={classes.dim}>{formatDateTime(one.at)}</span>
              <OpeningText opening={one} />
            </li>
          ))}
        </ul>
      </Collapse>
    </li>
  );
}

function OpeningText({ opening: { what, sampleNo, person } }: { opening: Opening }) {
  const { t } = useTranslation();
  const key = what === "person" && person === null ? "personGone" : what;
  return <span>{t(`auditPacks.links.what.${key}`, { no: sampleNo, person })}</span>;
}
