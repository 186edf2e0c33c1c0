import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { SessionEvent } from "#shared/player/player.ts";

// Events that the player shell stores on the content origin, where other packages can write too. The session token is
// the key of the MAC and is never stored there, so a package cannot forge events of another session. Synchronous,
// because SetValue must not return before its event is stored.

const macOf = (token: string, sessionId: string, json: string) =>
  bytesToHex(hmac(sha256, utf8ToBytes(token), utf8ToBytes(`${sessionId} ${json}`)));

export function writeEntry(token: string, sessionId: string, event: SessionEvent) {
  const json = JSON.stringify(event);
  return `${macOf(token, sessionId, json)} ${json}`;
}

/** The event of an entry; null if it was not written with the token of this session. */
export function readEntry(token: string, sessionId: string, entry: string): SessionEvent | null {
  const [mac, json] = [entry.slice(0, 64), entry.slice(65)];
  return macOf(token, sessionId, json) === mac ? (JSON.parse(json) as SessionEvent) : null;
}
