import { FocusTrap, MultiSelect, SimpleGrid } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { OptionalLabel } from "#web/core/display/OptionalLabel.tsx";
import { formatDate } from "#web/core/format/format.ts";
import { toast } from "#web/core/toast/toast.ts";
import { DayInput } from "#web/learners/DayInput.tsx";
import { auditPacks } from "#shared/auditPacks/auditPacks.ts";
import { addDays } from "#shared/core/dates.ts";

type Props = {
  companyId: string;
  /** What is required today. */
  courses: { courseId: string; course: string }[];
  today: string;
  /** The first day that a pack can be as of; null if that is today. */
  recordedFrom: string | null;
  onClose: () => void;
};
const FIELDS = ["from", "to", "asOf", "courseIds"];

/** Makes an audit pack for a period. */
export function PackDialog({ companyId, courses, today, recordedFrom, onClose }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [from, setFrom] = useState<string | null>(`${today.slice(0, 4)}-01-01`);
  const [to, setTo] = useState<string | null>(today);
  const [asOf, setAsOf] = useState<string | null>(null);
  const [courseIds, setCourseIds] = useState<string[]>([]);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { failure, attempt } = useFormErrors(setErrors, { fields: FIELDS });
  const create = useApiMutation(auditPacks.create, { quiet: true });
  const submit = () => {
    const missing = t("core.errors.missing");
    if (!from || !to) return setErrors({ ...(!from && { from: missing }), ...(!to && { to: missing }) });
    return attempt(async () => {
      const pack = await create.mutateAsync({ params: { id: companyId }, body: { from, to, asOf, courseIds } });
      toast.done(t("auditPacks.created", { number: pack.number }));
      onClose();
      await navigate(`/companies/${companyId}/audit-packs/${pack.id}`);
    });
  };
  const clearing =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      setErrors({});
    };
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={t("auditPacks.new")}
      submitLabel={t("auditPacks.form.create")}
      busy={create.isPending}
      failure={failure}
      size={600}
      onSubmit={submit}
    >
      {/* On the first field, focus would open its calendar. */}
      <FocusTrap.InitialFocus />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DayInput
          label={t("auditPacks.form.from")}
          value={from}
          maxDate={to ?? today}
          error={errors["from"]}
          onChange={clearing(setFrom)}
        />
        <DayInput
          label={t("auditPacks.form.to")}
          value={to}
          maxDate={today}
          error={errors["to"]}
          onChange={clearing(setTo)}
        />
      </SimpleGrid>
      {recordedFrom && (
        <DayInput
          label={<OptionalLabel>{t("auditPacks.form.asOf")}</OptionalLabel>}
          description={t("auditPacks.form.asOfText", { day: formatDate(recordedFrom) })}
          placeholder={t("auditPacks.form.now")}
          value={asOf}
          minDate={recordedFrom}
          maxDate={addDays(today, -1)}
          error={errors["asOf"]}
          onChange={clearing((day: string | null) => {
            setAsOf(day);
            if (day && to && to > day) setTo(day);
          })}
        />
      )}
      {courses.length > 0 && (
        <MultiSelect
          label={<OptionalLabel>{t("auditPacks.form.courses")}</OptionalLabel>}
          placeholder={courseIds.length === 0 ? t("auditPacks.form.allCourses") : ""}
          data={courses.map(({ courseId, course }) => ({ value: courseId, label: course }))}
          value={courseIds}
          searchable
          clearable
          error={errors["courseIds"]}
          onChange={clearing(setCourseIds)}
        />
      )}
    </FormDialog>
  );
}
