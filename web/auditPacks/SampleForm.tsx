import { Button, NumberInput, Select } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import classes from "#web/auditPacks/auditPacks.module.css";
import { useApiMutation } from "#web/core/api/api.ts";
import { toast } from "#web/core/toast/toast.ts";
import { type Audit, auditPacks, MAX_SAMPLE } from "#shared/auditPacks/auditPacks.ts";
import { type RequirementState, requirementState } from "#shared/requirements/requirements.ts";

/** Draws people at random. */
export function SampleForm({ audit, token }: { audit: Audit; token: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [size, setSize] = useState<number | string>(25);
  const [courseId, setCourseId] = useState<string | null>(null);
  const [state, setState] = useState<string | null>(null);
  const draw = useApiMutation(auditPacks.draw, { quiet: true });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { size: Number(size), courseId, state: state as RequirementState | null };
    draw
      .mutateAsync({ params: { token }, body })
      .then(({ no }) => navigate(`/audits/${token}/samples/${no}`))
      .catch((error: unknown) => toast.failed(error));
  };
  return (
    <form className={classes.draw} onSubmit={submit}>
      <NumberInput
        label={t("auditPacks.auditor.size")}
        value={size}
        min={1}
        max={MAX_SAMPLE}
        allowDecimal={false}
        clampBehavior="strict"
        w={110}
        onChange={setSize}
      />
      <Select
        label={t("auditPacks.auditor.ofCourse")}
        placeholder={t("auditPacks.auditor.anyCourse")}
        data={audit.courses.map(({ courseId: value, course: label }) => ({ value, label }))}
        value={courseId}
        clearable
        onChange={setCourseId}
      />
      <Select
        label={t("auditPacks.auditor.ofState")}
        placeholder={t("auditPacks.auditor.anyState")}
        data={requirementState.options.map((value) => ({ value, label: t(`requirements.states.${value}`) }))}
        value={state}
        clearable
        onChange={setState}
      />
      <Button type="submit" loading={draw.isPending} disabled={!(Number(size) >= 1)}>
        {t("auditPacks.auditor.draw")}
      </Button>
    </form>
  );
}
