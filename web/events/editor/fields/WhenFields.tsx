import { NumberInput, Radio, Stack, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { TimeZoneSelect } from "#web/companies/TimeZoneSelect.tsx";
import { EditorSection } from "#web/events/editor/EditorSection.tsx";
import classes from "#web/events/editor/EventEditor.module.css";
import { moveEnd } from "#web/events/editor/eventValues.ts";
import type { EventForm } from "#web/events/editor/useEventForm.ts";
import { LocalTimeField } from "#web/events/editor/fields/LocalTimeField.tsx";
import { attendanceMode } from "#shared/events/eventPhases.ts";
import type { AdminEvent } from "#shared/events/eventViews.ts";

/** Start, end, time zone, format and venue. */
export function WhenFields({ form, event }: { form: EventForm; event: AdminEvent | null }) {
  const { t } = useTranslation();
  const values = form.getValues();
  const note = (path: string) => event?.timeNotes?.find((timeNote) => timeNote.path === path)?.message;
  return (
    <EditorSection name="when">
      <div className={classes.pair}>
        <LocalTimeField
          label={t("events.fields.startsLocal")}
          value={values.startsLocal}
          error={form.errors.startsLocal}
          description={note("startsLocal")}
          onChange={(startsLocal) => form.setValues({ startsLocal, endsLocal: moveEnd(values, startsLocal) })}
        />
        <LocalTimeField
          label={t("events.fields.endsLocal")}
          value={values.endsLocal}
          error={form.errors.endsLocal}
          description={note("endsLocal")}
          onChange={(endsLocal) => form.setFieldValue("endsLocal", endsLocal)}
        />
      </div>
      <TimeZoneSelect {...form.getInputProps("timezone")} description={t("events.edit.zoneHint")} />
      <Radio.Group label={t("events.fields.attendanceMode")} {...form.getInputProps("attendanceMode")}>
        <Stack gap={8} mt={6}>
          {attendanceMode.options.map((value) => (
            <Radio key={value} value={value} label={t(`events.mode.${value}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {values.attendanceMode !== "online" && (
        <>
          <div className={classes.pair}>
            <TextInput label={t("events.edit.venueName")} maxLength={200} {...form.getInputProps("venue.name")} />
            <TextInput
              label={<OptionalLabel>{t("events.edit.street")}</OptionalLabel>}
              maxLength={200}
              autoComplete="off"
              {...form.getInputProps("venue.street")}
            />
          </div>
          <div className={classes.pair}>
            <TextInput
              label={<OptionalLabel>{t("events.edit.postalCode")}</OptionalLabel>}
              maxLength={20}
              autoComplete="off"
              {...form.getInputProps("venue.postalCode")}
            />
            <TextInput
              label={<OptionalLabel>{t("events.edit.city")}</OptionalLabel>}
              maxLength={100}
              autoComplete="off"
              {...form.getInputProps("venue.city")}
            />
          </div>
          <div className={classes.pair}>
            <TextInput
              label={<OptionalLabel>{t("events.edit.country")}</OptionalLabel>}
              maxLength={100}
              autoComplete="off"
              {...form.getInputProps("venue.country")}
            />
            <TextInput
              label={<OptionalLabel>{t("events.edit.mapUrl")}</OptionalLabel>}
              type="url"
              maxLength={2000}
              {...form.getInputProps("venue.mapUrl")}
            />
          </div>
        </>
      )}
      {values.attendanceMode !== "in_person" && (
        <div className={classes.pair}>
          <TextInput
            label={<OptionalLabel>{t("events.fields.onlineUrl")}</OptionalLabel>}
            type="url"
            description={t("events.edit.onlineHint")}
            maxLength={2000}
            {...form.getInputProps("onlineUrl")}
          />
          <NumberInput
            label={t("events.fields.joinOpensMinutes")}
            description={t("events.edit.joinHint")}
            min={0}
            max={10_080}
            allowDecimal={false}
            {...form.getInputProps("joinOpensMinutes")}
          />
        </div>
      )}
    </EditorSection>
  );
}
