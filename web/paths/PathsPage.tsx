import { Button, Menu } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { Cover } from "#web/core/brand/Cover.tsx";
import { Meter } from "#web/core/display/Meter.tsx";
import { Num } from "#web/core/display/Num.tsx";
import { StatusDot } from "#web/core/display/StatusDot.tsx";
import { formatPercent } from "#web/core/format/format.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { NewPathDialog } from "#web/paths/NewPathDialog.tsx";
import classes from "#web/paths/paths.module.css";
import { shareOf } from "#shared/core/percent.ts";
import { type Path, pathStatus, paths } from "#shared/paths/paths.ts";

export const tones = { draft: "idle", published: "ok", archived: "idle" } as const;

/** `/courses/paths`: the learning paths, for admins. */
export function PathsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isAdding, setAdding] = useState(false);
  const add = (
    <Button leftSection={<IconPlus size={18} stroke={1.7} />} onClick={() => setAdding(true)}>
      {t("paths.add")}
    </Button>
  );
  const status = (row: Path) => <StatusDot tone={tones[row.status]}>{t(`paths.statuses.${row.status}`)}</StatusDot>;
  return (
    <>
      <PageHead
        title={t("paths.title")}
        line={t("paths.lead")}
        parent={{ to: "/courses", label: t("courses.title") }}
        actions={add}
      />
      <DataTable<Path>
        list={paths.list}
        sort="title"
        search={t("paths.search")}
        noun={t("paths.noun")}
        filters={[
          {
            key: "status",
            label: t("paths.status"),
            options: pathStatus.options.map((value) => ({ value, label: t(`paths.statuses.${value}`) })),
          },
        ]}
        rowKey={(row) => row.id}
        name={(row) => row.title}
        to={(row) => `/courses/paths/${row.id}`}
        mark={(row) => <Cover code={row.id} tile />}
        note={(row) => t("paths.steps", { count: row.steps })}
        columns={[
          { key: "title", head: t("paths.path"), sort: true },
          { key: "status", head: t("paths.status"), width: 130, render: status },
          {
            key: "learners",
            head: t("paths.learners"),
            align: "right",
            width: 140,
            render: (row) => (
              <span className={classes.figures}>
                <Num value={row.learners} />
                {row.overdue > 0 && (
                  <span className={classes.bad}>{t("paths.overdueCount", { count: row.overdue })}</span>
                )}
              </span>
            ),
          },
          {
            key: "complete",
            head: t("paths.complete"),
            align: "right",
            width: 160,
            render: (row) => <Meter percent={shareOf(row.complete, row.learners)} label={t("paths.complete")} />,
          },
        ]}
        menu={(row) => (
          <>
            <Menu.Item onClick={() => void navigate(`/courses/paths/${row.id}`)}>{t("paths.tabs.steps")}</Menu.Item>
            <Menu.Item onClick={() => void navigate(`/courses/paths/${row.id}?tab=learners`)}>
              {t("paths.tabs.learners")}
            </Menu.Item>
          </>
        )}
        phone={(row) => ({
          line: `${t("paths.steps", { count: row.steps })}, ${t("paths.learnerCount", { count: row.learners })}`,
          side: formatPercent(shareOf(row.complete, row.learners)),
          extra: status(row),
        })}
        empty={{ title: t("paths.none"), text: t("paths.noneText"), action: add }}
      />
      {isAdding && <NewPathDialog onClose={() => setAdding(false)} />}
    </>
  );
}
