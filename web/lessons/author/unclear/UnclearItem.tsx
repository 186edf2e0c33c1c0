import { Button } from "@mantine/core";
import { IconCheck, IconMessage, IconRotate } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { formatDate } from "#web/core/format/format.ts";
import classes from "#web/lessons/author/unclear/unclear.module.css";
import { type UnclearBlock, unclearMarks } from "#shared/lessons/unclear/unclearMarks.ts";

type Props = {
  courseId: string;
  item: UnclearBlock;
  /** The block, with the way to it. */
  title: ReactNode;
  /** Opens a thread of comments on the block; null if there is no such block in the draft. */
  onDiscuss: (() => void) | null;
};

/** A block that learners find unclear: how many, what they say, and what to do about it. */
export function UnclearItem({ courseId, item, title, onDiscuss }: Props) {
  const { t } = useTranslation();
  const deal = useApiMutation(unclearMarks.deal);
  const { lessonId, blockId, open, people, lines, until } = item;
  const isDealt = open === 0;
  return (
    <li className={classes.item} data-dealt={isDealt || undefined}>
      {title}
      <p className={classes.meta}>
        <strong>{t("unclearMarks.people", { count: isDealt ? people : open })}</strong>{" "}
        {t("unclearMarks.version", { version: item.version })}
        {isDealt && (
          <span className={classes.dealt}>
            <IconCheck size={16} stroke={1.8} aria-hidden />
            {t("unclearMarks.dealt")}
          </span>
        )}
      </p>
      {lines.length === 0 && <p className={classes.meta}>{t("unclearMarks.noLines")}</p>}
      {lines.length > 0 && (
        <ul className={classes.lines}>
          {lines.map(({ line, day, isDealt: isLineDealt }, n) => (
            <li key={`${day} ${n}`} data-dealt={(isLineDealt && !isDealt) || undefined}>
              <q dir="auto">{line}</q> <span className={classes.meta}>{formatDate(day)}</span>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.buttons}>
        <Button
          variant="default"
          size="xs"
          loading={deal.isPending}
          leftSection={
            isDealt ? (
              <IconRotate size={16} stroke={1.7} aria-hidden />
            ) : (
              <IconCheck size={16} stroke={1.8} aria-hidden />
            )
          }
          onClick={() =>
            deal.mutate({ params: { id: courseId }, body: { lessonId, blockId, until, isDealt: !isDealt } })
          }
        >
          {t(isDealt ? "unclearMarks.reopen" : "unclearMarks.deal")}
        </Button>
        {onDiscuss && (
          <Button
            variant="subtle"
            size="xs"
            leftSection={<IconMessage size={16} stroke={1.7} aria-hidden />}
            onClick={onDiscuss}
          >
            {t("unclearMarks.comment")}
          </Button>
        )}
      </div>
    </li>
  );
}
