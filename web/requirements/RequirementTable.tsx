import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useApiMutation } from "#web/core/api/api.ts";
import { Cover } from "#web/core/brand/Cover.tsx";
import { confirm } from "#web/core/dialog/confirm.ts";
import { Meter } from "#web/core/display/Meter.tsx";
import { Pill } from "#web/core/display/Pill.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { termsText } from "#web/requirements/termsText.ts";
import classes from "#web/requirements/requirements.module.css";
import { shareValid } from "#shared/requirements/requirementShare.ts";
import { type CourseRequirement, requirements } from "#shared/requirements/requirements.ts";

type Props = {
  items: CourseRequirement[];
  /** Without it, requirements can only be read. */
  onEdit?: (requirement: CourseRequirement) => void;
};

/** The required courses of a company: how long they are valid, and for how many people they are valid. */
export function RequirementTable({ items, onEdit }: Props) {
  const { t, i18n } = useTranslation();
  const remove = useApiMutation(requirements.remove, { quiet: true });
  const ask = ({ id, course }: CourseRequirement) =>
    confirm({
      title: t("requirements.removeTitle", { course }),
      text: t("requirements.removeText"),
      confirmLabel: t("requirements.remove"),
      cancelLabel: t("core.cancel"),
      danger: true,
      onConfirm: async () => {
        await remove.mutateAsync({ params: { id } });
        toast.done(t("requirements.removed"));
      },
    });
  return (
    <ul className={classes.requirements}>
      {items.map((item) => (
        <li key={item.id}>
          <span className={classes.cover}>
            <Cover code={item.code} />
          </span>
          <div className={classes.what}>
            <Link to={`/courses/${item.courseId}`}>{item.course}</Link>
            <span className={classes.dim}>{termsText(t, i18n.language, item)}</span>
          </div>
          {!item.isApplied && <Pill tone="info">{t("requirements.applying")}</Pill>}
          <span className={classes.share}>
            <span className={classes.dim}>{t("requirements.validNow")}</span>
            <Meter percent={shareValid([item.counts])} label={`${t("requirements.validNow")}: ${item.course}`} />
          </span>
          {onEdit && (
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon variant="subtle" color="gray" aria-label={`${t("core.actions")}: ${item.course}`}>
                  <IconDots size={18} stroke={1.7} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => onEdit(item)}>{t("requirements.edit")}</Menu.Item>
                <Menu.Item color="red" onClick={() => ask(item)}>
                  {t("requirements.remove")}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
        </li>
      ))}
    </ul>
  );
}
