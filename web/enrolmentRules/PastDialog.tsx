import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { Dialog } from "#web/core/dialog/Dialog.tsx";
import { formatDate } from "#web/core/format/format.ts";
import { messageOf } from "#web/core/http/messages.ts";
import classes from "#web/enrolmentRules/enrolmentRules.module.css";
import { enrolmentRules, type RuleDraft } from "#shared/enrolmentRules/enrolmentRules.ts";

/** Whom the rule would have enrolled in the last 90 days, by day. */
export function PastDialog({ draft, onClose }: { draft: RuleDraft; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error } = useQuery({ ...queryFor(enrolmentRules.past, { body: draft }), retry: false });
  return (
    <Dialog opened onClose={onClose} title={t("enrolmentRules.past.title")} size={560}>
      {error && <p role="alert">{messageOf(error)}</p>}
      {!error && !data && <p>{t("enrolmentRules.preview.counting")}</p>}
      {data && (
        <p>{data.total > 0 ? t("enrolmentRules.past.total", { count: data.total }) : t("enrolmentRules.past.none")}</p>
      )}
      <ul className={classes.people}>
        {data?.days.map(({ day, count, names }) => (
          <li key={day}>
            <span>
              {formatDate(day)}
              <small>
                {count > names.length
                  ? t("enrolmentRules.preview.more", { names: names.join(", "), count: count - names.length })
                  : names.join(", ")}
              </small>
            </span>
            <span>{count}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
