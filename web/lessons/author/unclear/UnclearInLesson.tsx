import { useTranslation } from "react-i18next";
import comments from "#web/lessons/author/comments/comments.module.css";
import classes from "#web/lessons/author/unclear/unclear.module.css";
import { UnclearItem } from "#web/lessons/author/unclear/UnclearItem.tsx";
import type { UnclearBlock } from "#shared/lessons/unclear/unclearMarks.ts";

type Props = {
  courseId: string;
  items: UnclearBlock[];
  /** Ids of the blocks of the draft. */
  places: string[];
  onShow: (blockId: string) => void;
  onDiscuss: (blockId: string) => void;
};

/** What learners find unclear in the open lesson, above the comments on it. */
export function UnclearInLesson({ courseId, items, places, onShow, onDiscuss }: Props) {
  const { t } = useTranslation();
  const open = items.filter((item) => item.open > 0);
  if (open.length === 0) return null;
  return (
    <>
      <h2 className={comments.title}>{t("unclearMarks.title")}</h2>
      <p className={comments.gone}>{t("unclearMarks.lead")}</p>
      <ul className={classes.list}>
        {open.map((item) => {
          const { blockId } = item;
          const isThere = places.includes(blockId);
          const about = item.about || t("unclearMarks.block");
          return (
            <UnclearItem
              key={blockId}
              courseId={courseId}
              item={item}
              title={
                isThere ? (
                  <button type="button" className={classes.about} onClick={() => onShow(blockId)}>
                    <span className="ly-hidden">{t("lessonComments.show")} </span>
                    {about}
                  </button>
                ) : (
                  <p className={comments.gone}>
                    {t("lessonComments.removedBlock")} <q>{about}</q>
                  </p>
                )
              }
              onDiscuss={isThere ? () => onDiscuss(blockId) : null}
            />
          );
        })}
      </ul>
    </>
  );
}
