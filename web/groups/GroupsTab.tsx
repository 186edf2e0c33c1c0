import { Button, Menu } from "@mantine/core";
import {
  IconDownload,
  IconFilter,
  IconFolderUp,
  IconPencil,
  IconPlus,
  IconTrash,
  IconUsers,
} from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Num } from "#web/core/display/Num.tsx";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { GroupDialog } from "#web/groups/GroupDialog.tsx";
import classes from "#web/groups/groups.module.css";
import { kindOf, whoBelongs } from "#web/groups/ruleText.ts";
import { useGroupActions } from "#web/groups/useGroupActions.tsx";
import { type Group, groups, type GroupDetail } from "#shared/groups/groups.ts";

const icon = { size: 18, stroke: 1.7 };
const icons = { rule: <IconFilter {...icon} />, hand: <IconUsers {...icon} />, provided: <IconFolderUp {...icon} /> };
type Row = Group & Pick<GroupDetail, "names">;

/** The groups of a company. */
export function GroupsTab({ companyId }: { companyId: string }) {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<Row | "new" | null>(null);
  const isPhone = useIsPhone();
  const actions = useGroupActions();
  const addButton = (
    <Button leftSection={<IconPlus {...icon} />} onClick={() => setEdited("new")}>
      {t("groups.add")}
    </Button>
  );
  return (
    <>
      {isPhone && <div className={classes.phoneTool}>{addButton}</div>}
      <DataTable<Row>
        list={groups.list}
        query={{ companyId }}
        prefix="g."
        sort="name"
        search={t("groups.search")}
        noun={t("groups.noun")}
        filters={[
          {
            key: "kind",
            label: t("groups.kind"),
            options: (["rule", "hand", "provided"] as const).map((value) => ({
              value,
              label: t(`groups.kinds.${value}`),
            })),
          },
        ]}
        {...(!isPhone && { tools: addButton })}
        rowKey={(row) => row.id}
        name={(row) => row.name}
        mark={(row) => (
          <span
            className={classes.icon}
            data-rule={row.rule ? true : undefined}
            title={t(`groups.kinds.${kindOf(row)}`)}
          >
            {icons[kindOf(row)]}
          </span>
        )}
        note={(row) => (
          <span className={classes.clip} title={whoBelongs(row)}>
            {whoBelongs(row)}
          </span>
        )}
        to={(row) => `/companies/${companyId}/groups/${row.id}`}
        columns={[
          { key: "name", head: t("groups.group"), sort: true },
          {
            key: "people",
            head: t("groups.people"),
            align: "right",
            sort: true,
            descendingFirst: true,
            width: 120,
            render: (row) => <Num value={row.people} />,
          },
        ]}
        menu={(row) => (
          <>
            <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => setEdited(row)}>
              {t("groups.edit")}
            </Menu.Item>
            <Menu.Item leftSection={<IconDownload {...icon} />} onClick={() => void actions.saveFile(row)}>
              {t("groups.export")}
            </Menu.Item>
            <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => actions.askToRemove(row)}>
              {t("groups.remove")}
            </Menu.Item>
          </>
        )}
        phone={(row) => ({ line: whoBelongs(row), side: <Num value={row.people} /> })}
        empty={{ title: t("groups.none"), text: t("groups.noneText"), action: addButton }}
      />
      {edited && (
        <GroupDialog
          key={edited === "new" ? "new" : edited.id}
          companyId={companyId}
          {...(edited !== "new" && { group: edited })}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}
