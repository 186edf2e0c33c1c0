import { createBreather } from "#server/core/breather.ts";
import { GatewayError } from "#server/connectors/gatewayCall.ts";

/** Maximum length of an event; no provider sends longer ones. */
const MAX_EVENT_CHARS = 8 * 1024 ** 2;

/**
 * Yields the `data` of every event of a reply (`text/event-stream`, WHATWG HTML 9.2.6), independent of the chunks of
 * the network. An incomplete event at the end is dropped, as the standard requires. Lets other work run in between,
 * however fast the reply arrives.
 */
export async function* readServerSentEvents(reply: Response): AsyncGenerator<string> {
  if (!reply.body) return;
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  const breathe = createBreather();
  for await (const bytes of reply.body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(bytes, { stream: true });
    // A CR at the end may be half of a CRLF.
    const isHalf = rest.endsWith("\r");
    const lines = (isHalf ? rest.slice(0, -1) : rest).split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? "") + (isHalf ? "\r" : "");
    if (rest.length > MAX_EVENT_CHARS) throw new GatewayError("bad_reply");
    for (const line of lines) {
      if (line === "") {
        await breathe();
        if (data.length > 0) yield data.join("\n");
        data = [];
      } else if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
    }
  }
}
