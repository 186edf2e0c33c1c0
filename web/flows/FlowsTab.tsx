import { Button, SegmentedControl } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import classes from "#web/flows/flows.module.css";
import { FlowDialog } from "#web/flows/FlowDialog.tsx";
import { FlowTable } from "#web/flows/FlowTable.tsx";
import type { FlowValues } from "#web/flows/useFlowForm.ts";
import type { Flow } from "#shared/flows/flows.ts";

const FlowGraph = lazy(() => import("#web/flows/FlowGraph.tsx").then(({ FlowGraph }) => ({ default: FlowGraph })));

/** The tab "Data flows" of Connections: a list, and on larger screens also a graph. */
export function FlowsTab() {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const [params, setParams] = useSearchParams();
  const [start, setStart] = useState<Partial<FlowValues> | null>(null);
  const [edited, setEdited] = useState<Flow | null>(null);
  const view = params.get("view") === "graph" && !isPhone ? "graph" : "list";
  const addButton = (
    <Button leftSection={<IconPlus size={18} stroke={1.7} />} onClick={() => setStart({})}>
      {t("flows.add")}
    </Button>
  );
  const show = (next: string) => {
    const changed = new URLSearchParams(params);
    if (next === "graph") changed.set("view", next);
    else changed.delete("view");
    setParams(changed, { preventScrollReset: true });
  };
  return (
    <>
      <div className={classes.head}>
        {!isPhone && (
          <SegmentedControl
            aria-label={t("flows.view")}
            value={view}
            onChange={show}
            data={[
              { value: "list", label: t("flows.list") },
              { value: "graph", label: t("flows.graph") },
            ]}
          />
        )}
        {addButton}
      </div>
      {view === "graph" ? (
        <Suspense fallback={<PageSkeleton />}>
          <FlowGraph onEdit={setEdited} onStart={setStart} />
        </Suspense>
      ) : (
        <FlowTable onEdit={setEdited} addButton={addButton} />
      )}
      {start && <FlowDialog start={start} onClose={() => setStart(null)} />}
      {edited && <FlowDialog key={edited.id} flow={edited} onClose={() => setEdited(null)} />}
    </>
  );
}
