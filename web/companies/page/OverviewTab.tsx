import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { AccessCard } from "#web/companies/page/AccessCard.tsx";
import { CompanyCourses } from "#web/companies/page/CompanyCourses.tsx";
import { FirstSteps } from "#web/companies/page/FirstSteps.tsx";
import { JoinedRecently } from "#web/companies/page/JoinedRecently.tsx";
import { useCompanyCourses } from "#web/companies/page/useCompanyCourses.ts";
import { formatDuration, formatNumber, formatPercent } from "#web/core/format/format.ts";
import { StatTiles, StatTile } from "#web/core/display/StatTiles.tsx";
import { Section } from "#web/core/layout/Section.tsx";
import { TwoColumns } from "#web/core/layout/TwoColumns.tsx";
import type { CompanyRow } from "#shared/companies/companies.ts";
import { shareOf } from "#shared/core/percent.ts";

type Props = { company: CompanyRow; onAssign: () => void; onInvite: () => void };

/** Key figures and courses, with the access code and the newest learners at the side. */
export function OverviewTab({ company, onAssign, onInvite }: Props) {
  const { t } = useTranslation();
  const rows = useCompanyCourses(company.id);
  const { id, learners, seats, learnerLimit, invited, completed, assigned, overdue, activeSeconds } = company;
  const coursesOverdue = rows.filter((row) => (row.overdue ?? 0) > 0).length;
  const seatsTaken =
    learnerLimit === null
      ? t("companies.noLimit")
      : t("companies.ofSeats", { taken: formatNumber(seats), limit: formatNumber(learnerLimit) });

  return (
    <TwoColumns
      aside={
        <div style={{ display: "grid", gap: 32, gridTemplateColumns: "minmax(0, 1fr)" }}>
          <AccessCard company={company} />
          <JoinedRecently companyId={id} />
        </div>
      }
    >
      <StatTiles>
        <StatTile
          label={t("companies.learners")}
          value={formatNumber(learners)}
          note={invited > 0 ? t("companies.seatsInvited", { seats: seatsTaken, count: invited }) : seatsTaken}
          to={`/companies/${id}?tab=learners`}
        />
        <StatTile
          label={t("companies.completed")}
          value={formatPercent(shareOf(completed, assigned))}
          note={
            assigned > 0
              ? t("companies.completedOf", { done: formatNumber(completed), all: formatNumber(assigned) })
              : t("companies.nothingAssigned")
          }
        />
        <StatTile
          label={t("companies.overdue")}
          value={formatNumber(overdue)}
          bad={overdue > 0}
          note={overdue > 0 ? t("companies.inCourses", { count: coursesOverdue }) : t("companies.allOnTime")}
          {...(overdue > 0 && { to: `/companies/${id}?tab=learners&l.progress=overdue` })}
        />
        <StatTile
          label={t("companies.activeTime")}
          value={formatDuration(activeSeconds)}
          note={
            learners > 0 &&
            activeSeconds !== null &&
            t("companies.perLearner", { time: formatDuration(activeSeconds / learners) })
          }
        />
      </StatTiles>
      {rows.length === 0 ? (
        <FirstSteps company={company} onAssign={onAssign} onInvite={onInvite} />
      ) : (
        <Section
          title={t("companies.courses")}
          side={
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconPlus size={16} stroke={1.8} />}
              onClick={onAssign}
              disabled={company.status === "archived"}
            >
              {t("companies.assign")}
            </Button>
          }
        >
          <CompanyCourses companyId={id} rows={rows} />
        </Section>
      )}
    </TwoColumns>
  );
}
