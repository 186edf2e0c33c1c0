import { Button, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { formatDate } from "#web/core/format/format.ts";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { useCompanies } from "#web/courses/admin/useCompanies.ts";
import { CheckStep } from "#web/rawData/CheckStep.tsx";
import { ConfirmStep } from "#web/rawData/ConfirmStep.tsx";
import classes from "#web/rawData/DeleteVariables.module.css";
import { DeletionList } from "#web/rawData/DeletionList.tsx";
import { emptySelection, toDeletionInput } from "#web/rawData/deletionSelection.ts";
import { type DeletionStep, DeletionSteps } from "#web/rawData/DeletionSteps.tsx";
import { ScopeStep } from "#web/rawData/ScopeStep.tsx";
import { useCourseChoices } from "#web/rawData/useRawDataChoices.ts";
import { useRestore } from "#web/rawData/useRestore.ts";
import { type Deletion, rawData } from "#shared/rawData/rawData.ts";

/**
 * Deletes values that learners entered in a course, in steps: choose, check the numbers, confirm with the code of the
 * course. Can be restored.
 */
export function DeleteVariablesPage() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const preset = params.get("courseId") ?? "";
  const [step, setStep] = useState<DeletionStep>(preset ? "scope" : "course");
  const [selection, setSelection] = useState(() => emptySelection(preset));
  const [isChanged, setIsChanged] = useState(false);
  const [done, setDone] = useState<Deletion | null>(null);
  const navigate = useNavigate();
  const course = useCourseChoices().find(({ id }) => id === selection.courseId);
  const title = course?.title ?? "";
  const scope = useScopeWords(selection);
  const input = toDeletionInput(selection);
  const isCounting = step === "check" || step === "confirm";
  const preview = useQuery({
    ...queryFor(rawData.previewDeletion, { body: input }),
    // Not refetched later, so that the confirmed numbers are those that were checked.
    enabled: step === "check" && done === null,
    staleTime: 0,
    gcTime: 0,
  });
  const values = preview.data?.values ?? 0;
  const goTo = (next: DeletionStep) => {
    setIsChanged(false);
    setStep(next);
  };
  const countAgain = async () => {
    await preview.refetch();
    setIsChanged(true);
    setStep("check");
  };
  const startAgain = () => {
    setDone(null);
    setSelection(emptySelection(""));
    goTo("course");
  };
  const heading = headingOf();

  function headingOf() {
    if (step === "course") return t("rawData.deletion.courseTitle");
    if (step === "scope") return t("rawData.deletion.scopeTitle", { course: title });
    if (step === "confirm") return t("rawData.deletion.confirmTitle", { count: values, course: title });
    if (!preview.data || values === 0) return t("rawData.deletion.hint.check");
    const { learners } = preview.data;
    if (learners === 0) return t("rawData.deletion.willBePreviews", { count: values });
    return t("rawData.deletion.willBe", {
      values: t("rawData.deletion.values", { count: values }),
      learners: t("rawData.deletion.learnerCount", { count: learners }),
    });
  }

  return (
    <>
      <PageHead
        title={t("rawData.deletion.title")}
        line={t("rawData.deletion.line")}
        parent={{ to: "/variables", label: t("variables.title") }}
      />
      {done ? (
        <Result deletion={done} onChange={setDone} onAnother={startAgain} />
      ) : (
        <div className={classes.wizard}>
          <DeletionSteps
            current={step}
            chosen={{
              course: title,
              scope,
              ...(preview.data && { check: t("rawData.deletion.values", { count: values }) }),
            }}
            onGoTo={goTo}
          />
          <section className={classes.step} aria-labelledby="deletion-step">
            <h2 id="deletion-step" className={classes.title}>
              {heading}
            </h2>
            {step === "course" && (
              <CourseStep
                courseId={selection.courseId}
                onChoose={(courseId) => setSelection({ ...emptySelection(courseId) })}
                onNext={() => goTo("scope")}
              />
            )}
            {step === "scope" && (
              <ScopeStep
                selection={selection}
                onChange={(change) => setSelection((before) => ({ ...before, ...change }))}
                onBack={() => goTo("course")}
                onNext={() => goTo("check")}
              />
            )}
            {isCounting && preview.error && <ErrorPanel error={preview.error} onRetry={() => void preview.refetch()} />}
            {step === "check" && !preview.data && !preview.error && <SkeletonRows rows={6} />}
            {step === "check" && preview.data && (
              <CheckStep
                preview={preview.data}
                course={title}
                isChanged={isChanged}
                onBack={() => goTo("scope")}
                onKeep={() => void navigate("/variables")}
                onNext={() => goTo("confirm")}
              />
            )}
            {step === "confirm" && preview.data && (
              <ConfirmStep
                input={input}
                values={values}
                code={course?.code ?? ""}
                onBack={() => goTo("check")}
                onChanged={() => void countAgain()}
                onDone={setDone}
              />
            )}
          </section>
        </div>
      )}
      <DeletionList />
    </>
  );
}

