import { Menu } from "@mantine/core";
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Num } from "#web/core/display/Num.tsx";
import { Pill } from "#web/core/display/Pill.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { useFlowActions } from "#web/flows/useFlowActions.ts";
import classes from "#web/flows/flows.module.css";
import { type Flow, flows } from "#shared/flows/flows.ts";

const icon = { size: 18, stroke: 1.7 };

/** The flows as a list, for keyboards and phones. */
export function FlowTable({ onEdit, addButton }: { onEdit: (flow: Flow) => void; addButton: ReactNode }) {
  const { t } = useTranslation();
  const actions = useFlowActions();
  const place = (courses: string[]) => {
    const [title, ...others] = courses;
    if (!title) return t("flows.noCourse");
    return others.length === 0 ? title : t("flows.more", { title, count: others.length });
  };
  const targetPlace = ({ target }: Flow) => (target.kind === "webhook" ? t("flows.outside") : place(target.courses));
  const stateOf = ({ isActive, problem }: Flow) => {
    if (problem) return <Pill tone="bad">{t(`flows.problems.${problem}`)}</Pill>;
    return isActive ? <Pill tone="ok">{t("flows.active")}</Pill> : <Pill>{t("flows.paused")}</Pill>;
  };
  /** The state, and whether existing values have yet to be passed on. */
  const stateWithBackfill = (row: Flow) => (
    <>
      {stateOf(row)}
      {row.backfillPending && (
        <>
          <br />
          <span className={classes.place}>{t("flows.backfillPending")}</span>
        </>
      )}
    </>
  );
  return (
    <DataTable
      list={flows.list}
      search={t("flows.search")}
      noun={t("flows.noun")}
      rowKey={(row) => row.id}
      name={({ source }) => source.label}
      onOpen={onEdit}
      note={({ source }) => <span className={classes.place}>{place(source.courses)}</span>}
      columns={[
        { key: "source", head: t("flows.source") },
        {
          key: "target",
          head: t("flows.target"),
          render: (row) => (
            <>
              {row.target.label}
              <br />
              <span className={classes.place}>{targetPlace(row)}</span>
            </>
          ),
        },
        {
          key: "transform",
          head: t("flows.transform"),
          minor: true,
          render: ({ transform }) => t(`flows.kinds.${transform.kind}`),
        },
        { key: "state", head: t("flows.state"), render: stateWithBackfill },
        {
          key: "fired",
          head: t("flows.passed"),
          align: "right",
          render: ({ fired, refused }) => (
            <>
              <Num value={fired} />
              {refused > 0 && (
                <>
                  <br />
                  <span className={classes.place}>{t("flows.refusedCount", { count: refused })}</span>
                </>
              )}
            </>
          ),
        },
        { key: "last", head: t("flows.last"), minor: true, render: (row) => <Time at={row.lastFiredAt} /> },
      ]}
      phone={(row) => ({
        line: `→ ${row.target.label}`,
        side: stateOf(row),
        sideLine: row.backfillPending ? t("flows.backfillPending") : <Time at={row.lastFiredAt} />,
      })}
      menu={(row) => (
        <>
          <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => onEdit(row)}>
            {t("flows.edit")}
          </Menu.Item>
          <Menu.Item
            leftSection={row.isActive ? <IconPlayerPause {...icon} /> : <IconPlayerPlay {...icon} />}
            onClick={() => actions.setActive(row, !row.isActive)}
          >
            {t(row.isActive ? "flows.pause" : "flows.resume")}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => actions.remove(row)}>
            {t("flows.remove")}
          </Menu.Item>
        </>
      )}
      empty={{ title: t("flows.none"), text: t("flows.noneText"), action: addButton }}
    />
  );
}
