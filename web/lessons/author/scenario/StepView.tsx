import { ActionIcon, Button, Menu, Select, TextInput } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconDots, IconPlus, IconTrash, IconVariable } from "@tabler/icons-react";
import { NodeViewContent, type NodeViewProps, NodeViewWrapper, useEditorState } from "@tiptap/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { addChild, countChildren, placeOf } from "#web/lessons/author/nodes/children.ts";
import { newOption } from "#web/lessons/author/nodes/templates.ts";
import { moveStep } from "#web/lessons/author/scenario/changes.ts";
import { endingKinds, scenarioAround, stepsOf } from "#web/lessons/author/scenario/steps.ts";
import { VariableField } from "#web/lessons/author/settings/fields.tsx";
import classes from "#web/lessons/author/scenario/scenario.module.css";
import { MAX_STEP_CHOICES } from "#shared/lessons/scenarios.ts";

/** A step: its title and text, whether the scenario ends here, and what the learner can choose. */
export function StepView({ node, editor, getPos, updateAttributes, deleteNode }: NodeViewProps) {
  const { t } = useTranslation();
  const place = useEditorState({
    editor,
    selector: ({ editor: current }) => {
      const found = scenarioAround(current, placeOf(getPos));
      const steps = found ? stepsOf(found.node) : [];
      const index = steps.findIndex(({ key }) => key === node.attrs["key"]);
      return { index, last: steps.length - 1 };
    },
    equalityFn: (a, b) => a.index === b?.index && a.last === b.last,
  });
  const [hasVariable, setVariable] = useState(false);
  const pos = placeOf(getPos);
  const ending = node.attrs["ending"] as string | null;
  const numbered = t(ending ? "scenarioDrafts.ending" : "scenarioDrafts.step", { at: place.index + 1 });
  const name = place.index === 0 ? t("scenarioDrafts.start") : numbered;
  const addOption = () => {
    const at = placeOf(getPos);
    if (at !== null) addChild(editor, at, node, newOption());
  };
  const move = (by: 1 | -1) => {
    const at = placeOf(getPos);
    if (at !== null) moveStep(editor, at, by);
  };
  return (
    <NodeViewWrapper className={classes.step} data-ending={ending || undefined} data-step={node.attrs["key"]}>
      <div contentEditable={false} className={classes.stepHead}>
        <span className={classes.number}>{name}</span>
        <TextInput
          className={classes.stepTitle}
          variant="unstyled"
          aria-label={t("scenarioDrafts.titleOf", { step: name })}
          placeholder={t("scenarioDrafts.stepTitle")}
          value={String(node.attrs["title"])}
          maxLength={200}
          onChange={(event) => updateAttributes({ title: event.currentTarget.value })}
        />
        <Select
          className={classes.kind}
          size="xs"
          aria-label={t("scenarioDrafts.kindOf", { step: name })}
          allowDeselect={false}
          value={ending ?? "goesOn"}
          data={endingKinds.map((value) => ({ value, label: t(`scenarioDrafts.kinds.${value}`) }))}
          onChange={(value) => updateAttributes({ ending: value === "goesOn" ? null : value })}
        />
        {editor.isEditable && (
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={t("scenarioDrafts.actions", { step: name })}>
                <IconDots size={17} stroke={1.8} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {!ending && (
                <Menu.Item leftSection={<IconVariable size={17} stroke={1.7} />} onClick={() => setVariable(true)}>
                  {t("scenarioDrafts.writeTo")}
                </Menu.Item>
              )}
              <Menu.Item
                leftSection={<IconArrowUp size={17} stroke={1.7} />}
                disabled={place.index <= 0}
                onClick={() => move(-1)}
              >
                {t("lessonDrafts.block.up")}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconArrowDown size={17} stroke={1.7} />}
                disabled={place.index >= place.last}
                onClick={() => move(1)}
              >
                {t("lessonDrafts.block.down")}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconTrash size={17} stroke={1.7} />}
                disabled={place.last === 0}
                onClick={deleteNode}
              >
                {t("lessonDrafts.block.remove")}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      <NodeViewContent className={classes.stepBody} />
      {!ending && (
        <div contentEditable={false} className={classes.stepFoot}>
          {editor.isEditable && countChildren(node, "option") < MAX_STEP_CHOICES && (
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconPlus size={16} stroke={1.8} />}
              onClick={addOption}
            >
              {t("scenarioDrafts.addChoice")}
            </Button>
          )}
          {pos !== null && (hasVariable || node.attrs["variable"] !== "") && (
            <VariableField of={{ editor, node, pos }} name="variable" label={t("scenarioDrafts.writeTo")} />
          )}
        </div>
      )}
    </NodeViewWrapper>
  );
}
