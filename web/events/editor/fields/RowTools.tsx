import { ActionIcon } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "#web/events/editor/EventEditor.module.css";

type Props = { title: string; index: number; count: number; onMove: (to: number) => void; onRemove: () => void };
const icon = { size: 17, stroke: 1.7 };

/** Title and buttons of an item in an ordered list: move up, move down, remove. */
export function RowTools({ title, index, count, onMove, onRemove }: Props) {
  const { t } = useTranslation();
  return (
    <div className={classes.rowHead}>
      <strong>{title}</strong>
      <ActionIcon
        size={30}
        aria-label={t("events.edit.up", { title })}
        title={t("events.edit.up", { title })}
        disabled={index === 0}
        onClick={() => onMove(index - 1)}
      >
        <IconArrowUp {...icon} />
      </ActionIcon>
      <ActionIcon
        size={30}
        aria-label={t("events.edit.down", { title })}
        title={t("events.edit.down", { title })}
        disabled={index === count - 1}
        onClick={() => onMove(index + 1)}
      >
        <IconArrowDown {...icon} />
      </ActionIcon>
      <ActionIcon
        size={30}
        aria-label={t("events.edit.removeRow", { title })}
        title={t("events.edit.removeRow", { title })}
        onClick={onRemove}
      >
        <IconTrash {...icon} />
      </ActionIcon>
    </div>
  );
}
