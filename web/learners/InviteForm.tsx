import { Button, FileButton, Group, Text, Textarea } from "@mantine/core";
import { IconFileImport } from "@tabler/icons-react";
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { messageOf } from "#web/core/api/messages.ts";
import { useFocusFirstError } from "#web/core/dialog/useFocusFirstError.ts";
import { CompanySelect } from "#web/learners/CompanySelect.tsx";
import { CourseSelect } from "#web/learners/CourseSelect.tsx";
import { PeopleTable } from "#web/learners/PeopleTable.tsx";
import type { Invite } from "#web/learners/useInvite.ts";
import type { CompanyRow } from "#shared/companies.ts";

type Props = {
  invite: Invite;
  company: CompanyRow | null;
  onCompany: (company: CompanyRow | null) => void;
  /** The company stands fixed: the dialog was opened from its page. */
  fixed: boolean;
  courseIds: string[];
  onCourses: (ids: string[]) => void;
  onCancel: () => void;
};

/** Company, people, courses: the part before sending. */
export function InviteForm({ invite, company, onCompany, fixed, courseIds, onCourses, onCancel }: Props) {
  const { t } = useTranslation();
  const focusFault = useFocusFirstError();
  const [tried, setTried] = useState(false);
  const { text, rows, good } = invite;
  const places = company?.learnerLimit ? Math.max(0, company.learnerLimit - company.learners) : null;

  const submit = (form: HTMLFormElement) => {
    setTried(true);
    if (company && good.length > 0) return invite.send(company.id, courseIds);
    focusFault(form);
  };
  return (
    <form
      noValidate
      style={{ display: "grid", gap: 16 }}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void submit(event.currentTarget);
      }}
    >
      {!fixed && (
        <CompanySelect
          label={t("learners.company")}
          value={company}
          onChange={onCompany}
          error={tried && !company && t("learners.invite.noCompany")}
          description={places === null ? undefined : t("learners.invite.seats", { count: places })}
        />
      )}
      <Textarea
        data-autofocus={fixed || undefined}
        autosize
        minRows={4}
        maxRows={10}
        label={t("learners.invite.people")}
        spellCheck={false}
        description={t("learners.invite.peopleHint")}
        placeholder={"Jonas Hagen <jonas.hagen@example.com>\nmia.berg@example.com\nOla Lind; ola.lind@example.com"}
        value={text}
        onChange={(event) => invite.setText(event.currentTarget.value)}
        error={tried && good.length === 0 && t("learners.invite.noPeople")}
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
      </div>
      {rows.length > 0 && <PeopleTable rows={rows} onChange={invite.change} onDrop={invite.drop} />}
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
      {places !== null && places < good.length && (
        <Text size="sm" c="var(--ly-warn)">
          {t("learners.invite.overLimit", { count: places })}
        </Text>
      )}
      {invite.failure && (
        <Text size="sm" c="var(--ly-bad)" role="alert">
          {messageOf(invite.failure)} {t("learners.invite.inputKept")}
        </Text>
      )}
      <Group justify="flex-end" gap="xs">
        <Text size="sm" c="dimmed" mr="auto">
          {t("learners.invite.mailHint")}
        </Text>
        <Button variant="default" onClick={onCancel}>
          {t("core.cancel")}
        </Button>
        <Button type="submit" loading={invite.busy}>
          {good.length > 0 ? t("learners.invite.verb", { count: good.length }) : t("learners.invite.verbNone")}
        </Button>
      </Group>
    </form>
  );
}

/** Spreadsheets save CSV as UTF-8 or, older ones, as Windows-1252. */
async function textOf(file: File) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
