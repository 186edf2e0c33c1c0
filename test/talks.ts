import { afterAll, expect, vi } from "vitest";
import type { Turn } from "#shared/conversations/conversations.ts";
import { createBotMaker } from "#test/bots.ts";
import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";

type Talk = Awaited<ReturnType<ReturnType<typeof createBotMaker>["talk"]>>;

/**
 * A server with a connector to a provider, a document, and conversations whose answers can be waited for. `logged` is
 * called with every line of the log.
 */
export async function startTalks(logged?: (line: string) => void) {
  const server = await start({}, logged);
  const maker = createBotMaker(server);
  const admin = await server.make.admin();
  const provider = await startProvider("openai");
  afterAll(() => provider.stop());
  const connector = await connect(server.as(admin), provider);
  const handbook = await maker.addDocument(
    "Handbook",
    "# Holidays\n\nEvery employee has thirty days of paid holiday a year.\n\n" +
      "# Sick leave\n\nTell your manager before nine in the morning when you are ill.",
  );
  /** Waits until an answer has ended. */
  const ended = (chat: Pick<Talk, "read">, id: string) =>
    vi.waitFor(
      async () => {
        const turn = (await chat.read()).turns.find((one) => one.id === id) as Turn;
        expect(["waiting", "streaming"]).not.toContain(turn.state);
        return turn;
      },
      { timeout: 10_000, interval: 50 },
    );
  /** Sends a message and waits for its answer. */
  const ask = async (chat: Talk, text: string, parentId: string | null = null) =>
    ended(chat, (await chat.send(text, parentId)).body.answer.id);
  return { server, ...maker, admin, provider, connector, handbook, ended, ask };
}
