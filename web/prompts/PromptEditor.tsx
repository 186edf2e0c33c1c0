import { Button, Group, Menu, Textarea, TextInput } from "@mantine/core";
import { IconVariable } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { issuesOf, messageOf } from "#web/core/http/messages.ts";
import { useConflict } from "#web/core/dialog/useConflict.tsx";
import { toast } from "#web/core/toast/toast.ts";
import classes from "#web/prompts/prompts.module.css";
import { knownKeys, type PromptDetail, prompts } from "#shared/prompts/prompts.ts";
import { variables } from "#shared/variables/variables.ts";

type Props = {
  prompt: PromptDetail;
  text: string;
  onChange: (text: string) => void;
  isChanged: boolean;
  /** Number of the version that saving creates. */
  next: number;
};

/** The text of the next version, with the available placeholders. */
export function PromptEditor({ prompt, text, onChange, isChanged, next }: Props) {
  const { t } = useTranslation();
  const [note, setNote] = useState("");
  const [failure, setFailure] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const save = useApiMutation(prompts.saveVersion, { quiet: true });
  const { data: usable } = useQuery(queryFor(variables.list, { query: { size: 200 } }));
  const keys = [
    ...knownKeys(prompt.purpose),
    ...(usable?.items ?? []).filter(({ usableInPrompts }) => usableInPrompts).map(({ key }) => key),
  ];
  const insert = (key: string) => {
    const { selectionStart = text.length, selectionEnd = text.length } = field.current ?? {};
    onChange(`${text.slice(0, selectionStart)}{{${key}}}${text.slice(selectionEnd)}`);
  };
  const submit = async (version: number) => {
    setFailure("");
    try {
      const saved = await save.mutateAsync({ params: { id: prompt.id }, body: { body: text, note, version } });
      setNote("");
      onChange(saved.versions[0]?.body ?? text);
      toast.done(t("prompts.saved", { number: saved.draft.number }));
    } catch (error) {
      if (await conflict.handleError(error, { name: prompt.name })) return;
      setFailure(issuesOf(error)["body"] ?? messageOf(error));
    }
  };
  const conflict = useConflict<PromptDetail>({
    labels: { name: t("prompts.name") },
    onKeepMine: (_, version) => submit(version),
    onTakeTheirs: (theirs) => onChange(theirs.versions[0]?.body ?? ""),
  });
  return (
    <section>
      <div className={classes.head}>
        <h2>{t("prompts.text")}</h2>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="subtle" size="compact-sm" leftSection={<IconVariable size={17} stroke={1.7} />}>
              {t("prompts.insert")}
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={320} style={{ overflowY: "auto" }}>
            {keys.map((key) => (
              <Menu.Item key={key} onClick={() => insert(key)}>
                <code className={classes.key}>{key}</code>
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </div>
      <Textarea
        ref={field}
        aria-label={t("prompts.text")}
        autosize
        minRows={9}
        maxRows={22}
        value={text}
        error={failure}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {isChanged && (
        <Group mt="sm" gap="xs" wrap="nowrap" align="end">
          <TextInput
            flex={1}
            aria-label={t("prompts.note")}
            placeholder={t("prompts.note")}
            maxLength={200}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <Button loading={save.isPending} disabled={text.trim() === ""} onClick={() => void submit(prompt.version)}>
            {t("prompts.save", { next })}
          </Button>
        </Group>
      )}
      {conflict.dialog}
    </section>
  );
}
