import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { useAnchorInView } from "#web/core/layout/useAnchorInView.ts";
import { Section } from "#web/core/layout/Section.tsx";
import { AssignmentList } from "#web/reports/figures/AssignmentList.tsx";
import { PeopleMatrix } from "#web/reports/figures/PeopleMatrix.tsx";
import classes from "#web/reports/figures/Report.module.css";
import type { ReportParams } from "#web/reports/figures/useReportLink.ts";
import type { KindOfMany } from "#shared/reports/reportFigures.ts";
import type { Report } from "#shared/reports/reports.ts";

type Props = { id: string; kind: KindOfMany; report: Report; query: ReportParams };

/** The people of a report: the assignments of the chosen figure, and for a company all learners with their courses. */
export function ReportLists(props: Props) {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const [view, setView] = useState("rows");
  useAnchorInView("people");
  // A link to the people behind a figure leads to the assignments.
  const shown = params.get("group") ? "rows" : view;
  return (
    <div id="people" className={classes.lists}>
      <Section
        title={t("reports.report.people")}
        side={
          props.kind === "company" && !params.get("group") ? (
            <SegmentedControl
              size="xs"
              aria-label={t("reports.report.view")}
              value={shown}
              onChange={setView}
              data={[
                { value: "rows", label: t("reports.report.views.rows") },
                { value: "matrix", label: t("reports.report.views.matrix") },
              ]}
            />
          ) : undefined
        }
      >
        {shown === "rows" ? <AssignmentList {...props} /> : <PeopleMatrix {...props} />}
      </Section>
    </div>
  );
}
