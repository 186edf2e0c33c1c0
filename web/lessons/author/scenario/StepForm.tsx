import { Button, Select, TextInput } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import type { Editor } from "@tiptap/core";
import { useTranslation } from "react-i18next";
import { changeSteps } from "#web/lessons/author/scenario/changes.ts";
import classes from "#web/lessons/author/scenario/graph.module.css";
import { OptionFields } from "#web/lessons/author/scenario/OptionFields.tsx";
import { endingKinds, optionsOf, type ScenarioPlace, type Step, textOf } from "#web/lessons/author/scenario/steps.ts";
import type { ScenarioFigures } from "#shared/reports/questionFigures.ts";

type Props = {
  editor: Editor;
  scenario: ScenarioPlace;
  step: Step;
  steps: Step[];
  figures: ScenarioFigures | undefined;
  /** Texts with their marks are written in the list. */
  onWrite: () => void;
};

/** What can be set for a step in the graph: its title, its end, and where its choices lead. */
export function StepForm({ editor, scenario, step, steps, figures, onWrite }: Props) {
  const { t } = useTranslation();
  const set = (attributes: Record<string, unknown>) => changeSteps(editor, scenario.pos, [step.key], attributes);
  const texts = step.node.children.filter(({ type }) => type.name === "richText").map(({ textContent }) => textContent);
  const options = optionsOf(step.node);
  const total = figures?.steps[String(step.node.attrs["id"])] ?? 0;
  return (
    <>
      <h2 className={classes.formTitle}>{step.label}</h2>
      <TextInput
        label={t("scenarioDrafts.stepTitle")}
        value={String(step.node.attrs["title"])}
        maxLength={200}
        onChange={(event) => set({ title: event.currentTarget.value })}
      />
      <Select
        label={t("scenarioDrafts.kind")}
        allowDeselect={false}
        value={step.ending ?? "goesOn"}
        data={endingKinds.map((value) => ({ value, label: t(`scenarioDrafts.kinds.${value}`) }))}
        onChange={(value) => set({ ending: value === "goesOn" ? null : value })}
      />
      <section>
        <h3 className={classes.heading}>{t("scenarioDrafts.text")}</h3>
        {texts.some(Boolean) ? (
          texts.map((text, at) => (
            <p key={at} className={classes.read}>
              {text}
            </p>
          ))
        ) : (
          <p className={classes.dim}>{t("scenarioDrafts.noText")}</p>
        )}
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPencil size={16} stroke={1.7} />}
          onClick={onWrite}
        >
          {t("scenarioDrafts.write")}
        </Button>
      </section>
      {!step.ending && (
        <section>
          <h3 className={classes.heading}>{t("scenarioDrafts.choicesOf")}</h3>
          {options.map(({ node, pos }) => {
            const choice = textOf(node) || "…";
            const at = scenario.pos + step.pos + pos + 1;
            const chosen = figures?.choices[String(node.attrs["id"])] ?? 0;
            return (
              <div key={String(node.attrs["id"])} className={classes.choice}>
                <p className={classes.choiceText}>
                  <strong>{choice}</strong>
                  {total > 0 && <span>{t("scenarioDrafts.chosenBy", { count: chosen, total })}</span>}
                </p>
                <div className={classes.choiceFields}>
                  <OptionFields editor={editor} option={node} steps={steps} placeOf={() => at} />
                </div>
              </div>
            );
          })}
        </section>
      )}
    </>
  );
}
