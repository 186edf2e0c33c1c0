import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import classes from "#web/courses/completion/completions.module.css";
import { queriesOf, useApiMutation } from "#web/core/api/api.ts";
import { isStatus } from "#web/core/http/http.ts";
import { formatDateTime } from "#web/core/format/format.ts";
import { toast } from "#web/core/toast/toast.ts";
import { type Completion, completions } from "#shared/completions/completions.ts";

/** What admins have decided about a completion, the latest first; the last decision of a day can be undone. */
export function DecisionList({ completion: { decisions } }: { completion: Completion }) {
  const { t } = useTranslation();
  const undo = useApiMutation(completions.undo);
  const client = useQueryClient();
  if (decisions.length === 0) return null;
  const byOf = (name: string | null) => name ?? t("completions.formerAdmin");
  return (
    <section>
      <h3 className={classes.heading}>{t("completions.decisions")}</h3>
      {decisions.map(({ id, kind, reason, by, at, undoneAt, undoneBy, canUndo }) => (
        <div key={id} className={classes.help}>
          <div className={classes.words}>
            <p className={classes.name}>{t(`completions.decision.${kind}`)}</p>
            <p className={classes.dim}>{t("completions.reasonIs", { reason })}</p>
            <p className={classes.dim}>{t("completions.decidedBy", { name: byOf(by), when: formatDateTime(at) })}</p>
            {undoneAt && (
              <p className={classes.dim}>
                {t("completions.undoneBy", { name: byOf(undoneBy), when: formatDateTime(undoneAt) })}
              </p>
            )}
          </div>
          {canUndo && (
            <Button
              variant="default"
              size="sm"
              loading={undo.isPending}
              aria-label={t("completions.undo.label", { what: t(`completions.decision.${kind}`) })}
              onClick={() =>
                void undo.mutateAsync({ params: { id } }).then(
                  () => toast.done(t("completions.undo.done")),
                  (error: unknown) => {
                    if (isStatus(error, 409)) void client.invalidateQueries(queriesOf(completions.get));
                  },
                )
              }
            >
              {t("completions.undo.action")}
            </Button>
          )}
        </div>
      ))}
    </section>
  );
}
