import { Button, Group } from "@mantine/core";
import { IconAlertCircle, IconMicrophone } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Note } from "#web/conversations/turns/AnswerEnd.tsx";
import type { VoiceSession } from "#web/conversations/voice/voiceSession.ts";
import type { VoiceState } from "#web/conversations/voice/voiceState.ts";
import type { PublicBot } from "#shared/chatbots/chatbots.ts";

type Props = { session: VoiceSession; voice: VoiceState; bot: PublicBot };

/** The privacy notice before the browser listens, and problems with the action to take. */
export function VoiceNotes({ session, voice: { phase, problem, hasClip }, bot }: Props) {
  const { t } = useTranslation();
  if (phase === "asks")
    return (
      <Note
        kind="info"
        icon={<IconMicrophone size={18} stroke={1.7} />}
        action={
          <Button variant="default" size="compact-md" onClick={session.agree}>
            {t("chat.voice.agree")}
          </Button>
        }
      >
        {t("chat.voice.browserNotice", { academy: bot.academy })}
      </Note>
    );
  if (!problem) return null;
  const { kind, text } = problem;
  return (
    <Note
      kind={kind === "kept" || kind === "short" || kind === "silence" || kind === "mute" ? "warn" : "bad"}
      icon={<IconAlertCircle size={18} stroke={1.7} />}
      action={
        hasClip && (
          <Group gap={6} wrap="nowrap">
            <Button variant="default" size="compact-md" onClick={session.retry}>
              {t(kind === "hidden" || kind === "kept" ? "chat.voice.sendClip" : "chat.states.retry")}
            </Button>
            <Button variant="subtle" size="compact-md" onClick={session.discard}>
              {t("chat.voice.discard")}
            </Button>
          </Group>
        )
      }
    >
      {text ?? t(`chat.voice.problems.${kind as Exclude<typeof kind, "refused">}`)}
    </Note>
  );
}
