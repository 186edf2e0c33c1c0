import { ActionIcon, Button, Menu, Select } from "@mantine/core";
import { IconDots, IconGripVertical, IconLock, IconPlus, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Cover } from "#web/core/brand/Cover.tsx";
import { Pill } from "#web/core/display/Pill.tsx";
import { CoursePicker } from "#web/paths/CoursePicker.tsx";
import classes from "#web/paths/paths.module.css";
import { StepBar } from "#web/paths/StepBar.tsx";
import { afterOf, dueOf } from "#web/paths/stepText.ts";
import type { StepCourse } from "#web/paths/useCourses.ts";
import type { PathDetail } from "#shared/paths/paths.ts";
import { MAX_OPTIONS, type PathStep, titleOf } from "#shared/paths/steps.ts";

type Props = {
  path: PathDetail;
  step: PathStep;
  steps: PathStep[];
  courses: ReadonlyMap<string, StepCourse>;
  titles: ReadonlyMap<string, string>;
  isSelected: boolean;
  onSelect: () => void;
  onChange: (change: Partial<PathStep>) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
};

/** One step in the editor: a course, or the card of a choice. */
export function StepRow(props: Props) {
  const { path, step, steps, courses, titles, isSelected, onSelect, onChange, onMove, onRemove } = props;
  const { t } = useTranslation();
  const number = steps.indexOf(step) + 1;
  const isChoice = step.courseIds.length > 1 || step.title !== "";
  const [course] = step.courseIds.map((id) => courses.get(id));
  const after = afterOf(t, step, steps);
  const onKey = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    onMove(event.key === "ArrowUp" ? -1 : 1);
  };
  const handle = (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={28}
      draggable
      className={classes.handle}
      data-handle={step.id}
      aria-label={t("paths.editor.drag", { number })}
      title={t("paths.editor.dragHint")}
      onDragStart={(event) => event.dataTransfer.setData("application/x-step", step.id)}
      onKeyDown={onKey}
    >
      <IconGripVertical size={17} stroke={1.7} />
    </ActionIcon>
  );
  const menu = (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={30} aria-label={t("paths.editor.actionsOf", { number })}>
          <IconDots size={18} stroke={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onSelect}>{t("paths.editor.edit", { number })}</Menu.Item>
        {number > 1 && <Menu.Item onClick={() => onMove(-1)}>{t("paths.editor.moveUp", { number })}</Menu.Item>}
        {number < steps.length && (
          <Menu.Item onClick={() => onMove(1)}>{t("paths.editor.moveDown", { number })}</Menu.Item>
        )}
        <Menu.Item color="red" onClick={onRemove}>
          {t("paths.editor.remove", { number })}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
  const bar = <StepBar pathId={path.id} number={number} count={path.counts.find(({ stepId }) => stepId === step.id)} />;
  const title = (
    <button type="button" className={classes.title} aria-pressed={isSelected} onClick={onSelect}>
      {titleOf(step, titles) || t("paths.editor.untitledChoice")}
    </button>
  );
  if (isChoice)
    return (
      <div className={classes.choice}>
        <div className={classes.choiceHead}>
          {handle}
          {title}
          <Select
            aria-label={t("paths.editor.needed")}
            className={classes.needed}
            allowDeselect={false}
            value={String(step.needed)}
            data={step.courseIds.map((_, at) => ({
              value: String(at + 1),
              label: t("paths.editor.neededOf", { needed: at + 1, offered: step.courseIds.length }),
            }))}
            onChange={(value) => onChange({ needed: Number(value) })}
          />
          <span className={classes.choiceFacts}>{[after, dueOf(t, step)].filter(Boolean).join(", ")}</span>
          {menu}
        </div>
        <Options step={step} steps={steps} courses={courses} onChange={onChange} />
        {bar}
      </div>
    );
  return (
    <div className={classes.row}>
      {handle}
      <span className={classes.cover}>
        <Cover code={course?.code ?? step.id} />
      </span>
      <span className={classes.words}>
        {title}
        <span className={classes.facts}>
          {t("paths.editor.course")}, {dueOf(t, step)}
        </span>
        <span className={classes.pills}>
          {after && <Pill icon={<IconLock size={13} stroke={1.8} />}>{after}</Pill>}
          <StatusOf course={course} />
        </span>
      </span>
      {bar}
      {menu}
    </div>
  );
}

function StatusOf({ course }: { course: StepCourse | undefined }) {
  const { t } = useTranslation();
  if (course?.status === "archived") return <Pill tone="bad">{t("paths.editor.archivedCourse")}</Pill>;
  return course?.status === "draft" ? <Pill tone="warn">{t("paths.editor.draftCourse")}</Pill> : null;
}

function Options({ step, steps, courses, onChange }: Pick<Props, "step" | "steps" | "courses" | "onChange">) {
  const { t } = useTranslation();
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <ul className={classes.options}>
        {step.courseIds.map((id) => {
          const course = courses.get(id);
          return (
            <li key={id}>
              <span className={classes.coverSmall}>
                <Cover code={course?.code ?? id} />
              </span>
              <span className={classes.words}>
                <span className={classes.optionTitle}>{course?.title}</span>
                <StatusOf course={course} />
              </span>
              {step.courseIds.length > 1 && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={28}
                  aria-label={t("paths.editor.removeOption", { title: course?.title ?? "" })}
                  onClick={() =>
                    onChange({
                      courseIds: step.courseIds.filter((other) => other !== id),
                      needed: Math.min(step.needed, step.courseIds.length - 1),
                    })
                  }
                >
                  <IconX size={16} stroke={1.8} />
                </ActionIcon>
              )}
            </li>
          );
        })}
      </ul>
      {isAdding ? (
        <CoursePicker
          label={t("paths.editor.addOption")}
          taken={new Set(steps.flatMap(({ courseIds }) => courseIds))}
          onPick={(id) => {
            setAdding(false);
            onChange({ courseIds: [...step.courseIds, id] });
          }}
          onClose={() => setAdding(false)}
        />
      ) : (
        step.courseIds.length < MAX_OPTIONS && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={16} stroke={1.8} />}
            onClick={() => setAdding(true)}
          >
            {t("paths.editor.addOption")}
          </Button>
        )
      )}
    </>
  );
}
