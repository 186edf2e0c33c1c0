import { Autocomplete, Select, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { queryFor } from "#web/core/api/api.ts";
import { EditorSection } from "#web/events/editor/EditorSection.tsx";
import classes from "#web/events/editor/EventEditor.module.css";
import { PictureField } from "#web/events/editor/fields/PictureField.tsx";
import type { EventForm } from "#web/events/editor/useEventForm.ts";
import { languageName } from "#web/core/format/languageName.ts";
import type { AdminEvent } from "#shared/events/eventViews.ts";
import { events } from "#shared/events/events.ts";

const LANGUAGES = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "nl",
  "pt",
  "nb",
  "sv",
  "da",
  "fi",
  "pl",
  "cs",
  "uk",
  "tr",
  "zh",
  "ja",
];
type Props = {
  form: EventForm;
  event: AdminEvent | null;
  pictures: ReadonlyMap<string, string>;
  onPicture: (path: string, url: string) => void;
};

/** Title, summary, description, category, language, cover and page address. */
export function BasicsFields({ form, event, pictures, onPicture }: Props) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(events.list, { query: { size: 1 } }));
  const { cover, language, slug } = form.getValues();
  const languages = [...new Set([...LANGUAGES, language])];
  return (
    <EditorSection name="basics">
      <TextInput
        label={t("events.fields.title")}
        maxLength={200}
        autoComplete="off"
        {...form.getInputProps("title")}
        {...(!event && { "data-autofocus": true })}
      />
      <Textarea
        label={<OptionalLabel>{t("events.fields.summary")}</OptionalLabel>}
        description={t("events.edit.summaryHint")}
        autosize
        minRows={2}
        maxLength={200}
        {...form.getInputProps("summary")}
      />
      <Textarea
        label={<OptionalLabel>{t("events.fields.description")}</OptionalLabel>}
        description={t("events.edit.markdownHint")}
        autosize
        minRows={5}
        maxRows={18}
        maxLength={20_000}
        {...form.getInputProps("description")}
      />
      <div className={classes.pair}>
        <Autocomplete
          label={<OptionalLabel>{t("events.fields.category")}</OptionalLabel>}
          maxLength={60}
          data={data?.categories ?? []}
          {...form.getInputProps("category")}
        />
        <Select
          label={t("events.fields.language")}
          searchable
          allowDeselect={false}
          data={languages.map((value) => ({ value, label: languageName(value) }))}
          {...form.getInputProps("language")}
        />
      </div>
      <PictureField
        label={t("events.fields.cover")}
        hint={t("events.edit.coverHint")}
        frameClass={classes.cover ?? ""}
        path={cover}
        url={cover === null ? null : (pictures.get(cover) ?? event?.coverUrl ?? null)}
        error={form.errors.cover}
        onChange={(path, url) => {
          if (path && url) onPicture(path, url);
          form.setFieldValue("cover", path);
          form.clearFieldError("cover");
        }}
      />
      <TextInput
        label={event ? t("events.fields.slug") : <OptionalLabel>{t("events.fields.slug")}</OptionalLabel>}
        maxLength={120}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps("slug")}
        description={
          event && slug !== event.slug
            ? t("events.edit.slugMoved")
            : t("events.edit.slugHint", { address: `${location.host}/events/${slug || "…"}` })
        }
      />
    </EditorSection>
  );
}
