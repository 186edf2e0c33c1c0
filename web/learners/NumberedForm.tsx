import { Button, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useApiMutation } from "#web/core/api/api.ts";
import { DialogFooter } from "#web/core/dialog/DialogFooter.tsx";
import { markFirstField } from "#web/core/dialog/markFirstField.ts";
import { useFocusFirstError } from "#web/core/dialog/useFocusFirstError.ts";
import { issuesOf, messageOf } from "#web/core/http/messages.ts";
import { CompanySelect } from "#web/learners/CompanySelect.tsx";
import type { CompanyRow } from "#shared/companies/companies.ts";
import { type Learner, learners } from "#shared/learners/learners.ts";

type Props = {
  company: CompanyRow | null;
  onCompany: (company: CompanyRow | null) => void;
  isCompanyFixed: boolean;
  courseIds: string[];
  onBack: () => void;
  onCreated: (learner: Learner) => void;
};

/** Creates a learner without an email address. */
export function NumberedForm({ company, onCompany, isCompanyFixed, courseIds, onBack, onCreated }: Props) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const [number, setNumber] = useState("");
  const [isSubmitted, setSubmitted] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const focusFirstError = useFocusFirstError();
  const create = useApiMutation(learners.create, { quiet: true });
  const isClosed = company?.pinLogin === "off";
  const issues = failure ? issuesOf(failure) : {};
  const submit = async (form: HTMLFormElement) => {
    setSubmitted(true);
    setFailure(null);
    if (!company || isClosed || !name.trim() || !number.trim()) return focusFirstError(form);
    const body = { companyId: company.id, name: name.trim(), personnelNumber: number.trim(), courseIds };
    try {
      onCreated(await create.mutateAsync({ body }));
    } catch (error) {
      setFailure(error);
      focusFirstError(form);
    }
  };
  const companyError = isClosed
    ? t("learners.errors.noPinLogin")
    : isSubmitted && !company && t("learners.invite.noCompany");
  return (
    <form
      ref={markFirstField}
      noValidate
      style={{ display: "grid", gap: 16 }}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void submit(event.currentTarget);
      }}
    >
      {isCompanyFixed ? (
        isClosed && (
          <Text size="sm" c="var(--ly-bad)" role="alert">
            {companyError}
          </Text>
        )
      ) : (
        <CompanySelect label={t("learners.company")} value={company} onChange={onCompany} error={companyError} />
      )}
      <TextInput
        label={t("learners.name")}
        maxLength={120}
        autoComplete="off"
        value={name}
        error={isSubmitted && !name.trim() ? t("learners.edit.noName") : issues.name}
        onChange={(change) => setName(change.currentTarget.value)}
      />
      <TextInput
        label={t("learners.personnelNumber")}
        description={t("learners.numbered.hint")}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        value={number}
        error={isSubmitted && !number.trim() ? t("auth.pin.enterNumber") : issues.personnelNumber}
        onChange={(change) => setNumber(change.currentTarget.value)}
      />
      {failure !== null && Object.keys(issues).length === 0 && (
        <Text size="sm" c="var(--ly-bad)" role="alert">
          {messageOf(failure)}
        </Text>
      )}
      <DialogFooter>
        <Button variant="default" onClick={onBack}>
          {t("learners.numbered.back")}
        </Button>
        <Button type="submit" loading={create.isPending}>
          {t("learners.numbered.verb")}
        </Button>
      </DialogFooter>
    </form>
  );
}
