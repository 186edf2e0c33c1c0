import { NumberInput, Radio, Select, Stack, Switch, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { EditorSection } from "#web/events/editor/EditorSection.tsx";
import classes from "#web/events/editor/EventEditor.module.css";
import type { EventForm } from "#web/events/editor/useEventForm.ts";
import { LocalTimeField } from "#web/events/editor/fields/LocalTimeField.tsx";
import { registrationMode } from "#shared/events/eventPhases.ts";
import type { AdminEvent } from "#shared/events/eventViews.ts";

const OFFER_HOURS = [1, 4, 12, 24, 48, 72, 168];

/** Registration mode, period, seats and waiting list. */
export function SeatFields({ form, event }: { form: EventForm; event: AdminEvent | null }) {
  const { t } = useTranslation();
  const values = form.getValues();
  const takesRegistrations = values.registrationMode === "open" || values.registrationMode === "approval";
  const optional = <OptionalLabel>{""}</OptionalLabel>;
  const seatsInput = (name: "capacity" | "capacityOnline", taken: number) => (
    <NumberInput
      label={
        <OptionalLabel>
          {t(
            name === "capacity" && values.attendanceMode === "hybrid"
              ? "events.edit.capacityInPerson"
              : `events.fields.${name}`,
          )}
        </OptionalLabel>
      }
      min={0}
      max={1_000_000}
      allowDecimal={false}
      thousandSeparator=","
      description={
        values[name] !== null && values[name] < taken
          ? t("events.edit.tooFew", { count: taken })
          : t("events.edit.noLimit")
      }
      value={values[name] ?? ""}
      error={form.errors[name]}
      onChange={(value) => form.setFieldValue(name, value === "" ? null : Number(value))}
    />
  );
  return (
    <EditorSection name="seats">
      <Radio.Group label={t("events.fields.registrationMode")} {...form.getInputProps("registrationMode")}>
        <Stack gap={8} mt={6}>
          {registrationMode.options.map((value) => (
            <Radio key={value} value={value} label={t(`events.registrationMode.${value}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {values.registrationMode === "external" && (
        <TextInput
          label={t("events.fields.externalUrl")}
          type="url"
          maxLength={2000}
          placeholder="https://"
          {...form.getInputProps("externalUrl")}
        />
      )}
      {values.registrationMode !== "closed" && (
        <div className={classes.pair}>
          {(["registrationOpensLocal", "registrationClosesLocal"] as const).map((name) => (
            <LocalTimeField
              key={name}
              label={t(`events.fields.${name}`)}
              optional={optional}
              clearable
              value={values[name]}
              error={form.errors[name]}
              onChange={(wall) => form.setFieldValue(name, wall)}
              onClear={() => form.setFieldValue(name, null)}
            />
          ))}
        </div>
      )}
      {takesRegistrations && (
        <>
          <div className={classes.pair}>
            {seatsInput("capacity", event?.counts.seatsTaken ?? 0)}
            {values.attendanceMode === "hybrid" && seatsInput("capacityOnline", event?.counts.seatsTakenOnline ?? 0)}
          </div>
          <Switch
            label={t("events.fields.waitlistEnabled")}
            description={t("events.edit.waitlistHint")}
            {...form.getInputProps("waitlistEnabled", { type: "checkbox" })}
          />
          {values.waitlistEnabled && (
            <div className={classes.pair}>
              <Select
                label={t("events.fields.waitlistMode")}
                allowDeselect={false}
                {...form.getInputProps("waitlistMode")}
                data={(["auto_offer", "manual"] as const).map((value) => ({
                  value,
                  label: t(`events.waitlistMode.${value}`),
                }))}
              />
              <Select
                label={t("events.fields.offerMinutes")}
                allowDeselect={false}
                value={String(values.offerMinutes)}
                onChange={(value) => form.setFieldValue("offerMinutes", Number(value))}
                data={[...new Set([...OFFER_HOURS.map((hours) => hours * 60), values.offerMinutes])]
                  .toSorted((a, b) => a - b)
                  .map((minutes) => ({
                    value: String(minutes),
                    label:
                      minutes % 60
                        ? t("events.edit.minutes", { count: minutes })
                        : t("events.edit.hours", { count: minutes / 60 }),
                  }))}
              />
            </div>
          )}
          <Switch
            label={t("events.fields.requireEmailConfirmation")}
            description={t("events.edit.confirmationHint")}
            {...form.getInputProps("requireEmailConfirmation", { type: "checkbox" })}
          />
          <Switch
            label={t("events.fields.challenge")}
            description={t("events.edit.challengeHint")}
            checked={values.challenge === "pow"}
            onChange={(event) => form.setFieldValue("challenge", event.currentTarget.checked ? "pow" : "none")}
          />
          <Select
            label={t("events.fields.modificationMode")}
            allowDeselect={false}
            data={(["always", "until_close", "never"] as const).map((value) => ({
              value,
              label: t(`events.modificationMode.${value}`),
            }))}
            {...form.getInputProps("modificationMode")}
          />
        </>
      )}
    </EditorSection>
  );
}
