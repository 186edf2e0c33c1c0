import { Menu } from "@mantine/core";
import {
  IconArchive,
  IconArrowMerge,
  IconArrowRight,
  IconPencil,
  IconPlayerPlay,
  IconTable,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { useVariableActions } from "#web/variables/useVariableActions.ts";
import type { Variable } from "#shared/variables/variables.ts";

const icon = { size: 18, stroke: 1.7 };
type Props = {
  variable: Variable;
  actions: ReturnType<typeof useVariableActions>;
  onEdit: (variable: Variable) => void;
  onMerge: (variable: Variable) => void;
};

/** Menu items of a variable. */
export function VariableMenu({ variable, actions, onEdit, onMerge }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <Menu.Item component={Link} to={`/variables/${variable.id}`} leftSection={<IconArrowRight {...icon} />}>
        {t("variables.menu.open")}
      </Menu.Item>
      <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => onEdit(variable)}>
        {t("variables.menu.edit")}
      </Menu.Item>
      <Menu.Item
        component={Link}
        to={`/admin/learner-data?variableId=${variable.id}`}
        leftSection={<IconTable {...icon} />}
      >
        {t("variables.menu.rawData")}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item leftSection={<IconArrowMerge {...icon} />} onClick={() => onMerge(variable)}>
        {t("variables.menu.merge")}
      </Menu.Item>
      {variable.status === "archived" ? (
        <Menu.Item leftSection={<IconPlayerPlay {...icon} />} onClick={() => void actions.restore(variable)}>
          {t("variables.menu.restore")}
        </Menu.Item>
      ) : (
        <Menu.Item color="red" leftSection={<IconArchive {...icon} />} onClick={() => actions.archive(variable)}>
          {t("variables.menu.archive")}
        </Menu.Item>
      )}
    </>
  );
}
