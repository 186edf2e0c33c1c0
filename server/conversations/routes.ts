import type { Mount } from "#server/core/http/http.ts";
import { compareAnswers } from "#server/conversations/comparing/comparing.ts";
import { streamAnswer } from "#server/conversations/answerFollowers.ts";
import { ownerOf } from "#server/conversations/owners.ts";
import { sendMessage } from "#server/conversations/messages.ts";
import {
  getConversation,
  listOwnConversations,
  openVisit,
  rateAnswer,
  regenerate,
  removeConversation,
  startConversation,
  stopAnswer,
} from "#server/conversations/service.ts";
import { addQuestion, listQuestions, removeQuestion, runQuestion } from "#server/conversations/testing.ts";
import { listTranscripts, readTranscript } from "#server/conversations/transcripts.ts";
import { answerComparisons, canCompareAnswers } from "#shared/conversations/answerComparisons.ts";
import { botQuestions, canTestChatbots } from "#shared/chatbots/botQuestions.ts";
import { canReadTranscripts, canTalk, conversations } from "#shared/conversations/conversations.ts";

export function conversationRoutes(on: Mount) {
  on(conversations.visit, canTalk, (call) => openVisit(call, call.body.chatbotId));
  on(conversations.start, canTalk, (call, { request }) =>
    startConversation(call, ownerOf(call, request), call.body, request.ip),
  );
  on(conversations.mine, canTalk, (call, { request }) =>
    listOwnConversations(call, ownerOf(call, request), call.query),
  );
  on(conversations.get, canTalk, (call, { request }) => getConversation(call, ownerOf(call, request), call.params.id));
  on(conversations.send, canTalk, (call, { request }) =>
    sendMessage(call, ownerOf(call, request), call.params.id, call.body, request.ip),
  );
  on(conversations.regenerate, canTalk, (call, { request }) =>
    regenerate(call, ownerOf(call, request), call.params.id, call.body, request.ip),
  );
  on(conversations.stop, canTalk, (call, { request }) => stopAnswer(call, ownerOf(call, request), call.params.id));
  on(conversations.stream, canTalk, (call, http) =>
    streamAnswer(call, ownerOf(call, http.request), call.params.id, call.query.from, http),
  );
  on(conversations.rate, canTalk, (call, { request }) =>
    rateAnswer(call, ownerOf(call, request), call.params.id, call.body),
  );
  on(conversations.remove, canTalk, (call, { request }) =>
    removeConversation(call, ownerOf(call, request), call.params.id),
  );
  on(conversations.all, canReadTranscripts, (call) => listTranscripts(call, call.query));
  on(conversations.transcript, canReadTranscripts, (call) => readTranscript(call, call.params.id));
  on(answerComparisons.compare, canCompareAnswers, async (call, { reply }) => {
    // Closing the page cancels the call.
    const stop = new AbortController();
    reply.raw.on("close", () => stop.abort());
    const lines = await compareAnswers(call, call.params.id, call.body, stop.signal);
    return reply.type("application/x-ndjson; charset=utf-8").header("x-accel-buffering", "no").send(lines);
  });
  on(botQuestions.list, canTestChatbots, (call) => listQuestions(call, call.params.id));
  on(botQuestions.add, canTestChatbots, (call) => addQuestion(call, call.params.id, call.body));
  on(botQuestions.remove, canTestChatbots, (call) => removeQuestion(call, call.params.id, call.params.questionId));
  on(botQuestions.run, canTestChatbots, (call) => runQuestion(call, call.params.id, call.params.questionId, call.body));
}
