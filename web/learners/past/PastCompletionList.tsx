import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { formatDate, formatDue } from "#web/core/format/format.ts";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/learners/past/past.module.css";
import { type PastCompletion, pastCompletions } from "#shared/completions/pastCompletions.ts";

const effectOf = ({ effect, courseId }: PastCompletion) =>
  effect === "history" && courseId === null ? "transcript" : effect;

/** What is recorded of a person, the latest first. `name`: of the person. */
export function PastCompletionList({ items, name }: { items: PastCompletion[]; name: string }) {
  const { t } = useTranslation();
  const remove = useApiMutation(pastCompletions.remove, { quiet: true });
  const ask = ({ id, course, completedOn }: PastCompletion) =>
    confirm({
      title: t("pastCompletions.removeTitle"),
      text: t("pastCompletions.removeText", { name, course, day: formatDate(completedOn) }),
      confirmLabel: t("pastCompletions.remove"),
      cancelLabel: t("core.cancel"),
      danger: true,
      onConfirm: async () => {
        await remove.mutateAsync({ params: { id } });
        toast.done(t("pastCompletions.removed"));
      },
    });
  const sourceOf = ({ fileName, createdBy, createdAt }: PastCompletion) => {
    const day = formatDue(createdAt);
    if (fileName !== null) return t("pastCompletions.byFile", { file: fileName, day });
    return createdBy
      ? t("pastCompletions.byHand", { name: createdBy, day })
      : t("pastCompletions.byHandUnknown", { day });
  };
  return (
    <section>
      <h3 className={classes.heading}>{t("pastCompletions.list")}</h3>
      <ul className={classes.list}>
        {items.map((item) => (
          <li key={item.id}>
            <div className={classes.what}>
              <strong>
                <bdi>{item.course}</bdi>
              </strong>
              <span>{formatDate(item.completedOn)}</span>
              {item.reference && <span>{t("pastCompletions.evidence", { reference: item.reference })}</span>}
              <span className={classes.dim}>{t(`pastCompletions.effects.${effectOf(item)}`)}</span>
              <span className={classes.dim}>{sourceOf(item)}</span>
            </div>
            {item.fileName === null && item.effect !== "takenBack" && (
              <Button
                variant="default"
                size="xs"
                aria-label={t("pastCompletions.removeLabel", {
                  course: item.course,
                  day: formatDate(item.completedOn),
                })}
                onClick={() => ask(item)}
              >
                {t("pastCompletions.remove")}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
