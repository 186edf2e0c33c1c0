import { ActionIcon, Textarea } from "@mantine/core";
import { IconArrowUp, IconPlayerStopFilled } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/prompts/Playground.module.css";
import { TryColumn } from "#web/prompts/TryColumn.tsx";
import { toChoice } from "#web/prompts/modelChoice.ts";
import { useTry } from "#web/prompts/useTry.ts";
import type { PromptDetail } from "#shared/prompts/prompts.ts";

type Props = { prompt: PromptDetail; text: string; isChanged: boolean; userId: string | null };
/** Stands for the text in the editor instead of the id of a version. */
const WRITTEN = "written";

/** One message to two models or versions, side by side. */
export function Playground({ prompt, text, isChanged, userId }: Props) {
  const { t } = useTranslation();
  const [message, setMessage] = useState("");
  const [sent, setSent] = useState("");
  const first = useTry();
  const second = useTry();
  const [models, setModels] = useState(["", ""]);
  const [chosen, setChosen] = useState([WRITTEN, prompt.live?.id ?? WRITTEN]);
  // An unchanged text in the editor is the draft.
  const versions = chosen.map((id) => (id === prompt.draft.id && !isChanged ? WRITTEN : id));
  const tries = [first, second];
  const isRunning = tries.some(({ state }) => state.isRunning);
  const send = () => {
    const question = message.trim();
    if (question === "") return;
    setSent(question);
    for (const [at, { run }] of tries.entries()) {
      const version = prompt.versions.find(({ id }) => id === versions[at]);
      const versionId = version?.id ?? (isChanged ? null : prompt.draft.id);
      const body = version?.body ?? text;
      void run({ body, purpose: prompt.purpose, message: question, versionId, userId, ...toChoice(models[at] ?? "") });
    }
  };
  const replace = (list: string[], at: number, value: string) => list.map((one, index) => (index === at ? value : one));
  return (
    <section>
      <div className={classes.columns}>
        {tries.map(({ state }, at) => (
          <TryColumn
            // Two columns, always in this order.
            key={at === 0 ? "first" : "second"}
            state={state}
            message={sent}
            model={models[at] ?? ""}
            onModel={(next) => setModels((before) => replace(before, at, next))}
            version={versions[at] ?? WRITTEN}
            onVersion={(next) => setChosen((before) => replace(before, at, next))}
            versions={[
              {
                value: WRITTEN,
                label: isChanged ? t("prompts.written") : t("prompts.versionNumber", { number: prompt.draft.number }),
              },
              ...prompt.versions
                .filter(({ id }) => isChanged || id !== prompt.draft.id)
                .map(({ id, number }) => ({
                  value: id,
                  label:
                    id === prompt.live?.id
                      ? t("prompts.liveVersion", { number })
                      : t("prompts.versionNumber", { number }),
                })),
            ]}
          />
        ))}
      </div>
      <div className={classes.ask}>
        <Textarea
          flex={1}
          aria-label={t("prompts.message")}
          placeholder={t("prompts.message")}
          autosize
          minRows={1}
          maxRows={6}
          maxLength={8000}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey) return;
            event.preventDefault();
            send();
          }}
        />
        {isRunning ? (
          <ActionIcon
            size={42}
            aria-label={t("prompts.stop")}
            title={t("prompts.stop")}
            onClick={() => tries.forEach(({ stop }) => stop())}
          >
            <IconPlayerStopFilled size={18} />
          </ActionIcon>
        ) : (
          <ActionIcon
            size={42}
            aria-label={t("prompts.send")}
            title={t("prompts.send")}
            disabled={message.trim() === ""}
            onClick={send}
          >
            <IconArrowUp size={20} stroke={2} />
          </ActionIcon>
        )}
      </div>
    </section>
  );
}
