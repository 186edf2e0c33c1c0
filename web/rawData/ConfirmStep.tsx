import { Button, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { isCode } from "#web/core/http/http.ts";
import { issuesOf, messageOf } from "#web/core/http/messages.ts";
import { formatDate } from "#web/core/format/format.ts";
import classes from "#web/rawData/DeleteVariables.module.css";
import { restorableUntil } from "#web/rawData/restorableUntil.ts";
import { type Deletion, type DeletionInput, rawData } from "#shared/rawData/rawData.ts";

type Props = {
  input: DeletionInput;
  /** The number of values shown in the check. */
  values: number;
  code: string;
  onBack: () => void;
  /** Called if the number of values has changed since the check. */
  onChanged: () => void;
  onDone: (deletion: Deletion) => void;
};

/** Asks for the code of the course, then deletes. */
export function ConfirmStep({ input, values, code, onBack, onChanged, onDone }: Props) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<{ field?: string | undefined; general?: string }>({});
  const remove = useApiMutation(rawData.remove, { quiet: true });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setProblem({});
    try {
      onDone(await remove.mutateAsync({ body: { ...input, code: typed.trim(), values } }));
    } catch (error) {
      const isOutdated = isCode(error, "rawData.countChanged") || isCode(error, "rawData.nothingToDelete");
      if (isOutdated) return onChanged();
      const { code: field } = issuesOf(error);
      setProblem(field ? { field } : { general: messageOf(error) });
    }
  };
  return (
    <form noValidate className={classes.form} onSubmit={(event) => void submit(event)}>
      <TextInput
        autoFocus
        autoComplete="off"
        label={
          <Trans
            t={t}
            i18nKey="rawData.deletion.code"
            values={{ code }}
            components={{ code: <code className={classes.code} /> }}
          />
        }
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={problem.field}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
      />
      {problem.general && (
        <Text c="var(--ly-bad)" size="sm" mt="sm" role="alert">
          {problem.general}
        </Text>
      )}
      <p className={classes.note}>{t("rawData.deletion.restorable", { day: formatDate(restorableUntil()) })}</p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onBack}>
          {t("rawData.deletion.back")}
        </Button>
        <Button type="submit" color="red" disabled={typed.trim() === ""} loading={remove.isPending}>
          {t("rawData.deletion.delete", { count: values })}
        </Button>
      </div>
    </form>
  );
}
