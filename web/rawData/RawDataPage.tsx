import { Button, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { AttemptGrid } from "#web/rawData/AttemptGrid.tsx";
import { ValueList } from "#web/rawData/ValueList.tsx";
import { ValuePanel } from "#web/rawData/ValuePanel.tsx";
import type { ValueTarget } from "#web/rawData/valueTarget.ts";

/** Filters that both views have. */
const SHARED = ["q", "companyId", "courseId"];

/**
 * Every value of a variable with its origin, as a list of values or of attempts, and the history of each in a panel.
 */
export function RawDataPage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const [target, setTarget] = useState<ValueTarget | null>(null);
  const view = params.get("view") === "attempts" ? "attempts" : "values";
  const change = (next: string) => {
    setTarget(null);
    const kept = SHARED.flatMap((key): [string, string][] => (params.get(key) ? [[key, params.get(key) ?? ""]] : []));
    setParams(new URLSearchParams([...(next === "attempts" ? [["view", next]] : []), ...kept]));
  };
  return (
    <>
      <PageHead
        title={t("rawData.title")}
        line={t("rawData.line")}
        actions={
          <>
            <Button component={Link} to="/admin/learner-data/statements" variant="default">
              {t("rawData.statements")}
            </Button>
            <SegmentedControl
              aria-label={t("rawData.views")}
              value={view}
              onChange={change}
              data={[
                { value: "values", label: t("rawData.perValue") },
                { value: "attempts", label: t("rawData.perAttempt") },
              ]}
            />
          </>
        }
      />
      {view === "attempts" ? <AttemptGrid target={target} onOpen={setTarget} /> : <ValueList onOpen={setTarget} />}
      {target && <ValuePanel target={target} onChange={setTarget} onClose={() => setTarget(null)} />}
    </>
  );
}
