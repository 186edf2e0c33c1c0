import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { formatDate, formatDue } from "#web/core/format/format.ts";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/requirements/requirements.module.css";
import { type Exemption, exemptions } from "#shared/requirements/exemptions.ts";

/** The exemptions of a person from a course, the latest first. `name`: of the person. */
export function ExemptionList({ items, name }: { items: Exemption[]; name: string }) {
  const { t } = useTranslation();
  const end = useApiMutation(exemptions.end, { quiet: true });
  const ask = ({ id }: Exemption) =>
    confirm({
      title: t("exemptions.endTitle"),
      text: t("exemptions.endText", { name }),
      confirmLabel: t("exemptions.end"),
      cancelLabel: t("core.cancel"),
      onConfirm: async () => {
        await end.mutateAsync({ params: { id } });
        toast.done(t("exemptions.endDone"));
      },
    });
  return (
    <ul className={classes.exemptions} aria-label={t("exemptions.list")}>
      {items.map((item) => (
        <li key={item.id}>
          <div className={classes.what}>
            <strong>{t("exemptions.period", { from: formatDate(item.from), until: formatDate(item.until) })}</strong>
            <span>{t(`exemptions.grounds.${item.ground}`)}</span>
            {item.note && <span className={classes.note}>{item.note}</span>}
            <span className={classes.dim}>
              {item.createdBy
                ? t("exemptions.givenBy", { name: item.createdBy, day: formatDue(item.createdAt) })
                : t("exemptions.given", { day: formatDue(item.createdAt) })}
            </span>
            {item.endedAt && (
              <span className={classes.dim}>
                {item.endedBy
                  ? t("exemptions.endedBy", { name: item.endedBy, day: formatDue(item.endedAt) })
                  : t("exemptions.ended", { day: formatDue(item.endedAt) })}
              </span>
            )}
          </div>
          {item.isOpen && (
            <Button variant="default" size="xs" onClick={() => ask(item)}>
              {t("exemptions.end")}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
