import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ChatPanel } from "#web/conversations/ChatPanel.tsx";
import transcriptClasses from "#web/conversations/transcript.module.css";
import panelsClasses from "#web/conversations/panels.module.css";
import type { TurnSource } from "#shared/conversations/conversations.ts";

type Props = { sources: TurnSource[]; n: number; onOpen: (n: number) => void; onClose: () => void };

/** The passages behind an answer, one of them open. */
export function SourcePanel({ sources, n, onOpen, onClose }: Props) {
  const { t } = useTranslation();
  const open = useRef<HTMLLIElement>(null);
  useEffect(() => {
    open.current?.scrollIntoView({ block: "nearest" });
  }, [n]);
  return (
    <ChatPanel
      title={t("chat.sources.title")}
      line={t("chat.sources.count", { count: sources.length })}
      onClose={onClose}
    >
      <ol className={panelsClasses.sources}>
        {sources.map((source) => {
          const isOpen = source.n === n;
          const place = [
            source.page === null ? "" : t("chat.sources.place", { page: source.page }),
            source.heading && t("chat.sources.heading", { heading: source.heading }),
          ].filter(Boolean);
          return (
            <li key={source.n} ref={isOpen ? open : null} data-open={isOpen || undefined}>
              <button type="button" aria-expanded={isOpen} onClick={() => onOpen(source.n)}>
                <span className={transcriptClasses.chipNumber}>{source.n}</span>
                <span>
                  <strong>{source.title}</strong>
                  {place.length > 0 && <small>{place.join(", ")}</small>}
                </span>
              </button>
              {isOpen && (
                <blockquote>
                  <mark>{source.quote}</mark>
                </blockquote>
              )}
            </li>
          );
        })}
      </ol>
    </ChatPanel>
  );
}
