import { Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArchive, IconPencil, IconPlayerPause, IconPlayerPlay, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatMoney } from "#web/connectors/amounts.ts";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { Num } from "#web/core/display/Num.tsx";
import { StatusDot, type Tone } from "#web/core/display/StatusDot.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { ButtonDialog } from "#web/prompts/ButtonDialog.tsx";
import { PromptTabs } from "#web/prompts/PromptTabs.tsx";
import classes from "#web/prompts/prompts.module.css";
import { type ButtonPrompt, buttonPrompts, buttonStatus } from "#shared/prompts/buttonPrompts.ts";
import { connectors } from "#shared/connectors/connectors.ts";
import { courses } from "#shared/courses/courses.ts";

const icon = { size: 18, stroke: 1.7 };
const tones: Record<ButtonPrompt["status"], Tone> = { draft: "idle", active: "ok", archived: "idle" };

/** The buttons that run a prompt in courses, with courses, runs and cost. */
export function ButtonPromptsPage() {
  const { t } = useTranslation();
  const [adding, add] = useDisclosure();
  const [edited, setEdited] = useState<ButtonPrompt | null>(null);
  const { data: spending } = useQuery(queryFor(connectors.spending));
  const { data: allCourses } = useQuery(queryFor(courses.choices));
  const setStatus = useApiMutation(buttonPrompts.setStatus);
  const change = ({ id }: ButtonPrompt, status: ButtonPrompt["status"]) =>
    setStatus.mutate({ params: { id }, body: { status } });
  const addButton = (
    <Button leftSection={<IconPlus {...icon} />} onClick={add.open}>
      {t("prompts.buttons.add")}
    </Button>
  );
  const status = (row: ButtonPrompt) => (
    <StatusDot tone={tones[row.status]}>{t(`prompts.buttons.is.${row.status}`)}</StatusDot>
  );
  const promptLine = ({ prompt, isPromptArchived, liveNumber }: ButtonPrompt) => {
    if (!isPromptArchived && liveNumber !== null)
      return t("prompts.buttons.promptLine", { prompt, number: liveNumber });
    const why = isPromptArchived ? ("promptArchived" as const) : ("promptNotLive" as const);
    return <span className={classes.some}>{t(`prompts.buttons.${why}`, { prompt })}</span>;
  };
  const usedIn = ({ courses: [first, ...others] }: ButtonPrompt) => {
    if (!first) return <span className={classes.dim}>{t("prompts.buttons.nowhere")}</span>;
    return others.length === 0
      ? first.title
      : t("prompts.buttons.moreCourses", { course: first.title, count: others.length });
  };
  const runs = (row: ButtonPrompt) => (
    <>
      <Num value={row.runs} />
      {row.failed > 0 && (
        <span className={classes.failedRuns}>{t("prompts.buttons.failed", { count: row.failed })}</span>
      )}
    </>
  );
  return (
    <>
      <PageHead title={t("prompts.title")} line={t("prompts.line")} actions={addButton} />
      <PromptTabs current="/admin/button-prompts" />
      <DataTable
        list={buttonPrompts.list}
        search={t("prompts.buttons.search")}
        noun={t("prompts.buttons.noun")}
        filters={[
          {
            key: "courseId",
            label: t("prompts.buttons.course"),
            options: (allCourses?.items ?? []).map(({ id, title }) => ({ value: id, label: title })),
          },
          {
            key: "status",
            label: t("prompts.buttons.status"),
            options: buttonStatus.options.map((value) => ({ value, label: t(`prompts.buttons.is.${value}`) })),
          },
        ]}
        rowKey={(row) => row.id}
        name={(row) => row.label}
        onOpen={setEdited}
        note={(row) => <span className={classes.key}>{row.key}</span>}
        columns={[
          { key: "label", head: t("prompts.buttons.button") },
          {
            key: "prompt",
            head: t("prompts.prompt"),
            render: promptLine,
          },
          { key: "courses", head: t("prompts.buttons.usedIn"), minor: true, render: usedIn },
          { key: "status", head: t("prompts.buttons.status"), render: status },
          { key: "runs", head: t("prompts.buttons.runs"), align: "right", render: runs },
          {
            key: "cost",
            head: t("prompts.buttons.cost"),
            align: "right",
            minor: true,
            render: (row) =>
              row.runs === 0 || !spending ? <Num value={null} /> : formatMoney(row.cost, spending.currency),
          },
          {
            key: "updatedAt",
            head: t("prompts.buttons.changed"),
            minor: true,
            render: (row) => <Time at={row.updatedAt} />,
          },
        ]}
        phone={(row) => ({ line: usedIn(row), side: status(row), sideLine: runs(row) })}
        menu={(row) => (
          <>
            <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => setEdited(row)}>
              {t("prompts.buttons.edit")}
            </Menu.Item>
            {row.status === "active" ? (
              <Menu.Item leftSection={<IconPlayerPause {...icon} />} onClick={() => change(row, "draft")}>
                {t("prompts.buttons.pause")}
              </Menu.Item>
            ) : (
              <Menu.Item leftSection={<IconPlayerPlay {...icon} />} onClick={() => change(row, "active")}>
                {t("prompts.buttons.activate")}
              </Menu.Item>
            )}
            {row.status !== "archived" && (
              <Menu.Item leftSection={<IconArchive {...icon} />} onClick={() => change(row, "archived")}>
                {t("prompts.buttons.archive")}
              </Menu.Item>
            )}
          </>
        )}
        empty={{ title: t("prompts.buttons.none"), text: t("prompts.buttons.noneText"), action: addButton }}
      />
      {adding && <ButtonDialog onClose={add.close} />}
      {edited && <ButtonDialog key={edited.id} button={edited} onClose={() => setEdited(null)} />}
    </>
  );
}
