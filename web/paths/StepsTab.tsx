import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { type DragEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { UnsavedGuard } from "#web/core/dialog/UnsavedGuard.tsx";
import line from "#web/core/display/stepLine.module.css";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { newId } from "#web/core/random.ts";
import { CoursePicker } from "#web/paths/CoursePicker.tsx";
import classes from "#web/paths/paths.module.css";
import { StepRow } from "#web/paths/StepRow.tsx";
import { StepSettings } from "#web/paths/StepSettings.tsx";
import type { StepCourse } from "#web/paths/useCourses.ts";
import { relinkSteps } from "#web/paths/relinkSteps.ts";
import type { useDraft } from "#web/paths/useDraft.tsx";
import type { PathDetail } from "#shared/paths/paths.ts";
import { MAX_STEPS, type PathStep, titleOf } from "#shared/paths/steps.ts";

type Props = {
  path: PathDetail;
  draft: ReturnType<typeof useDraft>;
  courses: ReadonlyMap<string, StepCourse>;
  titles: ReadonlyMap<string, string>;
};

/** The editor of a path: its steps in order, moved by dragging or with Alt and the arrow keys. */
export function StepsTab({ path, draft, courses, titles }: Props) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const { steps, change } = draft;
  const [selected, setSelected] = useState<string | null>(null);
  const [adding, setAdding] = useState<"step" | "choice" | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const [said, announce] = useState("");
  const chosen = steps.find(({ id }) => id === selected) ?? null;

  const set = (id: string, changed: Partial<PathStep>) =>
    change(steps.map((step) => (step.id === id ? { ...step, ...changed } : step)));
  const place = (step: PathStep, at: number) => {
    const others = steps.filter(({ id }) => id !== step.id);
    if (!change(relinkSteps(steps, [...others.slice(0, at), step, ...others.slice(at)]))) return;
    announce(t("paths.editor.moved", { title: titleOf(step, titles), number: at + 1 }));
    // The handle keeps the focus in its new place.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-handle="${step.id}"]`)?.focus());
  };
  const move = (step: PathStep, by: 1 | -1) => {
    const at = steps.indexOf(step) + by;
    if (at >= 0 && at < steps.length) place(step, at);
  };
  const remove = (step: PathStep) => {
    const rest = steps
      .filter(({ id }) => id !== step.id)
      // Steps that waited for the removed step now wait for those that it waited for.
      .map((other) =>
        other.after.includes(step.id)
          ? { ...other, after: [...new Set([...other.after.filter((id) => id !== step.id), ...step.after])] }
          : other,
      );
    if (change(rest)) announce(t("paths.editor.removed", { title: titleOf(step, titles) }));
  };
  const add = (courseId: string) => {
    const last = steps.at(-1);
    const id = newId();
    const step: PathStep = {
      id,
      title: adding === "choice" ? t("paths.editor.newChoice") : "",
      courseIds: [courseId],
      needed: 1,
      after: last ? [last.id] : [],
      dueDays: null,
      earlierMonths: null,
    };
    setAdding(null);
    if (change([...steps, step])) setSelected(id);
  };
  const drop = (at: number) => ({
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes("application/x-step")) return;
      event.preventDefault();
      setOver(at);
    },
    onDragLeave: () => setOver(null),
    onDrop: (event: DragEvent) => {
      setOver(null);
      const step = steps.find(({ id }) => id === event.dataTransfer.getData("application/x-step"));
      if (!step) return;
      event.preventDefault();
      const from = steps.indexOf(step);
      place(step, from < at ? at - 1 : at);
    },
    "data-over": over === at || undefined,
  });
  const settings = chosen && (
    <StepSettings
      key={chosen.id}
      step={chosen}
      steps={steps}
      titles={titles}
      onChange={(changed) => set(chosen.id, changed)}
    />
  );
  return (
    <div className={classes.editor}>
      <UnsavedGuard when={draft.state !== "saved"} />
      <div>
        {draft.refusal && (
          <p role="alert" className={classes.refusal}>
            {draft.refusal}
            {draft.state === "failed" && (
              <Button variant="subtle" size="compact-sm" onClick={draft.retry}>
                {t("paths.editor.saveAgain")}
              </Button>
            )}
          </p>
        )}
        <p className="ly-hidden" role="status">
          {said}
        </p>
        {steps.length === 0 && <EmptyState title={t("paths.editor.empty")} text={t("paths.editor.emptyText")} />}
        <ol className={`${line.line} ${classes.steps}`} aria-label={t("paths.editor.list")}>
          {steps.map((step, at) => (
            <li key={step.id} data-selected={step.id === selected || undefined} {...drop(at)}>
              <StepRow
                path={path}
                step={step}
                steps={steps}
                courses={courses}
                titles={titles}
                isSelected={step.id === selected}
                onSelect={() => setSelected(step.id === selected ? null : step.id)}
                onChange={(changed) => set(step.id, changed)}
                onMove={(by) => move(step, by)}
                onRemove={() => remove(step)}
              />
              {isPhone && step.id === selected && settings}
            </li>
          ))}
          <li aria-hidden className={classes.end} {...drop(steps.length)} />
        </ol>
        {adding ? (
          <CoursePicker
            label={t(adding === "step" ? "paths.editor.addStep" : "paths.editor.addChoice")}
            taken={new Set(steps.flatMap(({ courseIds }) => courseIds))}
            onPick={add}
            onClose={() => setAdding(null)}
          />
        ) : (
          steps.length < MAX_STEPS && (
            <div className={classes.adding}>
              {(["step", "choice"] as const).map((kind) => (
                <Button
                  key={kind}
                  variant="subtle"
                  leftSection={<IconPlus size={17} stroke={1.8} />}
                  onClick={() => setAdding(kind)}
                >
                  {t(kind === "step" ? "paths.editor.addStep" : "paths.editor.addChoice")}
                </Button>
              ))}
            </div>
          )
        )}
      </div>
      {!isPhone && (
        <aside className={classes.aside}>
          {settings ?? <p className={classes.hint}>{t("paths.editor.selectHint")}</p>}
        </aside>
      )}
      {draft.dialog}
    </div>
  );
}
