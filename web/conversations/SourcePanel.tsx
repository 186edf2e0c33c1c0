import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ChatPanel } from "#web/conversations/ChatPanel.tsx";
import { SourcePart } from "#web/conversations/SourcePart.tsx";
import transcriptClasses from "#web/conversations/transcript.module.css";
import panelsClasses from "#web/conversations/panels.module.css";
import type { TurnSource } from "#shared/conversations/conversations.ts";

type Props = { sources: TurnSource[]; n: number; onOpen: (n: number) => void; onClose: () => void };

/** The passages behind an answer, one of them open. */
export function SourcePanel({ sources, n, onOpen, onClose }: Props) {
  const { t } = useTranslation();
  const open = useRef<HTMLLIElement>(null);
  const placeOf = ({ page, part }: TurnSource) => {
    if (page === null) return "";
    return part ? t("chat.sources.part", { number: page, title: part.title }) : t("chat.sources.place", { page });
  };
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
            placeOf(source),
            source.heading &&
              source.heading !== source.part?.title &&
              t("chat.sources.heading", { heading: source.heading }),
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
              {isOpen && source.part && <SourcePart part={source.part} onOpened={onClose} />}
            </li>
          );
        })}
      </ol>
    </ChatPanel>
  );
}
