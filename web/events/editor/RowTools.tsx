import { ActionIcon } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "#web/events/editor/EventEditor.module.css";

type Props = { title: string; at: number; count: number; onMove: (to: number) => void; onRemove: () => void };
const icon = { size: 17, stroke: 1.7 };

/** Head of one block in a list that can be ordered: what it is, up, down, away. */
export function RowTools({ title, at, count, onMove, onRemove }: Props) {
  const { t } = useTranslation();
  return (
    <div className={classes.rowHead}>
      <strong>{title}</strong>
      <ActionIcon
        size={30}
        aria-label={t("events.edit.up", { title })}
        disabled={at === 0}
        onClick={() => onMove(at - 1)}
      >
        <IconArrowUp {...icon} />
      </ActionIcon>
      <ActionIcon
        size={30}
        aria-label={t("events.edit.down", { title })}
        disabled={at === count - 1}
        onClick={() => onMove(at + 1)}
      >
        <IconArrowDown {...icon} />
      </ActionIcon>
      <ActionIcon size={30} aria-label={t("events.edit.removeRow", { title })} onClick={onRemove}>
        <IconTrash {...icon} />
      </ActionIcon>
    </div>
  );
}
