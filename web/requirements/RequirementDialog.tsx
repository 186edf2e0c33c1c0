import { SegmentedControl, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { FormDialog } from "#web/core/dialog/FormDialog.tsx";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { useFormErrors } from "#web/core/dialog/useFormErrors.ts";
import { toast } from "#web/core/toast/toast.ts";
import { RequirementPreview } from "#web/requirements/RequirementPreview.tsx";
import { TermsFields } from "#web/requirements/TermsFields.tsx";
import { fieldText } from "#web/requirements/termsText.ts";
import { companies } from "#shared/companies/companies.ts";
import {
  type CourseRequirement,
  requirements,
  type RequirementTerms,
  requirementTerms,
} from "#shared/requirements/requirements.ts";

const fresh: RequirementTerms = {
  months: 12,
  countsFrom: "completion",
  fixedDay: null,
  skipDays: 0,
  windowDays: 60,
  graceDays: 0,
};
const termsOf = ({ months, countsFrom, fixedDay, skipDays, windowDays, graceDays }: CourseRequirement) => ({
  months,
  countsFrom,
  fixedDay,
  skipDays,
  windowDays,
  graceDays,
});

type Props = {
  companyId: string;
  /** Null: a new one. */
  requirement: CourseRequirement | null;
  /** Courses that are required already. */
  required: string[];
  onClose: () => void;
};

/** Adds or changes a requirement, with how many people it would leave in which state. */
export function RequirementDialog({ companyId, requirement, required, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const params = { id: companyId };
  const [courseId, setCourseId] = useState<string | null>(requirement?.courseId ?? null);
  const [terms, setTerms] = useState<RequirementTerms>(requirement ? termsOf(requirement) : fresh);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { failure, setFailure, attempt } = useFormErrors(setErrors, { toField: (path) => path.replace("terms.", "") });
  const create = useApiMutation(requirements.create, { quiet: true });
  const update = useApiMutation(requirements.update, { quiet: true });
  const { data: offered } = useQuery({ ...queryFor(companies.courses, { params }), enabled: requirement === null });
  const [version, setVersion] = useState(requirement?.version ?? 0);
  const save = async (kept: RequirementTerms, on: number) => {
    if (requirement) await update.mutateAsync({ params: { id: requirement.id }, body: { terms: kept, version: on } });
    else await create.mutateAsync({ params, body: { courseId: courseId ?? "", terms: kept } });
    toast.done(t("requirements.saved"));
    onClose();
  };
  const conflict = useConflict<CourseRequirement>({
    labels: {
      months: t("requirements.form.months"),
      countsFrom: t("requirements.form.countsFrom"),
      fixedDay: t("requirements.form.day"),
      skipDays: t("requirements.form.skip"),
      windowDays: t("requirements.form.window"),
      graceDays: t("requirements.form.grace"),
    },
    onKeepMine: (_, current) => attempt(() => save(terms, current)),
    onTakeTheirs: (theirs) => {
      setTerms(termsOf(theirs));
      setVersion(theirs.version);
    },
    formatValue: (field, value) => fieldText(t, i18n.language, field, value),
  });
  const change = (changed: Partial<RequirementTerms>) => {
    setTerms({ ...terms, ...changed });
    setErrors({});
    setFailure(null);
  };
  const checked = requirementTerms.safeParse(terms);
  const submit = () => {
    if (!courseId) return setErrors({ courseId: t("requirements.form.pickCourse") });
    return attempt(
      () => save(terms, version),
      (error) => conflict.handleError(error, terms),
    );
  };
  return (
    <>
      <FormDialog
        opened
        onClose={onClose}
        title={
          requirement
            ? t("requirements.form.editTitle", { course: requirement.course })
            : t("requirements.form.addTitle")
        }
        submitLabel={requirement ? t("requirements.form.save") : t("requirements.form.add")}
        busy={create.isPending || update.isPending}
        failure={failure}
        size={600}
        onSubmit={submit}
      >
        {!requirement && (
          <Select
            label={t("requirements.form.course")}
            description={t("requirements.form.courseHint")}
            searchable
            data={(offered?.items ?? [])
              .filter(({ id }) => !required.includes(id))
              .map(({ id, title }) => ({ value: id, label: title }))}
            value={courseId}
            error={errors["courseId"]}
            onChange={(value) => {
              setCourseId(value);
              setErrors({});
            }}
          />
        )}
        <SegmentedControl
          aria-label={t("requirements.form.ends")}
          value={terms.months === null ? "always" : "months"}
          data={[
            { value: "months", label: t("requirements.form.forMonths") },
            { value: "always", label: t("requirements.form.always") },
          ]}
          onChange={(value) =>
            change(value === "always" ? { months: null, countsFrom: "completion", fixedDay: null } : { months: 12 })
          }
        />
        {terms.months !== null && <TermsFields key={version} terms={terms} errors={errors} onChange={change} />}
        {courseId && checked.success && (
          <RequirementPreview companyId={companyId} courseId={courseId} terms={checked.data} />
        )}
      </FormDialog>
      {conflict.dialog}
    </>
  );
}
