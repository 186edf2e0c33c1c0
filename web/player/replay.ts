import { exchangeCommit } from '#web/player/exchange.ts'
import { forgetEvents, forgetSession, holdEvents, holdSession, readHeld } from '#web/player/journal.ts'
import { BATCH_EVENTS } from '#shared/pace.ts'
import type { Tail } from '#shared/shell.ts'

/** A running session of this page: its own sender looks after it. */
const running = new Set<string>()
export const claimSession = (sessionId: string) => {
  running.add(sessionId)
  return () => running.delete(sessionId)
}

/**
 * Sends what earlier sessions of this person left in the journal of this browser. The server knows each number once, so
 * sending again is harmless. Returns how many events arrived. Never throws: what cannot be sent stays for the next time.
 */
export async function replayJournal(userId: string): Promise<number> {
  let arrived = 0
  for (const held of await readHeld(userId).catch(() => [])) {
    if (running.has(held.sessionId)) continue
    for (let at = 0; at < held.events.length; at += BATCH_EVENTS) {
      const events = held.events.slice(at, at + BATCH_EVENTS)
      const answer = await exchangeCommit(held, { events, activeMs: 0, failed: 0 })
      if (answer.is === 'gone') await forgetSession(held.sessionId)
      if (answer.is !== 'stored' || answer.receipt.session === 'ended') break
      arrived += events.length
      await forgetEvents(held.sessionId, answer.receipt.ackSeq)
    }
  }
  return arrived
}

/** Takes over what a closing tab left on the content origin, then sends it with the rest. */
export async function keepTails(userId: string, tails: Tail[]) {
  for (const { sessionId, token, events } of tails) {
    await holdSession({ sessionId, userId, token, at: Date.now() })
    await holdEvents(sessionId, events)
  }
  return replayJournal(userId)
}