type CourseProps = { courseId: string; onChoose: (id: string) => void; onNext: () => void };

function CourseStep({ courseId, onChoose, onNext }: CourseProps) {
  const { t } = useTranslation();
  const courses = useCourseChoices();
  return (
    <div className={classes.form}>
      <Select
        searchable
        label={t("rawData.course")}
        placeholder={t("rawData.deletion.hint.course")}
        data={courses.map(({ id, title, code }) => ({ value: id, label: `${title} (${code})` }))}
        value={courseId || null}
        onChange={(id) => onChoose(id ?? "")}
      />
      <div className={classes.buttons}>
        <Button disabled={courseId === ""} onClick={onNext}>
          {t("rawData.deletion.next")}
        </Button>
      </div>
    </div>
  );
}

/** Summary of the selection of the second step. */
function useScopeWords({ which, variableIds, whose, companyId, userIds, from, to, onlyPreview }: Selection) {
  const { t } = useTranslation();
  const companies = useCompanies();
  const people = {
    everyone: t("rawData.deletion.ofEveryone"),
    company: companies.find(({ id }) => id === companyId)?.name ?? "",
    people: t("rawData.deletion.learnerCount", { count: userIds.length }),
  };
  return [
    which === "all"
      ? t("rawData.deletion.allVariables")
      : t("rawData.deletion.variableCount", { count: variableIds.length }),
    people[whose],
    (from || to) && t("rawData.deletion.someDays"),
    onlyPreview && t("rawData.deletion.previewsOnly"),
  ]
    .filter(Boolean)
    .join(", ");
}
type Selection = ReturnType<typeof emptySelection>;

type ResultProps = { deletion: Deletion; onChange: (deletion: Deletion) => void; onAnother: () => void };

function Result({ deletion, onChange, onAnother }: ResultProps) {
  const { t } = useTranslation();
  const { restore, isRestoring } = useRestore();
  const { course, values, restorableUntil, restoredAt, id } = deletion;
  return (
    <section className={classes.result} aria-labelledby="deletion-result">
      <div role="status">
        <h2 id="deletion-result" className={classes.title}>
          {restoredAt === null
            ? t("rawData.deletion.done", { count: values, course })
            : t("rawData.deletion.restoredToast", { count: values })}
        </h2>
      </div>
      {restoredAt === null && <p>{t("rawData.deletion.doneText", { day: formatDate(restorableUntil) })}</p>}
      <div className={classes.resultButtons}>
        {restoredAt === null && (
          <Button variant="default" loading={isRestoring(id)} onClick={() => void restore(deletion).then(onChange)}>
            {t("rawData.deletion.restore")}
          </Button>
        )}
        <Button variant={restoredAt === null ? "subtle" : "default"} onClick={onAnother}>
          {t("rawData.deletion.another")}
        </Button>
      </div>
    </section>
  );
}
