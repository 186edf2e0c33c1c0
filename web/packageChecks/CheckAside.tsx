import { Button } from "@mantine/core";
import {
  IconAccessible,
  IconAppWindow,
  IconCode,
  IconDatabase,
  IconFileAlert,
  IconInfoCircle,
  IconShieldCheck,
  IconWorld,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { isSameRule } from "#web/completionRules/draftRule.ts";
import classes from "#web/packageChecks/packageChecks.module.css";
import { placesText, riskText, riskTitle, riskTone } from "#web/packageChecks/findingText.ts";
import { ruleText } from "#web/courses/ruleText.ts";
import { AsideCard } from "#web/core/layout/AsideCard.tsx";
import { WarningList } from "#web/packages/WarningList.tsx";
import type { PackageCheck } from "#shared/courses/packageChecks.ts";
import type { Proposal } from "#shared/courses/packageVerdict.ts";
import type { PackageReading, RiskCode } from "#shared/packages/packageCheck.ts";

/** The rule that fits the package, with links to use it or to choose another one. */
export function ProposedRule({
  check,
  reading,
  proposal,
}: {
  check: PackageCheck;
  reading: PackageReading;
  proposal: Proposal;
}) {
  const { t } = useTranslation();
  const path = `/courses/${check.course.id}/completion`;
  const isInUse = isSameRule(proposal.rule, check.rule);
  return (
    <AsideCard title={t("packageChecks.proposal.title")}>
      <p className={classes.rule}>{ruleText(proposal.rule, reading.kind)}</p>
      <p className={classes.why}>
        {t(`packageChecks.why.${proposal.why}`)}
        {reading.masteryPercent !== null &&
          ` ${t("packageChecks.proposal.mastery", { percent: reading.masteryPercent })}`}
        {isInUse && ` ${t("packageChecks.proposal.inUse")}`}
      </p>
      <div className={classes.buttons}>
        {!isInUse && (
          <Button size="xs" component={Link} to={path} state={{ proposed: proposal.rule }}>
            {t("packageChecks.proposal.use")}
          </Button>
        )}
        <Button size="xs" variant="default" component={Link} to={path}>
          {t("packageChecks.proposal.other")}
        </Button>
      </div>
    </AsideCard>
  );
}

const icons: Partial<Record<RiskCode, typeof IconWorld>> = {
  missing: IconFileAlert,
  wrongCase: IconFileAlert,
  foreignHosts: IconWorld,
  mixedContent: IconWorld,
  noCaptions: IconAccessible,
  noAltTexts: IconAccessible,
  closesWindow: IconAppWindow,
  opensWindow: IconAppWindow,
  leavesFrame: IconAppWindow,
  dialogs: IconAppWindow,
  storage: IconDatabase,
  evaluates: IconCode,
  documentDomain: IconCode,
};

/** Other findings in the files, with their places. */
export function AlsoFound({ reading, warnings }: { reading: PackageReading; warnings: string[] }) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="also-found">
      <h2 id="also-found" className={classes.foundTitle}>
        {t("packageChecks.found.title")}
      </h2>
      <ul className={classes.found}>
        {reading.risks.map((risk) => {
          const Icon = icons[risk.code] ?? IconInfoCircle;
          return (
            <li key={risk.code}>
              <span className={classes.icon} data-tone={riskTone(risk)} aria-hidden>
                <Icon size={18} stroke={1.6} />
              </span>
              <div>
                <h3>{riskTitle(risk)}</h3>
                <p>{riskText(risk)}</p>
                <p className={classes.place}>{placesText(risk.places)}</p>
              </div>
            </li>
          );
        })}
        {reading.risks.length === 0 && (
          <li>
            <span className={classes.icon} data-tone="ok" aria-hidden>
              <IconShieldCheck size={18} stroke={1.6} />
            </span>
            <div>
              <h3>{t("packageChecks.found.nothing")}</h3>
              <p>{t("packageChecks.found.nothingText")}</p>
            </div>
          </li>
        )}
      </ul>
      {warnings.length > 0 && (
        <details className={classes.warnings}>
          <summary>{t("packageChecks.found.warnings")}</summary>
          <WarningList warnings={warnings} />
        </details>
      )}
    </section>
  );
}
