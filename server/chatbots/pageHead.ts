import { readOpenBot } from "#server/chatbots/botAccess.ts";
import type { Page } from "#server/core/rendering/htmlHead.ts";
import { Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { isUuid } from "#shared/core/uuid.ts";
import texts from "#shared/locales/en/chat.json" with { type: "json" };

const CHAT = /^\/chatbot\/([^/?]*)\/?(?:\?|$)/;

/**
 * HTTP status and head of the page of a chatbot; null for any other page. Guests get the same 404 for chatbots that do
 * not exist and for those that are not public. With a session, which is not verified here, the browser finds out.
 */
export async function chatHeadOf(services: Services, url: string, isGuest: boolean): Promise<Page | null> {
  const [, id] = CHAT.exec(url) ?? [];
  if (id === undefined) return null;
  const bot = isUuid(id) && (await readOpenBot(services.db, id, { user: null, courseId: null }).catch(orNull));
  if (bot) return { status: 200, title: bot.name, description: bot.settings.description };
  return isGuest || !isUuid(id) ? { status: 404, title: texts.closed.signInTitle, noindex: true } : null;
}

const orNull = (error: unknown) => {
  if (error instanceof Problem && error.status === 404) return null;
  throw error;
};
