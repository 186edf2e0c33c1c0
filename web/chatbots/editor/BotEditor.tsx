import { Button, Drawer, Group, NativeSelect, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconMessage } from "@tabler/icons-react";
import { type FormEvent, type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { AccessFields } from "#web/chatbots/editor/AccessFields.tsx";
import { BehaviourFields } from "#web/chatbots/editor/BehaviourFields.tsx";
import { BotPreview } from "#web/chatbots/editor/BotPreview.tsx";
import { type BotSection, botSections, sectionOf } from "#web/chatbots/editor/botSections.ts";
import classes from "#web/chatbots/chatbots.module.css";
import conversationClasses from "#web/chatbots/transcripts/conversation.module.css";
import { IdentityFields } from "#web/chatbots/editor/IdentityFields.tsx";
import { KnowledgeFields } from "#web/chatbots/editor/KnowledgeFields.tsx";
import { LimitFields } from "#web/chatbots/editor/LimitFields.tsx";
import { VoiceFields } from "#web/chatbots/editor/VoiceFields.tsx";
import type { useBotForm } from "#web/chatbots/editor/useBotForm.ts";
import { formatAgo } from "#web/core/format/format.ts";
import type { Chatbot } from "#shared/chatbots/chatbots.ts";

type Props = { bot: Chatbot; state: ReturnType<typeof useBotForm> };

/** The draft, one section at a time, next to a preview conversation. */
export function BotEditor({ bot, state }: Props) {
  const { t } = useTranslation();
  const { form, isDirty, busy, save, discard } = state;
  const [current, setCurrent] = useState<BotSection>("identity");
  const [tried, trying] = useDisclosure();
  const faulty = new Set(Object.keys(form.errors).map(sectionOf));
  const submit = async (press?: FormEvent) => {
    press?.preventDefault();
    const saved = await save();
    if (!saved) setCurrent((before) => [...faulty][0] ?? before);
  };
  const saveByKey = useEffectEvent((key: KeyboardEvent) => {
    if (!(key.metaKey || key.ctrlKey) || key.key.toLowerCase() !== "s") return;
    key.preventDefault();
    void submit();
  });
  useEffect(() => {
    const onKey = (key: KeyboardEvent) => saveByKey(key);
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const firstFaulty = botSections.find((name) => faulty.has(name));
  useEffect(() => {
    if (firstFaulty) setCurrent(firstFaulty);
  }, [firstFaulty]);

  const fields: Record<BotSection, ReactNode> = {
    identity: <IdentityFields form={form} />,
    behaviour: <BehaviourFields form={form} />,
    knowledge: <KnowledgeFields form={form} part="knowledge" />,
    model: <KnowledgeFields form={form} part="model" />,
    values: <KnowledgeFields form={form} part="values" />,
    access: <AccessFields form={form} bot={bot} />,
    voice: <VoiceFields form={form} />,
    limits: <LimitFields form={form} />,
  };
  const preview = <BotPreview bot={bot} isDirty={isDirty} busy={busy} onSave={() => void submit()} />;
  return (
    <div className={classes.editor}>
      <nav className={classes.nav} aria-label={t("chatbots.edit.sections")}>
        <ul>
          {botSections.map((name) => (
            <li key={name}>
              <button
                type="button"
                aria-current={name === current ? "step" : undefined}
                onClick={() => setCurrent(name)}
              >
                {t(`chatbots.sections.${name}`)}
                {faulty.has(name) && <span className={classes.fault}>{t("chatbots.edit.check")}</span>}
              </button>
            </li>
          ))}
        </ul>
        <NativeSelect
          className={classes.menu}
          aria-label={t("chatbots.edit.sections")}
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value as BotSection)}
          data={botSections.map((name) => ({ value: name, label: t(`chatbots.sections.${name}`) }))}
        />
      </nav>
      <form noValidate className={classes.form} onSubmit={(press) => void submit(press)}>
        <section className={classes.section} aria-labelledby="bot-section">
          <h2 id="bot-section">{t(`chatbots.sections.${current}`)}</h2>
          {fields[current]}
        </section>
        <div className={classes.bar}>
          <Group gap="xs">
            <Button type="submit" variant="default" loading={busy} disabled={!isDirty}>
              {t("chatbots.edit.save")}
            </Button>
            {isDirty && (
              <Button variant="subtle" onClick={discard}>
                {t("chatbots.edit.discard")}
              </Button>
            )}
            <Button
              className={classes.tryButton}
              variant="subtle"
              leftSection={<IconMessage size={18} stroke={1.7} />}
              onClick={trying.open}
            >
              {t("chatbots.edit.try")}
            </Button>
            <Text size="sm" c="dimmed" role="status">
              {isDirty ? t("chatbots.edit.unsaved") : t("chatbots.edit.saved", { when: formatAgo(bot.updatedAt) })}
            </Text>
          </Group>
        </div>
      </form>
      <aside className={conversationClasses.preview} aria-label={t("chatbots.preview.title")}>
        {preview}
      </aside>
      <Drawer
        opened={tried}
        onClose={trying.close}
        position="right"
        size="md"
        padding={0}
        title={t("chatbots.preview.title")}
        classNames={{ header: conversationClasses.drawerHead ?? "", body: conversationClasses.drawerBody ?? "" }}
        closeButtonProps={{ "aria-label": t("core.close") }}
      >
        {tried && preview}
      </Drawer>
    </div>
  );
}
