import { Button, Checkbox, Group, Text } from "@mantine/core";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { UnsavedGuard } from "#web/core/dialog/UnsavedGuard.tsx";
import { confirm } from "#web/core/dialog/confirm.ts";
import { toast } from "#web/core/toast/toast.ts";
import { AgendaFields } from "#web/events/editor/fields/AgendaFields.tsx";
import { AudienceFields } from "#web/events/editor/fields/AudienceFields.tsx";
import { BasicsFields } from "#web/events/editor/fields/BasicsFields.tsx";
import classes from "#web/events/editor/EventEditor.module.css";
import { EditorHead } from "#web/events/editor/EditorHead.tsx";
import { sectionStates } from "#web/events/editor/editorSections.ts";
import { SectionContext } from "#web/events/editor/EditorSection.tsx";
import { useSections } from "#web/events/editor/useSections.ts";
import { EditorNav } from "#web/events/editor/EditorNav.tsx";
import { EventDetails } from "#web/events/public/EventDetails.tsx";
import { ErrorList } from "#web/events/editor/ErrorList.tsx";
import { MailFields } from "#web/events/editor/fields/MailFields.tsx";
import { eventPreview } from "#web/events/editor/eventPreview.ts";
import { QuestionFields } from "#web/events/editor/fields/QuestionFields.tsx";
import { SeatFields } from "#web/events/editor/fields/SeatFields.tsx";
import { SpeakerFields } from "#web/events/editor/fields/SpeakerFields.tsx";
import { useEventActions } from "#web/events/organiser/useEventActions.tsx";
import { useEventForm } from "#web/events/editor/useEventForm.ts";
import { WhenFields } from "#web/events/editor/fields/WhenFields.tsx";
import type { AdminEvent } from "#shared/events/eventViews.ts";

/** The form of an event, one section at a time, next to a preview for visitors. */
export function EventEditor({ event }: { event: AdminEvent | null }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const state = useEventForm(event);
  const { form, base, changed, isDirty, save, failure, conflict, notify, setNotify, guestsToNotify, busy } = state;
  const [pictures, setPictures] = useState<ReadonlyMap<string, string>>(new Map());
  const addPicture = (path: string, url: string) => setPictures((before) => new Map(before).set(path, url));
  const [leaving, setLeaving] = useState<string | null>(null);
  const element = useRef<HTMLFormElement>(null);
  const values = form.getValues();
  const preview = useMemo(() => eventPreview(values, base, pictures, state.id), [values, base, pictures, state.id]);
  const actions = useEventActions();
  const [publishing, setPublishing] = useState(false);

  useEffect(() => {
    if (leaving) void navigate(leaving, { replace: true });
  }, [leaving, navigate]);
  const states = sectionStates(Object.keys(form.errors), changed);
  const { current, show, focusError, showField } = useSections(element, states);
  const store = async (quiet = false) => {
    const row = await save();
    if (!row) focusError();
    else if (quiet) return row;
    else if (base) toast.done(t("events.edit.saved"));
    else {
      toast.done(t("events.edit.created"), { text: t("events.edit.createdText") });
      setLeaving(`/admin/events/edit/${row.id}#${current}`);
    }
    return row;
  };
  const publish = async () => {
    setPublishing(true);
    try {
      const row = isDirty ? await store(true) : base;
      if (row) await actions.publish(row);
    } catch (error) {
      await state.showFailure(error, {});
      focusError();
    } finally {
      setPublishing(false);
    }
  };
  const submit = (press: FormEvent) => {
    press.preventDefault();
    void store();
  };
  useEffect(() => {
    const onKey = (key: KeyboardEvent) => {
      if (!(key.metaKey || key.ctrlKey) || key.key.toLowerCase() !== "s") return;
      key.preventDefault();
      element.current?.requestSubmit();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  const savedText = base ? t("events.edit.allSaved") : "";
  const saveStatus = isDirty ? t("events.edit.notSaved") : savedText;
  return (
    <>
      <EditorHead event={base} actions={actions} busy={publishing} onPublish={() => void publish()} />
      <div className={classes.editor}>
        <EditorNav current={current} states={states} onShow={show} />
        <form ref={element} noValidate className={classes.form} onSubmit={submit}>
          <ErrorList errors={form.errors} labels={state.labels} failure={failure} onShow={showField} />
          <SectionContext value={{ current, show }}>
            <BasicsFields form={form} event={base} onPicture={addPicture} pictures={pictures} />
            <WhenFields form={form} event={base} />
            <AudienceFields form={form} event={base} />
            <SeatFields form={form} event={base} />
            <QuestionFields form={form} />
            <AgendaFields form={form} />
            <SpeakerFields form={form} event={base} onPicture={addPicture} pictures={pictures} />
            <MailFields form={form} />
          </SectionContext>
          <div className={classes.bar} data-dirty={isDirty || undefined}>
            {guestsToNotify > 0 && (
              <Checkbox
                size="sm"
                checked={notify}
                onChange={(tick) => setNotify(tick.currentTarget.checked)}
                label={t("events.edit.notify", { count: guestsToNotify })}
              />
            )}
            <Group gap="xs">
              <Button
                type="submit"
                variant={base?.status === "draft" ? "default" : "filled"}
                loading={busy && !publishing}
                disabled={!isDirty && base !== null}
              >
                {base ? t("events.edit.save") : t("events.edit.create")}
              </Button>
              {isDirty && base && (
                <Button
                  variant="subtle"
                  onClick={() =>
                    confirm({
                      title: t("events.edit.discardTitle"),
                      text: t("events.edit.discardText"),
                      confirmLabel: t("events.edit.discard"),
                      cancelLabel: t("events.edit.discardKeep"),
                      danger: true,
                      onConfirm: state.discard,
                    })
                  }
                >
                  {t("events.edit.discard")}
                </Button>
              )}
              <Text size="sm" c="dimmed" role="status">
                {saveStatus}
              </Text>
            </Group>
          </div>
        </form>
        <aside className={classes.preview} aria-label={t("events.edit.preview")}>
          <p>{t("events.edit.preview")}</p>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard (WCAG 2.1.1) */}
          <div className={classes.paper} tabIndex={0} role="group" aria-label={t("events.edit.preview")}>
            <EventDetails event={preview} preview />
          </div>
        </aside>
      </div>
      {conflict.dialog}
      <UnsavedGuard when={isDirty && !leaving} />
    </>
  );
}
