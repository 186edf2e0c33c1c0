import { Button, Checkbox, Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/courses/assign/NotifyField.module.css";
import { pagedQueryFor } from "#web/core/api/api.ts";
import { messageOf } from "#web/core/http/messages.ts";
import { courses } from "#shared/courses/courses.ts";
import type { Sent } from "#shared/core/route.ts";

type Assignment = Sent<typeof courses.previewAssignmentMail>["body"];
type Props = { checked: boolean; onChange: (checked: boolean) => void; assignment: Assignment };

/** Offers an email to the learners who get a course, with a preview for the first of them. */
export function NotifyField({ checked, onChange, assignment }: Props) {
  const { t } = useTranslation();
  const [isShown, setIsShown] = useState(false);
  const targets = (assignment.companyIds ?? []).length + (assignment.userIds ?? []).length;
  const canPreview = assignment.courseIds.length > 0 && targets > 0;
  return (
    <div>
      <div className={classes.row}>
        <Checkbox
          label={t("courses.notify.label")}
          checked={checked}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        {checked && canPreview && (
          <Button
            variant="subtle"
            size="compact-sm"
            px={0}
            aria-expanded={isShown}
            onClick={() => setIsShown((before) => !before)}
          >
            {isShown ? t("courses.notify.hide") : t("courses.notify.preview")}
          </Button>
        )}
      </div>
      {checked && canPreview && isShown && <MailPreview assignment={assignment} />}
    </div>
  );
}

function MailPreview({ assignment }: { assignment: Assignment }) {
  const { t } = useTranslation();
  const { data, error } = useQuery(pagedQueryFor(courses.previewAssignmentMail, { body: assignment }));
  return (
    <section className={classes.preview} aria-label={t("courses.notify.previewTitle")}>
      {!data && !error && <Loader size="xs" />}
      {error && messageOf(error)}
      {data && (
        <>
          <h3>{data.subject}</h3>
          <p className={classes.body}>{data.body.split("\n\n--\n\n")[0]}</p>
        </>
      )}
    </section>
  );
}
