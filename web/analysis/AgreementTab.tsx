import { Button, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import classes from "#web/analysis/analysis.module.css";
import { queryFor } from "#web/core/api/api.ts";
import { formatNumber } from "#web/core/format/format.ts";
import { i18n } from "#web/core/i18n.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { analysis } from "#shared/analysis/analysis.ts";
import { MIN_SCORED, type RubricAgreement } from "#shared/analysis/reviews.ts";

/** Names of ranges of kappa (Altman 1991), each from its lower bound. */
const levels = [
  ["veryGood", 0.81],
  ["good", 0.61],
  ["moderate", 0.41],
  ["fair", 0.21],
  ["poor", -1],
] as const;

const formatFixed = (value: number, digits: number) =>
  new Intl.NumberFormat(i18n.language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

/** How far scores of models agree with those of people, by chatbot and version of its criteria. */
export function AgreementTab() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(queryFor(analysis.agreement));
  if (error) return <ErrorPanel error={error} title={t("web.table.loadFailed")} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={6} />;
  if (data.items.length === 0)
    return <EmptyState title={t("analysis.agreement.none")} text={t("analysis.agreement.noneText")} />;
  return (
    <>
      <p className={classes.lead}>{t("analysis.agreement.line")}</p>
      {data.items.map((item) => (
        <Section
          key={`${item.chatbotId} ${item.fromVersion} ${item.toVersion}`}
          title={item.chatbot}
          side={
            item.next && (
              <Button component={Link} to={`/reports/chatbots?conversation=${item.next}`} variant="default" size="xs">
                {t("analysis.agreement.score")}
                <span className="ly-hidden">: {item.chatbot}</span>
              </Button>
            )
          }
        >
          <p className={classes.dim}>
            {t(item.fromVersion === item.toVersion ? "analysis.agreement.versions" : "analysis.agreement.versionSpan", {
              from: item.fromVersion,
              to: item.toVersion,
            })}
            {", "}
            {t("analysis.agreement.conversations", { count: item.conversations })}
            {!item.next && `. ${t("analysis.agreement.allScored")}`}
          </p>
          <CriteriaTable criteria={item.criteria} />
        </Section>
      ))}
      <p className={classes.dim}>{t("analysis.agreement.explain", { min: MIN_SCORED })}</p>
    </>
  );
}

function CriteriaTable({ criteria }: Pick<RubricAgreement, "criteria">) {
  const { t } = useTranslation();
  return (
    <Table className={classes.agreement ?? ""}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("analysis.agreement.criterion")}</Table.Th>
          <Table.Th>{t("analysis.agreement.n")}</Table.Th>
          <Table.Th>{t("analysis.agreement.kappa")}</Table.Th>
          <Table.Th>{t("analysis.agreement.average")}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {criteria.map(({ id, name, n, kappa, average }) => (
          <Table.Tr key={id}>
            <Table.Td>{name}</Table.Td>
            <Table.Td data-label={t("analysis.agreement.n")}>{formatNumber(n)}</Table.Td>
            <Table.Td data-label={t("analysis.agreement.kappa")}>
              <Kappa n={n} kappa={kappa} />
            </Table.Td>
            <Table.Td data-label={t("analysis.agreement.average")}>
              {average === null ? (
                <span className={classes.muted}>{t("analysis.agreement.tooFew", { min: MIN_SCORED })}</span>
              ) : (
                formatFixed(average, 1)
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Kappa({ n, kappa }: { n: number; kappa: number | null }) {
  const { t } = useTranslation();
  if (n === 0) return "–";
  if (kappa === null)
    return (
      <span className={classes.muted} title={t("analysis.agreement.undefinedHint")}>
        {t("analysis.agreement.undefined")}
      </span>
    );
  // With few conversations, a word would suggest more certainty than there is.
  const level =
    n < MIN_SCORED ? null : (levels.find(([, from]) => Math.round(kappa * 100) / 100 >= from)?.[0] ?? "poor");
  return (
    <span>
      {formatFixed(kappa, 2)} {level && <span className={classes.muted}>{t(`analysis.agreement.level.${level}`)}</span>}
    </span>
  );
}
