import { useForm, type UseFormReturnType } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { isCode } from "#web/core/http/http.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { newId } from "#web/core/random.ts";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { changesOf, concernsGuests, type EventValues, newValues, valuesOf } from "#web/events/editor/eventValues.ts";
import { showField, useFieldLabels } from "#web/events/editor/fieldLabels.ts";
import type { EventInput } from "#shared/events/eventInput.ts";
import type { AdminEvent } from "#shared/events/eventViews.ts";
import { events } from "#shared/events/events.ts";

export type EventForm = UseFormReturnType<EventValues>;

/**
 * The form of a stored (`event`) or new event. Sends changed fields only; a conflict with another editor opens a
 * dialog.
 */
export function useEventForm(event: AdminEvent | null) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const labels = useFieldLabels();
  const [base, setBase] = useState(event);
  // A new event gets its id before it is saved, because the generated cover depends on it.
  const [id] = useState(() => event?.id ?? newId());
  const [origin, setOrigin] = useState<EventValues>(() => (event ? valuesOf(event) : newValues()));
  const [notify, setNotify] = useState(true);
  const form = useForm<EventValues>({ initialValues: origin });
  const { failure, setFailure, showError } = useFormErrors(form.setErrors);
  const theirs = useRef<AdminEvent | null>(null);
  const create = useApiMutation(events.create, { quiet: true });
  const update = useApiMutation(events.update, { quiet: true });
  const values = form.getValues();
  const changes = changesOf(values, origin);
  const isDirty = Object.keys(changes).length > 0;
  const guestCount = base
    ? base.counts.confirmed + base.counts.waitlisted + base.counts.offered + base.counts.pending
    : 0;

  const load = (row: AdminEvent) => {
    setBase(row);
    setOrigin(valuesOf(row));
    form.setValues(valuesOf(row));
    form.clearErrors();
    setFailure(null);
    setNotify(true);
  };
  // Publishing, cancelling and similar actions change the version, but not the form fields.
  const adoptVersion = (row: AdminEvent, stored: AdminEvent) => {
    if (!isDirty) return load(row);
    const isUnchanged = Object.keys(changesOf(valuesOf(row), origin)).length === 0;
    if (isUnchanged || row.status !== stored.status)
      setBase({ ...row, version: isUnchanged ? row.version : stored.version });
  };
  useEffect(() => {
    if (event && base && event.version > base.version && !(isDirty && event.status === base.status))
      adoptVersion(event, base);
  });

  const check = () => {
    const errors: Record<string, string> = {
      ...(!values.title.trim() && { title: t("events.edit.enterTitle") }),
      ...(values.endsLocal <= values.startsLocal && { endsLocal: t("events.edit.endBeforeStart") }),
      ...(values.visibility === "company" && !values.companyId && { companyId: t("events.edit.chooseCompany") }),
      ...(values.visibility === "code" &&
        !values.accessCode.trim() &&
        !base?.hasCode && { accessCode: t("events.edit.enterCode") }),
      ...(values.registrationMode === "external" && !values.externalUrl && { externalUrl: t("events.edit.enterUrl") }),
      ...Object.fromEntries(
        values.questions.flatMap(({ label }, index) =>
          label.trim() ? [] : [[`questions.${index}.label`, t("events.edit.enterQuestion")]],
        ),
      ),
      ...Object.fromEntries(
        values.agenda.flatMap(({ title }, index) =>
          title.trim() ? [] : [[`agenda.${index}.title`, t("events.edit.enterAgendaTitle")]],
        ),
      ),
      ...Object.fromEntries(
        values.speakers.flatMap(({ name }, index) =>
          name.trim() ? [] : [[`speakers.${index}.name`, t("events.edit.enterName")]],
        ),
      ),
    };
    form.setErrors(errors);
    return Object.keys(errors).length === 0;
  };

  const send = async (mine: Partial<EventValues>, version: number) => {
    if (!base) throw new Error("The event has not been created yet");
    const row = await update.mutateAsync({
      params: { id: base.id },
      body: { ...(mine as Partial<EventInput>), version, notify },
    });
    client.setQueryData(queryFor(events.get, { params: { id: row.id } }).queryKey, row);
    load(row);
    return row;
  };
  const showFailure = async (error: unknown, mine: Partial<EventValues>): Promise<null> => {
    if (isCode(error, "core.conflict")) theirs.current = (error.details.current as AdminEvent | undefined) ?? null;
    if (!base || !(await conflict.handleError(error, mine as Partial<AdminEvent>))) showError(error);
    return null;
  };
  const conflict = useConflict<AdminEvent>({
    labels,
    onTakeTheirs: load,
    formatValue: showField,
    load: async () => {
      const row = await client.fetchQuery({
        ...queryFor(events.get, { params: { id: base?.id ?? "" } }),
        staleTime: 0,
      });
      theirs.current = row;
      return row;
    },
    onKeepMine: (mine, version) => {
      if (theirs.current) {
        setBase(theirs.current);
        setOrigin(valuesOf(theirs.current));
        form.setValues({ ...valuesOf(theirs.current), ...(mine as Partial<EventValues>) });
      }
      return send(mine as Partial<EventValues>, version).catch((error: unknown) =>
        showFailure(error, mine as Partial<EventValues>),
      );
    },
  });

  /** Saves the form. Returns null after an error, which is shown at its field. */
  const save = async (): Promise<AdminEvent | null> => {
    setFailure(null);
    if (!check()) return null;
    try {
      if (base) return isDirty ? await send(changes, base.version) : base;
      const { slug, accessCode, ...rest } = values;
      return await create.mutateAsync({
        body: { id, ...rest, ...(slug.trim() && { slug }), ...(accessCode.trim() && { accessCode }) },
      });
    } catch (error) {
      return showFailure(error, changes);
    }
  };
  return {
    form,
    id,
    base,
    /** Names of the fields that differ from the stored event. */
    changed: Object.keys(changes),
    isDirty,
    save,
    showFailure,
    failure: failure === null ? null : messageOf(failure),
    conflict,
    labels,
    notify,
    setNotify,
    busy: create.isPending || update.isPending,
    guestsToNotify: base?.status === "published" && guestCount > 0 && concernsGuests(changes) ? guestCount : 0,
    discard: () => (base ? load(base) : form.setValues(origin)),
  };
}
