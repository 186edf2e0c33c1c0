import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { checkOutsideTransaction } from "#server/core/database/transactionScope.ts";
import { leaveSlot } from "#server/core/limits/slot.ts";
import { isPrivateAllowed, publicLookup, RefusedAddress } from "#server/core/outgoing/guardedFetch.ts";
import { isPublicAddress } from "#server/core/outgoing/publicAddress.ts";

/**
 * Opens a TCP connection to a server that people have entered, with the rules of the guarded fetch: a public address,
 * checked when the connection is made, or a host in PRIVATE_HOSTS.
 */
export async function connectGuarded(
  privateHosts: string[],
  { host, port }: { host: string; port: number },
  timeoutMs: number,
): Promise<Socket> {
  checkOutsideTransaction("a connection to another server");
  leaveSlot();
  const isPrivate = isPrivateAllowed(privateHosts, host, port);
  if (!isPrivate && isIP(host) && !isPublicAddress(host))
    throw new RefusedAddress("private", `${host} is not a public address`);
  const socket = connect({ host, port, ...(!isPrivate && { lookup: publicLookup }) });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(timeoutMs) });
    return socket;
  } catch (error) {
    socket.on("error", () => {});
    socket.destroy();
    throw error instanceof Error && error.name === "AbortError"
      ? Object.assign(new Error("the server did not answer in time"), { code: "ETIMEDOUT" })
      : error;
  }
}
