import { markFirstField } from "#web/core/dialog/markFirstField.ts";
import { Button, FileButton, Text, Textarea } from "@mantine/core";
import { IconFileImport, IconId, IconTableImport } from "@tabler/icons-react";
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { Link } from "react-router";
import { DialogFooter } from "#web/core/dialog/DialogFooter.tsx";
import { messageOf } from "#web/core/http/messages.ts";
import { useFocusFirstError } from "#web/core/dialog/useFocusFirstError.ts";
import { CompanySelect } from "#web/learners/CompanySelect.tsx";
import { CourseSelect } from "#web/learners/CourseSelect.tsx";
import { PeopleTable } from "#web/learners/PeopleTable.tsx";
import { useSkippedPeople } from "#web/learners/useSkippedPeople.ts";
import type { Invite } from "#web/learners/useInvite.ts";
import { NoMailNote } from "#web/mails/NoMailNote.tsx";
import type { CompanyRow } from "#shared/companies/companies.ts";

type Props = {
  invite: Invite;
  company: CompanyRow | null;
  onCompany: (company: CompanyRow | null) => void;
  /** The company cannot be changed: the dialog was opened from its page. */
  isCompanyFixed: boolean;
  courseIds: string[];
  onCourses: (ids: string[]) => void;
  onCancel: () => void;
  /** Chosen for a person without an email address. */
  onNumbered: () => void;
};

/** The invitation form: company, people and courses. */
export function InviteForm({
  invite,
  company,
  onCompany,
  isCompanyFixed,
  courseIds,
  onCourses,
  onCancel,
  onNumbered,
}: Props) {
  const { t } = useTranslation();
  const focusFirstError = useFocusFirstError();
  const [isSubmitted, setSubmitted] = useState(false);
  const { text, rows, validRows } = invite;
  const seats = company?.learnerLimit ? Math.max(0, company.learnerLimit - company.seats) : null;

  const skipReason = useSkippedPeople(company?.id, validRows);
  const inviteCount = validRows.filter(({ email }) => !skipReason(email)).length;

  const submit = (form: HTMLFormElement) => {
    setSubmitted(true);
    if (company && validRows.length > 0) return invite.send(company.id, courseIds);
    focusFirstError(form);
  };
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
      {!isCompanyFixed && (
        <CompanySelect
          label={t("learners.company")}
          value={company}
          onChange={onCompany}
          error={isSubmitted && !company && t("learners.invite.noCompany")}
          description={seats === null ? undefined : t("learners.invite.seats", { count: seats })}
        />
      )}
      <Textarea
        autosize
        minRows={4}
        maxRows={10}
        label={t("learners.invite.people")}
        spellCheck={false}
        description={t("learners.invite.peopleHint")}
        placeholder={"Jonas Hagen <jonas.hagen@example.com>\nmia.berg@example.com\nOla Lind; ola.lind@example.com"}
        value={text}
        onChange={(event) => invite.setText(event.currentTarget.value)}
        error={isSubmitted && validRows.length === 0 && t("learners.invite.noPeople")}
      />
      <div style={{ marginTop: -8 }}>
        <FileButton
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          onChange={(file) => file && void textOf(file).then(invite.append)}
        >
          {(props) => (
            <Button
              {...props}
              variant="subtle"
              size="compact-sm"
              leftSection={<IconFileImport size={16} stroke={1.7} />}
            >
              {t("learners.invite.file")}
            </Button>
          )}
        </FileButton>
        <Button
          component={Link}
          to={company ? `/learners/imports?company=${company.id}` : "/learners/imports"}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconTableImport size={16} stroke={1.7} />}
        >
          {t("learners.invite.import")}
        </Button>
        <Button variant="subtle" size="compact-sm" leftSection={<IconId size={16} stroke={1.7} />} onClick={onNumbered}>
          {t("learners.numbered.open")}
        </Button>
      </div>
      {rows.length > 0 && (
        <PeopleTable rows={rows} skipReason={skipReason} onChange={invite.change} onRemove={invite.remove} />
      )}
      <CourseSelect
        value={courseIds}
        onChange={onCourses}
        label={
          <Trans
            t={t}
            i18nKey="learners.invite.courses"
            components={{ dim: <Text span inherit c="dimmed" fw={400} /> }}
          />
        }
      />
      {seats !== null && seats < inviteCount && (
        <Text size="sm" c="var(--ly-warn)">
          {t("learners.invite.overLimit", { count: seats })}
        </Text>
      )}
      {invite.failure && (
        <Text size="sm" c="var(--ly-bad)" role="alert">
          {messageOf(invite.failure)} {t("learners.invite.inputKept")}
        </Text>
      )}
      <NoMailNote />
      <DialogFooter>
        <Text size="sm" c="dimmed" mr="auto">
          {t("learners.invite.mailHint")}
        </Text>
        <Button variant="default" onClick={onCancel}>
          {t("core.cancel")}
        </Button>
        <Button type="submit" loading={invite.busy}>
          {inviteCount > 0 ? t("learners.invite.verb", { count: inviteCount }) : t("learners.invite.verbNone")}
        </Button>
      </DialogFooter>
    </form>
  );
}

/** Reads a CSV file as UTF-8 or, as saved by older spreadsheets, Windows-1252. */
async function textOf(file: File) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
