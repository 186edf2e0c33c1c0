import { Button, NumberInput, Select, TextInput } from "@mantine/core";
import { IconArrowRight, IconPencil } from "@tabler/icons-react";
import type { Editor } from "@tiptap/core";
import { useTranslation } from "react-i18next";
import { changeBlock } from "#web/lessons/author/editing/blockCommands.ts";
import { changeSteps, leadTo } from "#web/lessons/author/scenario/changes.ts";
import classes from "#web/lessons/author/scenario/graph.module.css";
import {
  endingKinds,
  optionsOf,
  type ScenarioPlace,
  type Step,
  targetsOf,
  textOf,
} from "#web/lessons/author/scenario/steps.ts";
import type { ScenarioFigures } from "#shared/reports/questionFigures.ts";
import { MAX_POINTS } from "#shared/lessons/scenarios.ts";

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
            const target = steps.find(({ key }) => key === node.attrs["to"]);
            const chosen = figures?.choices[String(node.attrs["id"])] ?? 0;
            return (
              <div key={String(node.attrs["id"])} className={classes.choice}>
                <p className={classes.choiceText}>
                  <strong>{choice}</strong>
                  {total > 0 && <span>{t("scenarioDrafts.chosenBy", { count: chosen, total })}</span>}
                </p>
                <div className={classes.choiceFields}>
                  <Select
                    flex={1}
                    size="xs"
                    aria-label={t("scenarioDrafts.leadsTo", { choice })}
                    placeholder={t("scenarioDrafts.chooseTarget")}
                    leftSection={<IconArrowRight size={15} stroke={1.8} />}
                    data={targetsOf(steps)}
                    value={target?.key ?? null}
                    error={!target}
                    onChange={(to) => leadTo(editor, at, to)}
                    searchable
                  />
                  <NumberInput
                    w={84}
                    size="xs"
                    aria-label={t("scenarioDrafts.pointsOf", { choice })}
                    suffix={` ${t("scenarioDrafts.pts")}`}
                    allowDecimal={false}
                    hideControls
                    min={-MAX_POINTS}
                    max={MAX_POINTS}
                    value={Number(node.attrs["points"])}
                    onChange={(points) => changeBlock(editor, at, { points: Number(points) || 0 })}
                  />
                </div>
              </div>
            );
          })}
        </section>
      )}
    </>
  );
}
