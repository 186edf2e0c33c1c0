import { Button, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "#web/chatbots/chatbots.module.css";
import conversationClasses from "#web/chatbots/transcripts/conversation.module.css";
import { SceneStepFields } from "#web/chatbots/editor/SceneStepFields.tsx";
import type { BotForm } from "#web/chatbots/editor/useBotForm.ts";
import { checkScene } from "#shared/chatbots/botSettings.ts";

const MAX_STEPS = 100;

/** The steps of a scene in order, with their faults. The first step is the start. */
export function SceneFields({ form }: { form: BotForm }) {
  const { t } = useTranslation();
  const { scene } = form.values;
  const faults = checkScene(scene);
  const freeId = () => {
    const ids = new Set(scene.map(({ id }) => id));
    let number = scene.length + 1;
    while (ids.has(`step-${number}`)) number++;
    return `step-${number}`;
  };
  const addStep = () => {
    const id = freeId();
    form.insertListItem("scene", { id, says: "", choices: [], reachesGoal: false });
    return id;
  };
  const said = (id: string) => {
    const says = scene.find((step) => step.id === id)?.says ?? "";
    return says.length > 40 ? `${says.slice(0, 39)}…` : says || id;
  };
  const lines = [
    ...faults.repeated.map((id) => t("chatbots.scene.repeated", { id })),
    ...faults.broken.map((id) => t("chatbots.scene.broken", { step: said(id) })),
    ...faults.unreachable.map((id) => t("chatbots.scene.unreachable", { step: said(id) })),
    ...faults.endless.map((id) => t("chatbots.scene.endless", { step: said(id) })),
  ];
  return (
    <div>
      <Text size="sm" c="dimmed" mb="sm">
        {t("chatbots.scene.hint")}
      </Text>
      <ol className={classes.rows}>
        {scene.map((_, at) => (
          // Not keyed by id, which may change while the step is edited.
          <SceneStepFields key={at} form={form} at={at} onNewStep={addStep} />
        ))}
      </ol>
      <div role="status">
        {lines.length > 0 && (
          <ul className={conversationClasses.sceneFaults}>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </div>
      {scene.length < MAX_STEPS && (
        <Button
          mt="sm"
          variant="default"
          size="compact-md"
          leftSection={<IconPlus size={16} stroke={1.7} />}
          onClick={addStep}
        >
          {t("chatbots.scene.addStep")}
        </Button>
      )}
    </div>
  );
}
