import { Button, Modal } from "@mantine/core";
import type { Editor } from "@tiptap/core";
import { useEditorState } from "@tiptap/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { placeOf } from "#web/lessons/author/nodes/children.ts";
import classes from "#web/lessons/author/scenario/graph.module.css";
import { ScenarioGraph } from "#web/lessons/author/scenario/ScenarioGraph.tsx";
import { StepForm } from "#web/lessons/author/scenario/StepForm.tsx";
import { scenarioAround, stepsOf } from "#web/lessons/author/scenario/steps.ts";
import { useScenarioFigures } from "#web/lessons/author/scenario/useScenarioFigures.ts";

type Props = { editor: Editor; getPos: () => number | undefined; onClose: () => void };

/** The steps of a scenario as a graph, with the form of the chosen step beside it. */
export function GraphDialog({ editor, getPos, onClose }: Props) {
  const { t } = useTranslation();
  const scenario = useEditorState({
    editor,
    selector: ({ editor: current }) => scenarioAround(current, placeOf(getPos)),
    equalityFn: (a, b) => a?.node === b?.node && a?.pos === b?.pos,
  });
  const [selected, setSelected] = useState<string | null>(null);
  const figures = useScenarioFigures(String(scenario?.node.attrs["id"] ?? ""));
  if (!scenario) return null;
  const steps = stepsOf(scenario.node);
  const title = String(scenario.node.attrs["title"]) || t("lessonDrafts.blocks.scenario.name");
  const step = steps.find(({ key }) => key === selected);
  const taken = figures?.learners ?? 0;
  const write = (key: string) => {
    onClose();
    // The dialog returns the focus to what opened it.
    setTimeout(() => {
      const place = scenarioAround(editor, placeOf(getPos));
      const found = place && stepsOf(place.node).find((one) => one.key === key);
      if (place && found) editor.commands.focus(place.pos + found.pos + 2, { scrollIntoView: true });
    }, 50);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      fullScreen
      withCloseButton={false}
      title={title}
      classNames={{
        body: classes.body ?? "",
        content: classes.content ?? "",
        header: classes.header ?? "",
        title: classes.title ?? "",
      }}
    >
      <div className={classes.bar}>
        <p>
          {[
            t("scenarioDrafts.steps", { count: steps.filter(({ ending }) => !ending).length }),
            t("scenarioDrafts.endings", { count: steps.filter(({ ending }) => ending).length }),
          ].join(", ")}
          {". "}
          {taken > 0 ? t("scenarioDrafts.taken", { count: taken }) : t("scenarioDrafts.nobody")}
        </p>
        <Button size="sm" onClick={onClose}>
          {t("scenarioDrafts.done")}
        </Button>
      </div>
      <div className={classes.sides}>
        <ScenarioGraph
          editor={editor}
          scenario={scenario}
          figures={figures}
          selected={selected}
          onSelect={setSelected}
        />
        <aside className={classes.aside} aria-label={step?.label ?? t("scenarioDrafts.select")}>
          {step ? (
            <StepForm
              key={step.key}
              editor={editor}
              scenario={scenario}
              step={step}
              steps={steps}
              figures={figures}
              onWrite={() => write(step.key)}
            />
          ) : (
            <p className={classes.dim}>{t("scenarioDrafts.select")}</p>
          )}
        </aside>
      </div>
    </Modal>
  );
}
