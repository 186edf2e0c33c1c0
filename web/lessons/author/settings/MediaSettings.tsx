import { Button, CloseButton, TextInput } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { FileDrop } from "#web/core/upload/FileDrop.tsx";
import { dismissUpload } from "#web/core/upload/uploadActions.ts";
import { useUploads } from "#web/core/upload/uploads.ts";
import { useAuthor } from "#web/lessons/author/authorContext.ts";
import { fileOf, mediaDestination, mediaSlot } from "#web/lessons/author/lessonUpload.ts";
import { ChoiceField, LongField, SwitchField, TextField } from "#web/lessons/author/settings/fields.tsx";
import classes from "#web/lessons/author/settings/settings.module.css";
import { changeSettings, type Settings } from "#web/lessons/author/settings/settings.ts";
import { MIB } from "#shared/core/route.ts";

type Captions = {
  file: { fileId: string; name: string; type: string; bytes: number };
  language: string;
  label: string;
};

/** What readers need of a picture, video, recording or file. */
export function MediaSettings({ of }: { of: Settings }) {
  const { t } = useTranslation();
  const { node } = of;
  const name = node.type.name;
  const replace = node.attrs["file"] ? (
    <Button variant="default" size="xs" onClick={() => changeSettings(of, { file: null })}>
      {t("lessonDrafts.media.replace")}
    </Button>
  ) : null;
  if (name === "image")
    return (
      <>
        {node.attrs["isDecorative"] !== true && (
          <LongField of={of} name="alt" label={t("lessonDrafts.media.alt")} hint={t("lessonDrafts.media.altHint")} />
        )}
        <SwitchField of={of} name="isDecorative" label={t("lessonDrafts.media.decorative")} />
        <ChoiceField
          of={of}
          name="width"
          label={t("lessonDrafts.media.width")}
          options={(["small", "text", "wide"] as const).map((value) => ({
            value,
            label: t(`lessonDrafts.media.widths.${value}`),
          }))}
        />
        {replace}
      </>
    );
  return (
    <>
      <TextField of={of} name="title" label={t("lessonDrafts.media.title")} />
      {name !== "file" && <SwitchField of={of} name="required" label={t("lessonDrafts.media.watchAll")} />}
      {name === "video" && <SwitchField of={of} name="noSkipping" label={t("lessonDrafts.media.noSkipping")} />}
      {name === "video" && <CaptionList of={of} />}
      {replace}
    </>
  );
}

const MAX_BYTES = 2 * MIB;

function CaptionList({ of }: { of: Settings }) {
  const { t } = useTranslation();
  const { draft, lessonId } = useAuthor();
  const captions = of.node.attrs["captions"] as Captions[];
  const slot = mediaSlot(String(of.node.attrs["id"]), "captions");
  const done = useUploads({ slot }).find(({ phase }) => phase === "done");
  const set = (next: Captions[]) => changeSettings(of, { captions: next });
  useEffect(() => {
    if (!done) return;
    const { fileId, name, type, bytes } = fileOf(done);
    dismissUpload(done.id);
    set([
      ...captions,
      {
        file: { fileId, name, type, bytes },
        language: draft.language,
        label: name.replace(/\.vtt$/i, "").slice(0, 100),
      },
    ]);
  });
  const change = (at: number, part: Partial<Captions>) =>
    set(captions.map((one, n) => (n === at ? { ...one, ...part } : one)));
  return (
    <fieldset data-setting="captions" className={classes.set}>
      <legend>{t("lessonDrafts.media.captions")}</legend>
      {captions.map((one, at) => (
        <div key={one.file.fileId} className={classes.caption}>
          <TextInput
            size="xs"
            aria-label={t("lessonDrafts.media.captionLabel")}
            value={one.label}
            maxLength={100}
            onChange={(event) => change(at, { label: event.currentTarget.value })}
          />
          <TextInput
            size="xs"
            w={64}
            aria-label={t("lessonDrafts.media.captionLanguage")}
            value={one.language}
            maxLength={20}
            onChange={(event) => change(at, { language: event.currentTarget.value })}
          />
          <CloseButton
            size="sm"
            aria-label={t("lessonDrafts.media.removeCaptions", { name: one.label })}
            onClick={() => set(captions.filter((_, n) => n !== at))}
          />
        </div>
      ))}
      <FileDrop
        destination={mediaDestination(slot, { courseId: draft.id, lessonId })}
        label={t("lessonDrafts.media.chooseCaptions")}
        accept={[".vtt"]}
        maxBytes={MAX_BYTES}
      />
    </fieldset>
  );
}
