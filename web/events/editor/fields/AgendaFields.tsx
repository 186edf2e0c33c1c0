import { Button, MultiSelect, Textarea, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { newId } from "#web/core/random.ts";
import { EditorSection } from "#web/events/editor/EditorSection.tsx";
import classes from "#web/events/editor/EventEditor.module.css";
import { RowTools } from "#web/events/editor/fields/RowTools.tsx";
import type { EventForm } from "#web/events/editor/useEventForm.ts";
import { LocalTimeField } from "#web/events/editor/fields/LocalTimeField.tsx";

/** The agenda items with time and speakers. */
export function AgendaFields({ form }: { form: EventForm }) {
  const { t } = useTranslation();
  const { agenda, speakers, startsLocal } = form.getValues();
  const namedSpeakers = speakers.filter(({ name }) => name.trim());
  const add = () =>
    form.insertListItem("agenda", {
      id: newId(),
      startsAt: agenda.at(-1)?.startsAt || startsLocal,
      title: "",
      description: "",
      speakerIds: [],
    });
  return (
    <EditorSection name="agenda">
      {agenda.length > 0 && (
        <ol className={classes.rows}>
          {agenda.map((item, index) => (
            <li key={item.id} className={classes.row}>
              <RowTools
                title={item.title || t("events.edit.agendaItem", { number: index + 1 })}
                index={index}
                count={agenda.length}
                onMove={(to) => form.reorderListItem("agenda", { from: index, to })}
                onRemove={() => form.removeListItem("agenda", index)}
              />
              <TextInput
                label={t("events.fields.title")}
                maxLength={200}
                {...form.getInputProps(`agenda.${index}.title`)}
              />
              <div className={classes.pair}>
                <LocalTimeField
                  label={t("events.edit.startsAt")}
                  optional={<OptionalLabel>{""}</OptionalLabel>}
                  clearable
                  value={item.startsAt}
                  error={form.errors[`agenda.${index}.startsAt`]}
                  onChange={(wall) => form.setFieldValue(`agenda.${index}.startsAt`, wall)}
                  onClear={() => form.setFieldValue(`agenda.${index}.startsAt`, "")}
                />
                {namedSpeakers.length > 0 && (
                  <MultiSelect
                    label={<OptionalLabel>{t("events.edit.bySpeakers")}</OptionalLabel>}
                    data={namedSpeakers.map(({ id, name }) => ({ value: id, label: name }))}
                    {...form.getInputProps(`agenda.${index}.speakerIds`)}
                  />
                )}
              </div>
              <Textarea
                label={<OptionalLabel>{t("events.fields.description")}</OptionalLabel>}
                autosize
                minRows={1}
                maxLength={1000}
                {...form.getInputProps(`agenda.${index}.description`)}
              />
            </li>
          ))}
        </ol>
      )}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={18} stroke={1.7} />}
          disabled={agenda.length >= 100}
          onClick={add}
        >
          {t("events.edit.addAgendaItem")}
        </Button>
      </div>
    </EditorSection>
  );
}
