import { ActionIcon, Button, Input, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "#web/chatbots/chatbots.module.css";
import type { BotForm } from "#web/chatbots/editor/useBotForm.ts";

const MAX_CRITERIA = 10;

/** Criteria by which conversations are scored, each from 1 to 5. */
export function RubricFields({ form }: { form: BotForm }) {
  const { t } = useTranslation();
  const { rubric } = form.values;
  const add = () => {
    const ids = new Set(rubric.map(({ id }) => id));
    let number = rubric.length + 1;
    while (ids.has(`criterion-${number}`)) number++;
    form.insertListItem("rubric", { id: `criterion-${number}`, name: "", description: "" });
  };
  return (
    <Input.Wrapper label={t("chatbots.fields.rubric")} description={t("chatbots.fields.rubricHint")} labelElement="div">
      <ul className={classes.rows}>
        {rubric.map(({ id }, at) => (
          <li key={id} className={classes.criterion}>
            <TextInput
              aria-label={t("chatbots.fields.criterion", { number: at + 1 })}
              placeholder={t("chatbots.fields.criterion", { number: at + 1 })}
              maxLength={80}
              {...form.getInputProps(`rubric.${at}.name`)}
            />
            <TextInput
              aria-label={t("chatbots.fields.meaning", { number: at + 1 })}
              placeholder={t("chatbots.fields.meaningHint")}
              maxLength={600}
              {...form.getInputProps(`rubric.${at}.description`)}
            />
            <ActionIcon
              aria-label={t("chatbots.fields.removeCriterion", { number: at + 1 })}
              title={t("chatbots.fields.removeCriterion", { number: at + 1 })}
              onClick={() => form.removeListItem("rubric", at)}
            >
              <IconTrash size={17} stroke={1.7} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {rubric.length < MAX_CRITERIA && (
        <Button variant="subtle" size="compact-sm" leftSection={<IconPlus size={16} stroke={1.7} />} onClick={add}>
          {t("chatbots.fields.addCriterion")}
        </Button>
      )}
    </Input.Wrapper>
  );
}
