import { Button } from "@mantine/core";
import { IconMessagePlus, IconTrash } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "#web/core/toast/toast.ts";
import type { Chat } from "#web/conversations/chat.ts";
import { HeadButton } from "#web/conversations/ChatHead.tsx";
import { ChatPanel } from "#web/conversations/ChatPanel.tsx";
import { dayAndTime } from "#web/conversations/Opening.tsx";
import classes from "#web/conversations/chat.module.css";
import panelsClasses from "#web/conversations/panels.module.css";
import { type ConversationRow, conversations } from "#shared/conversations/conversations.ts";

type Props = { chat: Chat; chatbotId: string; currentId: string | null; onClose: () => void };
const PAGE = 20;
/** Wait after the last key before searching, in ms. */
const TYPING_MS = 250;

/** The person's conversations with this chatbot: search, continue, delete. */
export function HistoryPanel({ chat, chatbotId, currentId, onClose }: Props) {
  const { t } = useTranslation();
  const [q, setQ] = useState("");
  const { rows, total, isLoading, hasFailed, showMore, forget } = useHistory(chat, chatbotId, q);
  const open = (id: string) => {
    onClose();
    void chat.open(id);
  };
  return (
    <ChatPanel title={t("chat.history.title")} onClose={onClose}>
      <div className={panelsClasses.historyTools}>
        <input
          type="search"
          className={classes.field}
          aria-label={t("chat.history.search")}
          placeholder={t("chat.history.search")}
          value={q}
          maxLength={200}
          onChange={(event) => setQ(event.currentTarget.value)}
        />
        <Button
          variant="default"
          leftSection={<IconMessagePlus size={18} stroke={1.7} />}
          onClick={() => {
            onClose();
            void chat.startNew();
          }}
        >
          {t("chat.actions.new")}
        </Button>
      </div>
      <div role="status" className={classes.line}>
        {hasFailed && t("chat.history.failed")}
        {!hasFailed && !isLoading && rows.length === 0 && t(q ? "chat.history.noneFound" : "chat.history.none")}
      </div>
      <ul className={panelsClasses.history}>
        {rows.map((row) => (
          <HistoryRow
            key={row.id}
            row={row}
            isCurrent={row.id === currentId}
            onOpen={() => open(row.id)}
            onRemove={async () => {
              await chat.remove(row.id);
              forget(row.id);
            }}
          />
        ))}
      </ul>
      {rows.length < total && (
        <Button variant="subtle" onClick={showMore}>
          {t("chat.history.more")}
        </Button>
      )}
    </ChatPanel>
  );
}

function useHistory(chat: Chat, chatbotId: string, q: string) {
  const [{ rows, total }, setFound] = useState<{ rows: ConversationRow[]; total: number }>({ rows: [], total: 0 });
  const [size, setSize] = useState(PAGE);
  const [isLoading, setLoading] = useState(true);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      if (!chat.client.isKnown()) return { items: [], total: 0 };
      return chat.client.call(conversations.mine, { query: { chatbotId, size, ...(q.trim() && { q: q.trim() }) } });
    };
    const timer = setTimeout(
      () => {
        read()
          .then(
            ({ items, total: all }) => {
              if (isCurrent) setFound({ rows: items, total: all });
              if (isCurrent) setFailed(false);
            },
            () => isCurrent && setFailed(true),
          )
          .finally(() => isCurrent && setLoading(false));
      },
      q ? TYPING_MS : 0,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [chat, chatbotId, q, size]);
  return {
    rows,
    total,
    isLoading,
    hasFailed,
    showMore: () => setSize((now) => Math.min(now + PAGE, 100)),
    forget: (id: string) =>
      setFound((now) => ({ rows: now.rows.filter((row) => row.id !== id), total: now.total - 1 })),
  };
}

type RowProps = { row: ConversationRow; isCurrent: boolean; onOpen: () => void; onRemove: () => Promise<void> };

function HistoryRow({ row, isCurrent, onOpen, onRemove }: RowProps) {
  const { t, i18n } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const title = row.title || t("chat.history.untitled");
  const remove = async () => {
    setRemoving(true);
    await onRemove().catch(toast.failed);
    setRemoving(false);
  };
  if (isAsking)
    return (
      <li className={panelsClasses.historyRow}>
        <div role="alertdialog" aria-label={t("chat.history.removeTitle")} className={panelsClasses.asking}>
          <strong>{t("chat.history.removeTitle")}</strong>
          <p>{t("chat.history.removeText")}</p>
          <Button color="red" size="compact-md" loading={isRemoving} onClick={() => void remove()} autoFocus>
            {t("chat.history.removeConfirm")}
          </Button>
          <Button variant="subtle" size="compact-md" onClick={() => setAsking(false)}>
            {t("chat.history.cancel")}
          </Button>
        </div>
      </li>
    );
  return (
    <li className={panelsClasses.historyRow} data-current={isCurrent || undefined}>
      <button type="button" aria-current={isCurrent || undefined} onClick={onOpen}>
        <strong>{title}</strong>
        <small>
          {dayAndTime(row.lastAt, i18n.language)} · {t("chat.history.questions", { count: row.questions })}
        </small>
      </button>
      <HeadButton label={t("chat.history.remove", { title })} onClick={() => setAsking(true)}>
        <IconTrash size={18} stroke={1.7} />
      </HeadButton>
    </li>
  );
}
