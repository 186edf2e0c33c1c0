import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call, useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { saveBlob } from "#web/core/api/download.ts";
import { formatDate } from "#web/core/format/format.ts";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/events/registration/SelfService.module.css";
import { eventRegistrations, type MyRegistration } from "#shared/events/eventRegistrations.ts";

/** States with a specific text about what cancelling gives up. */
const STATES_WITH_TEXT = ["confirmed", "offered", "waitlisted", "pending_approval"] as const;
const hasCancelText = (state: string): state is (typeof STATES_WITH_TEXT)[number] =>
  STATES_WITH_TEXT.includes(state as (typeof STATES_WITH_TEXT)[number]);
type Props = { registration: MyRegistration; token: string; onErased: () => void };

/** Cancels the registration, or exports or deletes its data. */
export function SelfServiceEnd({
  registration: { state, canCancel, event, purgeAt, reference },
  token,
  onErased,
}: Props) {
  const { t } = useTranslation();
  const [saving, setSaving] = useState(false);
  const cancel = useApiMutation(eventRegistrations.cancelMine, { quiet: true });
  const erase = useApiMutation(eventRegistrations.eraseMine, { quiet: true });
  const params = { token };
  const exportData = async () => {
    setSaving(true);
    try {
      const stored = await call(eventRegistrations.exportMine, { params });
      saveBlob(
        new Blob([JSON.stringify(stored, null, 2)], { type: "application/json" }),
        `registration-${reference}.json`,
      );
    } catch (error) {
      toast.failed(error);
    } finally {
      setSaving(false);
    }
  };
  return (
    <section className={classes.section} aria-labelledby="registration-manage">
      <h2 id="registration-manage">{t("events.selfService.manage")}</h2>
      <p className={classes.note}>
        {purgeAt
          ? t("events.selfService.purgeText", { date: formatDate(purgeAt) })
          : t("events.selfService.manageText")}
      </p>
      <div className={classes.actions}>
        {canCancel && (
          <Button
            variant="default"
            onClick={() =>
              confirm({
                title: t("events.selfService.cancelTitle", { title: event.title }),
                text: t(`events.selfService.cancelText.${hasCancelText(state) ? state : "other"}`),
                confirmLabel: t("events.selfService.cancel"),
                cancelLabel: t("events.selfService.keep"),
                danger: true,
                onConfirm: async () => {
                  await cancel.mutateAsync({ params });
                  toast.done(t("events.selfService.cancelled"));
                },
              })
            }
          >
            {t("events.selfService.cancel")}
          </Button>
        )}
        <Button variant="default" loading={saving} onClick={() => void exportData()}>
          {t("events.selfService.export")}
        </Button>
        <Button
          variant="subtle"
          c="var(--ly-bad)"
          onClick={() =>
            confirm({
              title: t("events.selfService.eraseTitle"),
              text: t("events.selfService.eraseText"),
              confirmLabel: t("events.selfService.erase"),
              cancelLabel: t("events.selfService.keepData"),
              danger: true,
              onConfirm: async () => {
                await erase.mutateAsync({ params });
                onErased();
              },
            })
          }
        >
          {t("events.selfService.erase")}
        </Button>
      </div>
    </section>
  );
}
