import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call, useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { saveBlob } from "#web/core/api/download.ts";
import { formatDate } from "#web/core/format/format.ts";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/events/registration/SelfService.module.css";
import { events, type OwnRegistration } from "#shared/events.ts";

/** States in which cancelling gives something up that has a name. */
const held = ["confirmed", "offered", "waitlisted", "pending_approval"] as const;
const isHeld = (state: string): state is (typeof held)[number] => held.includes(state as (typeof held)[number]);
type Props = { registration: OwnRegistration; token: string; onErased: () => void };

/** The ways out: cancel, take a copy of everything that is stored, have it deleted. */
export function SelfServiceEnd({
  registration: { state, mayCancel, event, purgeAt, reference },
  token,
  onErased,
}: Props) {
  const { t } = useTranslation();
  const [saving, setSaving] = useState(false);
  const cancel = useApiMutation(events.cancelOwn, { quiet: true });
  const erase = useApiMutation(events.eraseOwn, { quiet: true, alsoInvalidate: [] });
  const params = { token };
  const save = async () => {
    setSaving(true);
    try {
      const stored = await call(events.exportOwn, { params });
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
    <section className={classes.section} aria-labelledby="own-end">
      <h2 id="own-end">{t("events.own.end")}</h2>
      <p className={classes.note}>
        {purgeAt ? t("events.own.purge", { date: formatDate(purgeAt) }) : t("events.own.endText")}
      </p>
      <div className={classes.acts}>
        {mayCancel && (
          <Button
            variant="default"
            onClick={() =>
              confirm({
                title: t("events.own.cancelTitle", { title: event.title }),
                text: t(`events.own.cancelText.${isHeld(state) ? state : "other"}`),
                confirmLabel: t("events.own.cancel"),
                cancelLabel: t("events.own.keep"),
                danger: true,
                onConfirm: async () => {
                  await cancel.mutateAsync({ params });
                  toast.done(t("events.own.cancelled"));
                },
              })
            }
          >
            {t("events.own.cancel")}
          </Button>
        )}
        <Button variant="default" loading={saving} onClick={() => void save()}>
          {t("events.own.export")}
        </Button>
        <Button
          variant="subtle"
          c="var(--ly-bad)"
          onClick={() =>
            confirm({
              title: t("events.own.eraseTitle"),
              text: t("events.own.eraseText"),
              confirmLabel: t("events.own.erase"),
              cancelLabel: t("events.own.keepData"),
              danger: true,
              onConfirm: async () => {
                await erase.mutateAsync({ params });
                onErased();
              },
            })
          }
        >
          {t("events.own.erase")}
        </Button>
      </div>
    </section>
  );
}
