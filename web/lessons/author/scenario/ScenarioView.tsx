import { Button, TextInput } from "@mantine/core";
import { IconAlertTriangle, IconPlus, IconSitemap } from "@tabler/icons-react";
import { NodeViewContent, type NodeViewProps, NodeViewWrapper } from "@tiptap/react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { addChild, placeOf } from "#web/lessons/author/nodes/children.ts";
import { newOption, newStep } from "#web/lessons/author/nodes/templates.ts";
import { countLoose, stepsOf } from "#web/lessons/author/scenario/steps.ts";
import classes from "#web/lessons/author/scenario/scenario.module.css";
import { MAX_STEPS } from "#shared/lessons/scenarios.ts";

const GraphDialog = lazy(() =>
  import("#web/lessons/author/scenario/GraphDialog.tsx").then((module) => ({ default: module.GraphDialog })),
);

/** A scenario as a list of its steps, with the graph one button away. */
export function ScenarioView({ node, editor, getPos, updateAttributes }: NodeViewProps) {
  const { t } = useTranslation();
  const [isGraphOpen, setGraphOpen] = useState(false);
  const steps = stepsOf(node);
  const endings = steps.filter(({ ending }) => ending).length;
  const loose = countLoose(node);
  const add = (ending: string | null) => {
    const pos = placeOf(getPos);
    if (pos !== null) addChild(editor, pos, node, newStep(ending, ending ? [] : [newOption(), newOption()]));
  };
  const button = (label: string, onClick: () => void) => (
    <Button variant="subtle" size="compact-sm" leftSection={<IconPlus size={16} stroke={1.8} />} onClick={onClick}>
      {label}
    </Button>
  );
  return (
    <NodeViewWrapper className={classes.scenario}>
      <div contentEditable={false} className={classes.head}>
        <TextInput
          className={classes.name}
          aria-label={t("scenarioDrafts.title")}
          placeholder={t("scenarioDrafts.title")}
          value={String(node.attrs["title"])}
          maxLength={200}
          onChange={(event) => updateAttributes({ title: event.currentTarget.value })}
        />
        <Button
          variant="default"
          size="sm"
          leftSection={<IconSitemap size={17} stroke={1.7} />}
          onClick={() => setGraphOpen(true)}
        >
          {t("scenarioDrafts.graph")}
        </Button>
        <p className={classes.counts}>
          {[
            t("scenarioDrafts.steps", { count: steps.length - endings }),
            t("scenarioDrafts.endings", { count: endings }),
          ].join(" · ")}
          {loose > 0 && (
            <span className={classes.loose}>
              <IconAlertTriangle size={15} stroke={1.8} aria-hidden />
              {t("scenarioDrafts.loose", { count: loose })}
            </span>
          )}
        </p>
      </div>
      <NodeViewContent className={classes.steps} />
      {editor.isEditable && steps.length < MAX_STEPS && (
        <div contentEditable={false} className={classes.adding}>
          {button(t("scenarioDrafts.addStep"), () => add(null))}
          {button(t("scenarioDrafts.addEnding"), () => add("fair"))}
        </div>
      )}
      {isGraphOpen && (
        <Suspense>
          <GraphDialog editor={editor} getPos={getPos} onClose={() => setGraphOpen(false)} />
        </Suspense>
      )}
    </NodeViewWrapper>
  );
}
