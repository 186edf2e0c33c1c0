import { useQuery } from "@tanstack/react-query";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { queryFor } from "#web/core/api/api.ts";
import { chatbots } from "#shared/chatbots/chatbots.ts";
import type { Launch } from "#shared/player/player.ts";

export type CourseChatState = ReturnType<typeof useCourseChat>;

/**
 * The chatbots of the course, and the one that is open next to it. Alt+M opens and closes it; the focus returns to the
 * content.
 */
export function useCourseChat({ course }: Pick<Launch, "course">, frame: RefObject<HTMLElement | null>) {
  const { data } = useQuery(queryFor(chatbots.mine, { query: { courseId: course.id } }));
  const bots = data?.items;
  const [shown, setShown] = useState<string | null>(null);
  const loadedBots = useRef(bots);
  /** A request of the content from before the list of chatbots was loaded. */
  const openRequest = useRef<{ chatbotId: string | null } | null>(null);
  const open = useCallback((chatbotId: string | null) => {
    if (!loadedBots.current) openRequest.current = { chatbotId };
    const bot = chatbotId === null ? loadedBots.current?.[0] : loadedBots.current?.find(({ id }) => id === chatbotId);
    if (bot) setShown(bot.id);
  }, []);
  useEffect(() => {
    loadedBots.current = bots;
    if (bots && openRequest.current) open(openRequest.current.chatbotId);
    if (bots) openRequest.current = null;
  }, [bots, open]);
  const close = useCallback(() => {
    setShown(null);
    frame.current?.focus();
  }, [frame]);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = shown !== null;
  }, [shown]);
  const toggle = useCallback(() => (isShown.current ? close() : open(null)), [open, close]);
  /** The content requests a chatbot, or the shortcut was pressed in it. */
  const onRequest = useCallback(
    ({ chatbotId, toggles }: { chatbotId: string | null; toggles: boolean }) => (toggles ? toggle() : open(chatbotId)),
    [toggle, open],
  );
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== "KeyM") return;
      event.preventDefault();
      toggle();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [toggle]);
  return { bots: bots ?? [], shown, open, close, toggle, onRequest };
}
