import { Button, Tabs } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useParams, useSearchParams } from "react-router";
import { DesignTab } from "#web/certificates/design/DesignTab.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { formatNumber } from "#web/core/format/format.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import tabClasses from "#web/core/layout/tabs.module.css";
import { useTabInView } from "#web/core/layout/useTabInView.ts";
import { AssignDialog } from "#web/paths/AssignDialog.tsx";
import { LearnersTab } from "#web/paths/LearnersTab.tsx";
import classes from "#web/paths/paths.module.css";
import { PublishDialog } from "#web/paths/PublishDialog.tsx";
import { SettingsTab } from "#web/paths/SettingsTab.tsx";
import { StepsTab } from "#web/paths/StepsTab.tsx";
import { useCourses } from "#web/paths/useCourses.ts";
import { useDraft } from "#web/paths/useDraft.tsx";
import { type PathDetail, paths } from "#shared/paths/paths.ts";

const tabs = ["steps", "learners", "certificate", "settings"] as const;

/** `/courses/paths/:id`: the steps of a learning path, the people on it, its certificate and its settings. */
export function PathPage() {
  const { id = "" } = useParams();
  const { data: path } = useSuspenseQuery(queryFor(paths.get, { params: { id } }));
  return <Path key={id} path={path} />;
}

function Path({ path }: { path: PathDetail }) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const { courses, titles } = useCourses(path);
  const draft = useDraft(path, titles);
  const [dialog, setDialog] = useState<"assign" | "publish" | null>(null);
  const tab = tabs.find((candidate) => candidate === params.get("tab")) ?? "steps";
  const tabList = useTabInView(tab);
  const counts: { [name in (typeof tabs)[number]]?: number } = { steps: draft.steps.length, learners: path.learners };
  const isArchived = path.status === "archived";
  const isSaved = draft.state === "saved";
  return (
    <>
      <PageHead
        title={path.title}
        parent={{ to: "/courses/paths", label: t("paths.back") }}
        line={<Facts path={path} state={draft.state} />}
        actions={
          <>
            {path.live !== null && !isArchived && (
              <Button
                variant="default"
                leftSection={<IconUserPlus size={18} stroke={1.7} />}
                onClick={() => setDialog("assign")}
              >
                {t("paths.assign")}
              </Button>
            )}
            {path.changed && draft.steps.length > 0 && !isArchived && (
              <Button
                loading={!isSaved && draft.state !== "failed"}
                disabled={!isSaved}
                onClick={() => setDialog("publish")}
              >
                {t("paths.publish", { no: (path.live ?? 0) + 1 })}
              </Button>
            )}
          </>
        }
      />
      <Tabs
        value={tab}
        onChange={(next) => setParams(next && next !== "steps" ? { tab: next } : {}, { preventScrollReset: true })}
        keepMounted={false}
      >
        <Tabs.List ref={tabList} mb={22} className={tabClasses.tabs}>
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`paths.tabs.${name}`)}
              {counts[name] !== undefined && <span className={classes.count}>{formatNumber(counts[name])}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="steps">
          <StepsTab path={path} draft={draft} courses={courses} titles={titles} />
        </Tabs.Panel>
        <Tabs.Panel value="learners">
          <LearnersTab path={path} titles={titles} onAssign={() => setDialog("assign")} />
        </Tabs.Panel>
        <Tabs.Panel value="certificate">
          <DesignTab subject={{ kind: "path", id: path.id, title: path.title }} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <SettingsTab path={path} />
        </Tabs.Panel>
      </Tabs>
      {dialog === "assign" && <AssignDialog path={path} onClose={() => setDialog(null)} />}
      {dialog === "publish" && <PublishDialog path={path} onClose={() => setDialog(null)} />}
    </>
  );
}

function Facts({ path, state }: { path: PathDetail; state: ReturnType<typeof useDraft>["state"] }) {
  const { t } = useTranslation();
  const facts = [
    t("paths.steps", { count: path.draft.length }),
    ...(path.live === null ? [] : [t("paths.learnerCount", { count: path.learners })]),
    ...(path.complete > 0 ? [t("paths.completeCount", { count: path.complete })] : []),
  ];
  const said = () => {
    if (state === "saving" || state === "waiting") return t("paths.editor.saving");
    if (path.status === "archived") return t("paths.archivedLine");
    if (path.live === null) return t("paths.draftLine");
    return t(path.changed ? "paths.changedLine" : "paths.liveLine", { no: path.live });
  };
  return (
    <>
      {`${facts.join(", ")}. `}
      <span aria-live="polite">{said()}</span>
    </>
  );
}
