import { Button } from "@mantine/core";
import { IconArrowUp, IconMicrophone } from "@tabler/icons-react";
import { useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import chatClasses from "#web/conversations/chat.module.css";
import classes from "#web/conversations/voice/voice.module.css";
import type { VoiceSession } from "#web/conversations/voice/voiceSession.ts";

type Props = { session: VoiceSession; text: string; max: number };

/** The transcript, which can be corrected before it is sent. */
export function HeardText({ session, text, max }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      className={classes.heard}
      onSubmit={(event) => {
        event.preventDefault();
        session.sendHeard();
      }}
    >
      <label htmlFor={id}>{t("chat.voice.stages.checking")}</label>
      <textarea
        ref={field}
        id={id}
        rows={3}
        className={chatClasses.field}
        value={text}
        maxLength={max}
        onChange={(event) => session.edit(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          session.sendHeard();
        }}
      />
      <div className={classes.heardActions}>
        <Button type="submit" disabled={!text.trim()} leftSection={<IconArrowUp size={18} stroke={2} />}>
          {t("chat.send")}
        </Button>
        <Button variant="default" leftSection={<IconMicrophone size={18} stroke={1.7} />} onClick={session.discard}>
          {t("chat.voice.again")}
        </Button>
      </div>
    </form>
  );
}
