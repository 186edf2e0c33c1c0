import { streamCompletion } from "#server/connectors/gateway.ts";
import type { GatewayCall } from "#server/connectors/gatewayCall.ts";
import type { Services } from "#server/core/services.ts";
import type { AnswerWriter, FinalState } from "#server/conversations/answerWriter.ts";
import { citeSources } from "#server/conversations/sources.ts";
import type { Passage } from "#server/documents/retrieval/byWords.ts";
import texts from "#shared/locales/en/chat.json" with { type: "json" };
import type { BotSettings } from "#shared/chatbots/botSettings.ts";

/** The outcome of a call of a model. */
export type Outcome = {
  text: string;
  state: FinalState;
  code: string | null;
  usesModel: boolean;
  connector: string | null;
  model: string | null;
  usage: { usageId?: string; tokensIn?: number; tokensOut?: number; costMicros?: number | null };
};

/** The part of the writer that a growing answer needs. */
type Growing = Pick<AnswerWriter, "write" | "text" | "isStopped">;

const states = { stop: "done", length: "done", stopped: "stopped", refused: "refused", cut: "cut" } as const;

/** Lets a model answer, and writes its text as it arrives. */
export async function readReply(
  services: Services,
  call: GatewayCall,
  writer: Growing,
  passages: Passage[],
): Promise<Outcome> {
  const outcome: Outcome = {
    text: "",
    state: "cut",
    code: null,
    usesModel: false,
    connector: null,
    model: null,
    usage: {},
  };
  for await (const event of streamCompletion(services, call)) {
    if (event.type === "start") {
      outcome.connector = event.connector.name;
      outcome.model = event.model;
      outcome.usesModel = !event.connector.isBuiltin;
    } else if (event.type === "text") writer.write(event.text);
    else if (event.type === "quote") {
      const at = passages.findIndex(({ id }) => id === event.passageId);
      if (at >= 0) writer.write(` [${at + 1}]`);
    } else if (event.type === "end") {
      const { inputTokens, outputTokens, costMicros } = event.usage;
      outcome.usage = { usageId: event.usageId, tokensIn: inputTokens, tokensOut: outputTokens, costMicros };
      // The call also ends when nobody follows it: the text so far is kept, and can be continued.
      outcome.state = event.reason === "stopped" && !writer.isStopped() ? "cut" : states[event.reason];
      if (event.reason === "length") outcome.code = "length";
    } else {
      outcome.code = event.code;
      outcome.state = writer.text() === "" ? "failed" : "cut";
      if (event.text === undefined) continue;
      // A budget is used up: the answer is the text of the admin.
      outcome.state = "limited";
      writer.write(event.text);
    }
  }
  outcome.text = writer.text();
  return outcome;
}

/** The text and sources of an answer; if nothing was found, the refusal text of the chatbot. */
export function finishReply({ state, text }: Outcome, { refusalText }: BotSettings, passages: Passage[]) {
  return state === "refused" ? { text: refusalText || texts.refusal, sources: [] } : citeSources(text, passages);
}
