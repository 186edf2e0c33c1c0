import { describeBot, listOpenBots, readDraft, readOpenBot } from "#server/chatbots/botAccess.ts";
import { listBots, readBot } from "#server/chatbots/botRows.ts";
import {
  checkBot,
  createBot,
  duplicateBot,
  exportBot,
  importBot,
  listVersions,
  publishBot,
  restoreVersion,
  setBotStatus,
  updateBot,
} from "#server/chatbots/service.ts";
import type { Mount } from "#server/core/http/http.ts";
import { canFindChatbots, canManageChatbots, chatbots } from "#shared/chatbots/chatbots.ts";

export function chatbotRoutes(on: Mount) {
  on(chatbots.list, canManageChatbots, (call) => listBots(call, call.query));
  on(chatbots.get, canManageChatbots, (call) => readBot(call.db, call.params.id, call.user));
  on(chatbots.create, canManageChatbots, (call) => createBot(call, call.body));
  on(chatbots.update, canManageChatbots, (call) => updateBot(call, call.params.id, call.body));
  on(chatbots.check, canManageChatbots, (call) => checkBot(call, call.params.id));
  on(chatbots.publish, canManageChatbots, (call) => publishBot(call, call.params.id, call.body));
  on(chatbots.setStatus, canManageChatbots, (call) => setBotStatus(call, call.params.id, call.body));
  on(chatbots.versions, canManageChatbots, (call) => listVersions(call, call.params.id));
  on(chatbots.restore, canManageChatbots, (call) => restoreVersion(call, call.params.id, call.body));
  on(chatbots.duplicate, canManageChatbots, (call) => duplicateBot(call, call.params.id));
  on(chatbots.export, canManageChatbots, (call) => exportBot(call, call.params.id));
  on(chatbots.import, canManageChatbots, (call) => importBot(call, call.body));
  on(chatbots.open, canFindChatbots, async (call) => {
    const { courseId = null, language, preview } = call.query;
    if (preview) return describeBot(call, await readDraft(call, call.params.id), call.user, language);
    return describeBot(
      call,
      await readOpenBot(call.db, call.params.id, { user: call.user, courseId }),
      call.user,
      language,
    );
  });
  on(chatbots.mine, canFindChatbots, (call) =>
    listOpenBots(call, { user: call.user, courseId: call.query.courseId ?? null }),
  );
}
