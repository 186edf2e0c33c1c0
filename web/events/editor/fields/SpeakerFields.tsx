import { Button, Textarea, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { newId } from "#web/core/random.ts";
import { EditorSection } from "#web/events/editor/EditorSection.tsx";
import classes from "#web/events/editor/EventEditor.module.css";
import { PictureField } from "#web/events/editor/fields/PictureField.tsx";
import { storedPhoto } from "#web/events/editor/eventPreview.ts";
import { RowTools } from "#web/events/editor/fields/RowTools.tsx";
import speakerClasses from "#web/events/editor/fields/SpeakerFields.module.css";
import type { EventForm } from "#web/events/editor/useEventForm.ts";
import type { AdminEvent } from "#shared/events/eventViews.ts";

type Props = {
  form: EventForm;
  event: AdminEvent | null;
  pictures: ReadonlyMap<string, string>;
  onPicture: (path: string, url: string) => void;
};

/** The speakers with role, biography and photo. */
export function SpeakerFields({ form, event, pictures, onPicture }: Props) {
  const { t } = useTranslation();
  const { speakers } = form.getValues();
  return (
    <EditorSection name="speakers">
      {speakers.length > 0 && (
        <ol className={classes.rows}>
          {speakers.map(({ id, name, photo }, index) => (
            <li key={id} className={classes.row}>
              <RowTools
                title={name || t("events.edit.speaker", { number: index + 1 })}
                index={index}
                count={speakers.length}
                onMove={(to) => form.reorderListItem("speakers", { from: index, to })}
                onRemove={() => form.removeListItem("speakers", index)}
              />
              <div className={classes.pair}>
                <TextInput
                  label={t("events.form.name")}
                  maxLength={120}
                  autoComplete="off"
                  {...form.getInputProps(`speakers.${index}.name`)}
                />
                <TextInput
                  label={<OptionalLabel>{t("events.edit.role")}</OptionalLabel>}
                  maxLength={200}
                  autoComplete="off"
                  {...form.getInputProps(`speakers.${index}.role`)}
                />
              </div>
              <Textarea
                label={<OptionalLabel>{t("events.edit.bio")}</OptionalLabel>}
                autosize
                minRows={2}
                maxLength={2000}
                {...form.getInputProps(`speakers.${index}.bio`)}
              />
              <PictureField
                label={t("events.edit.photo")}
                frameClass={speakerClasses.photo ?? ""}
                path={photo}
                url={photo ? (pictures.get(photo) ?? storedPhoto(event, id, photo)) : null}
                error={form.errors[`speakers.${index}.photo`]}
                onChange={(path, url) => {
                  if (path && url) onPicture(path, url);
                  form.setFieldValue(`speakers.${index}.photo`, path);
                }}
              />
            </li>
          ))}
        </ol>
      )}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={18} stroke={1.7} />}
          disabled={speakers.length >= 50}
          onClick={() => form.insertListItem("speakers", { id: newId(), name: "", role: "", bio: "", photo: null })}
        >
          {t("events.edit.addSpeaker")}
        </Button>
      </div>
    </EditorSection>
  );
}
