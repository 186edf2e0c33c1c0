import { Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { catalogue, type CatalogueDetail } from "#shared/catalogue/catalogue.ts";

type Props = { course: CatalogueDetail; as: "ask" | "wait"; onClose: () => void };

/** Asks for a course, or joins its waiting list, with a note if someone answers. */
export function JoinDialog({ course: { id, title, way }, as, onClose }: Props) {
  const { t } = useTranslation();
  const [note, setNote] = useState("");
  const join = useApiMutation(catalogue.join, { quiet: true });
  const submit = () =>
    join.mutate(
      { params: { id }, body: { as, note } },
      {
        onSuccess: () => {
          toast.done(t(`catalogue.done.${as}`));
          onClose();
        },
      },
    );
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t(as === "ask" ? "catalogue.askTitle" : "catalogue.waitTitle", { course: title })}
      submitLabel={t(`catalogue.do.${as}`)}
      busy={join.isPending}
      failure={join.error}
      onSubmit={submit}
    >
      {as === "wait" && <Text>{t(`catalogue.hint.${way === "self" ? "wait" : "waitAsk"}`)}</Text>}
      {way === "request" && (
        <Textarea
          label={<OptionalLabel>{t("catalogue.note")}</OptionalLabel>}
          description={t("catalogue.noteHint")}
          value={note}
          maxLength={500}
          autosize
          minRows={3}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}
