import { IconMicrophone, IconPencil } from "@tabler/icons-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { BranchArrows } from "#web/conversations/turns/BranchArrows.tsx";
import type { Chat } from "#web/conversations/chat.ts";
import type { Unsent } from "#web/conversations/outbox.ts";
import { TurnButton } from "#web/conversations/turns/TurnButton.tsx";
import classes from "#web/conversations/chat.module.css";
import transcriptClasses from "#web/conversations/transcript.module.css";
import type { Turn } from "#shared/conversations/conversations.ts";

type Props = { chat: Chat; turn: Turn | Unsent; siblings: readonly string[]; canEdit: boolean; help: string };

/** A message of the person; one without a state has not reached the server yet. */
export const OwnTurn = memo(
  function OwnTurn({ chat, turn, siblings, canEdit, help }: Props) {
    const { t } = useTranslation();
    const isStored = "state" in turn;
    return (
      <div className={classes.turn} data-own data-unsent={!isStored || undefined}>
        <div className={classes.own}>
          <span className="ly-hidden">{t("chat.you")}: </span>
          {turn.text}
          {turn.spoken && (
            <span className={transcriptClasses.spoken}>
              <IconMicrophone size={14} stroke={1.8} aria-hidden /> {t("chat.spoken")}
            </span>
          )}
        </div>
        {isStored && turn.showsHelp && (
          <div className={classes.answer} data-care role="status">
            <p className={transcriptClasses.plain}>{help}</p>
          </div>
        )}
        {isStored && (canEdit || siblings.length > 1) && (
          <div className={transcriptClasses.actions}>
            <BranchArrows chat={chat} id={turn.id} siblings={siblings} />
            {canEdit && (
              <TurnButton label={t("chat.actions.edit")} onClick={() => chat.edit(turn)}>
                <IconPencil size={17} stroke={1.7} />
              </TurnButton>
            )}
          </div>
        )}
      </div>
    );
  },
  (before, after) =>
    before.turn === after.turn && before.canEdit === after.canEdit && isSameList(before.siblings, after.siblings),
);

export const isSameList = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((item, at) => item === other[at]);
