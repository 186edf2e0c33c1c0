import { ActionIcon, Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAdjustmentsHorizontal, IconCopy, IconDots, IconLink, IconPrinter, IconRefresh } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "#web/companies/page/AccessCard.module.css";
import { registrationClosedReason } from "#web/companies/registrationClosedReason.ts";
import { copyText } from "#web/core/display/copyText.ts";
import { NewCodeDialog } from "#web/companies/page/NewCodeDialog.tsx";
import { Poster } from "#web/companies/page/Poster.tsx";
import { Qr } from "#web/core/display/Qr.tsx";
import { registrationLink } from "#web/companies/registrationLink.ts";
import { RulesDialog } from "#web/companies/page/RulesDialog.tsx";
import { dayIn } from "#web/core/format/zone.ts";
import { AsideCard } from "#web/core/layout/AsideCard.tsx";
import { CodeText } from "#web/core/display/CodeText.tsx";
import { formatDate, formatNumber } from "#web/core/format/format.ts";
import { isOver } from "#web/learners/days.ts";
import { type CompanyRow, formatCode } from "#shared/companies/companies.ts";

const icon = { size: 18, stroke: 1.7 };

/** The access code as text, QR code, link and poster, with its rules. */
export function AccessCard({ company }: { company: CompanyRow }) {
  const { t } = useTranslation();
  const [rotating, rotate] = useDisclosure();
  const [editing, edit] = useDisclosure();
  const [printing, print] = useDisclosure();
  const {
    accessCode,
    learners,
    seats,
    learnerLimit,
    allowedDomains,
    codeExpiresAt,
    codeMaxUses,
    codeUsedCount,
    previousCode,
    previousCodeUntil,
    timezone,
  } = company;
  const link = registrationLink(accessCode);
  const closedReason = registrationClosedReason(company);
  const oldCodeUntil = previousCode && previousCodeUntil && !isOver(previousCodeUntil) ? previousCodeUntil : null;
  const copy = () => void copyText(link, t("companies.linkCopied"));

  return (
    <AsideCard title={t("companies.code")} dark={<CodeText size="lg" code={accessCode} />}>
      {closedReason && (
        <p className={classes.closed} style={{ marginTop: 0 }}>
          {t(`companies.closed.${closedReason}`)}
        </p>
      )}
      <div className={classes.middle}>
        <div className={classes.qr}>
          <Qr text={link} size={148} label={t("companies.qr", { code: formatCode(accessCode) })} />
        </div>
        <ul className={classes.facts}>
          <li>
            <strong>
              {learnerLimit === null
                ? t("companies.noLimit")
                : t("companies.seatsLeft", { count: Math.max(0, learnerLimit - seats) })}
            </strong>
            <span>
              {learnerLimit === null
                ? t("companies.learnerCount", { count: learners })
                : t("companies.used", { used: formatNumber(seats), limit: formatNumber(learnerLimit) })}
            </span>
            {learnerLimit !== null && seats < learners && <span>{t("companies.suspendedNoSeat")}</span>}
          </li>
          <li>
            <strong>{t("companies.openTo")}</strong>
            <span>
              {allowedDomains.length === 0
                ? t("companies.everyone")
                : allowedDomains.map((domain) => `@${domain}`).join(", ")}
            </span>
          </li>
          <li>
            <span>
              {codeExpiresAt === null
                ? t("companies.noEnd")
                : t("companies.ends", { date: formatDate(dayIn(codeExpiresAt, timezone)) })}
            </span>
          </li>
          {codeMaxUses !== null && (
            <li>
              <span>
                {t("companies.uses", { used: formatNumber(codeUsedCount), limit: formatNumber(codeMaxUses) })}
              </span>
            </li>
          )}
        </ul>
      </div>
      <div className={classes.buttons}>
        <Button px={12} leftSection={<IconCopy {...icon} />} onClick={copy}>
          {t("companies.copyShort")}
        </Button>
        <Button px={12} variant="default" leftSection={<IconPrinter {...icon} />} onClick={print.open}>
          {t("companies.poster.open")}
        </Button>
        <Menu position="bottom-end" width={220}>
          <Menu.Target>
            <ActionIcon variant="default" aria-label={t("companies.codeMenu")} title={t("companies.codeMenu")}>
              <IconDots {...icon} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconRefresh {...icon} />} onClick={rotate.open}>
              {t("companies.newCode.open")}
            </Menu.Item>
            <Menu.Item leftSection={<IconAdjustmentsHorizontal {...icon} />} onClick={edit.open}>
              {t("companies.rules.open")}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconLink {...icon} />}
              onClick={() => void copyText(accessCode, t("companies.codeCopied"))}
            >
              {t("companies.copyCode")}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      {oldCodeUntil && previousCode && (
        <p className={classes.old}>
          {t("companies.oldCode", { code: formatCode(previousCode), date: formatDate(oldCodeUntil) })}
        </p>
      )}
      <NewCodeDialog company={company} opened={rotating} onClose={rotate.close} />
      <RulesDialog company={company} opened={editing} onClose={edit.close} />
      <Poster company={company} opened={printing} onClose={print.close} />
    </AsideCard>
  );
}
