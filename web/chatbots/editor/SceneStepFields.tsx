import { ActionIcon, Button, Checkbox, Select, TagsInput, Textarea, TextInput } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { ChoiceValue } from "#web/chatbots/editor/ChoiceValue.tsx";
import classes from "#web/chatbots/chatbots.module.css";
import conversationClasses from "#web/chatbots/transcripts/conversation.module.css";
import type { BotForm } from "#web/chatbots/editor/useBotForm.ts";

type Props = { form: BotForm; at: number; onNewStep: () => string };
const icon = { size: 17, stroke: 1.7 };
const MAX_CHOICES = 8;
const NEW_STEP = "+";

/** A step: the text of the chatbot, and the choices with the steps they lead to. */
export function SceneStepFields({ form, at, onNewStep }: Props) {
  const { t } = useTranslation();
  const { scene } = form.values;
  const step = scene[at];
  if (!step) return null;
  const title = t(at === 0 ? "chatbots.scene.first" : "chatbots.scene.step", { number: at + 1 });
  const path = `scene.${at}`;
  const targets = [
    ...scene.map(({ id, says }, index) => ({
      value: id,
      label: `${index + 1}. ${says.slice(0, 50) || t("chatbots.scene.emptyStep")}`,
    })),
    { value: NEW_STEP, label: t("chatbots.scene.newStep") },
  ];
  const choose = (choice: number, to: string | null) => {
    if (to) form.setFieldValue(`${path}.choices.${choice}.to`, to === NEW_STEP ? onNewStep() : to);
  };
  return (
    <li className={classes.step}>
      <div className={classes.stepHead}>
        <strong>{title}</strong>
        <ActionIcon
          aria-label={t("chatbots.scene.up", { title })}
          title={t("chatbots.scene.up", { title })}
          disabled={at === 0}
          onClick={() => form.reorderListItem("scene", { from: at, to: at - 1 })}
        >
          <IconArrowUp {...icon} />
        </ActionIcon>
        <ActionIcon
          aria-label={t("chatbots.scene.down", { title })}
          title={t("chatbots.scene.down", { title })}
          disabled={at === scene.length - 1}
          onClick={() => form.reorderListItem("scene", { from: at, to: at + 1 })}
        >
          <IconArrowDown {...icon} />
        </ActionIcon>
        <ActionIcon
          aria-label={t("chatbots.scene.remove", { title })}
          title={t("chatbots.scene.remove", { title })}
          onClick={() => form.removeListItem("scene", at)}
        >
          <IconTrash {...icon} />
        </ActionIcon>
      </div>
      <Textarea
        label={t("chatbots.scene.says")}
        autosize
        minRows={2}
        maxLength={2000}
        {...form.getInputProps(`${path}.says`)}
      />
      {step.choices.map((choice, index) => (
        // Answers are edited in place and have no id.
        <div key={index} className={classes.choice}>
          <TextInput
            label={t("chatbots.scene.answer", { number: index + 1 })}
            maxLength={300}
            {...form.getInputProps(`${path}.choices.${index}.label`)}
          />
          <Select
            label={t("chatbots.scene.leadsTo")}
            allowDeselect={false}
            placeholder={t("chatbots.scene.chooseStep")}
            data={targets}
            value={scene.some(({ id }) => id === choice.to) ? choice.to : null}
            error={form.errors[`${path}.choices.${index}.to`]}
            onChange={(to) => choose(index, to)}
          />
          <ActionIcon
            aria-label={t("chatbots.scene.removeAnswer", { number: index + 1, title })}
            title={t("chatbots.scene.removeAnswer", { number: index + 1, title })}
            onClick={() => form.removeListItem(`${path}.choices`, index)}
          >
            <IconTrash {...icon} />
          </ActionIcon>
          <TagsInput
            className={conversationClasses.words}
            size="sm"
            label={t("chatbots.scene.words")}
            description={index === 0 ? t("chatbots.scene.wordsHint") : undefined}
            maxTags={20}
            {...form.getInputProps(`${path}.choices.${index}.words`)}
          />
          <ChoiceValue
            number={index + 1}
            sets={choice.sets}
            onChange={(sets) => form.setFieldValue(`${path}.choices.${index}.sets`, sets)}
          />
        </div>
      ))}
      {step.choices.length === 0 && (
        <Checkbox
          label={t("chatbots.scene.goal")}
          description={t("chatbots.scene.end")}
          {...form.getInputProps(`${path}.reachesGoal`, { type: "checkbox" })}
        />
      )}
      {step.choices.length < MAX_CHOICES && (
        <Button
          variant="subtle"
          size="compact-sm"
          w="fit-content"
          leftSection={<IconPlus size={16} stroke={1.7} />}
          onClick={() => form.insertListItem(`${path}.choices`, { label: "", to: "", words: [], sets: null })}
        >
          {t("chatbots.scene.addAnswer")}
        </Button>
      )}
    </li>
  );
}
