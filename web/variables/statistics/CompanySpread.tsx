import { Anchor, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { formatNumber, formatPercent } from "#web/core/format/format.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { barText, valueText } from "#web/variables/valueText.ts";
import classes from "#web/variables/statistics/ValuesTab.module.css";
import { type Variable, variables } from "#shared/variables/variables.ts";
import { MIN_GROUP } from "#shared/core/smallGroups.ts";
import type { VariableStatistics } from "#shared/variables/variableFigures.ts";

const SHOWN = 10;
type Props = { variable: Variable; statistics: VariableStatistics };

/** The companies with the most learners: median and middle half of each, or its most frequent value. */
export function CompanySpread({ variable, statistics }: Props) {
  const { t } = useTranslation();
  const { data } = useQuery(
    pagedQueryFor(variables.companies, { params: { id: variable.id }, query: { size: SHOWN } }),
  );
  if (!data || data.total === 0 || variable.scope === "company") return null;
  const hasFigures = variable.type !== "text" && variable.type !== "json" && variable.privacy !== "sensitive";
  const [low, high] = [statistics.min ?? 0, statistics.max ?? 0];
  const place = (value: number) => `${high > low ? ((value - low) / (high - low)) * 100 : 50}%`;
  const textOf = (value: number) => valueText(value, variable, t);
  return (
    <Section title={t("variables.page.byCompany")}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("variables.page.company")}</Table.Th>
            <Table.Th ta="right">{t("variables.page.learners")}</Table.Th>
            {hasFigures && (
              <Table.Th>
                {statistics.median === null ? t("variables.page.topValue") : t("variables.page.spread")}
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.items.map(({ companyId, company, learners, median, quartiles, top }) => (
            <Table.Tr key={companyId}>
              <Table.Td>
                <Anchor component={Link} to={`/companies/${companyId}`}>
                  {company}
                </Anchor>
              </Table.Td>
              <Table.Td ta="right">{formatNumber(learners)}</Table.Td>
              {hasFigures && (
                <Table.Td>
                  {median !== null && quartiles && (
                    <span
                      className={classes.spread}
                      role="img"
                      aria-label={`${textOf(median)} (${textOf(quartiles[0])} – ${textOf(quartiles[1])})`}
                    >
                      <i style={{ left: place(quartiles[0]), right: `calc(100% - ${place(quartiles[1])})` }} />
                      <b style={{ left: place(median) }} />
                    </span>
                  )}
                  {top &&
                    t("variables.top", {
                      label: barText(top.label, variable, t),
                      share: formatPercent(top.share * 100),
                    })}
                  {median === null && !top && learners < MIN_GROUP && t("variables.page.hidden", { count: MIN_GROUP })}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}
