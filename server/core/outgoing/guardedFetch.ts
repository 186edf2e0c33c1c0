import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { ReadableStream } from "node:stream/web";
import { promisify } from "node:util";
import { Agent, buildConnector, fetch, type RequestInit as UndiciRequestInit } from "undici";
import { checkOutsideTransaction } from "#server/core/database/transactionScope.ts";
import { leaveSlot } from "#server/core/limits/slot.ts";
import { isPublicAddress } from "#server/core/outgoing/publicAddress.ts";

/**
 * The only way to call URLs that come from people or from other servers: providers of single sign-on, webhooks, AI
 * providers. See docs/decisions/0018-outgoing-requests.md.
 */
export type GuardedFetch = (url: string | URL, init?: RequestInit & Limits) => Promise<Response>;
type Limits = {
  /** The longest time until the reply has arrived completely, in ms. */
  timeoutMs?: number;
  /** Largest reply after decompression, in bytes. */
  maxBytes?: number;
};

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 ** 2;
const CONNECT_TIMEOUT_MS = 5000;

/** The request was not sent, because of its URL or the address behind it. */
export class RefusedAddress extends Error {
  readonly reason: "notHttps" | "credentials" | "private";
  constructor(reason: RefusedAddress["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}
/** True also if libraries have wrapped the error. */
export const isRefusedAddress = (error: unknown): boolean =>
  error instanceof RefusedAddress || (error instanceof Error && isRefusedAddress(error.cause));

const withoutBrackets = (hostname: string) => hostname.replace(/^\[(.*)\]$/, "$1");

/**
 * Creates the guarded fetch. `privateHosts` (PRIVATE_HOSTS): hosts, as `host` for all ports or `host:port`, that may
 * have a private address and be called by plain HTTP. All others need HTTPS and a public address, which is checked when
 * the connection is made, so that a name cannot point elsewhere after a check. Redirects are not followed.
 */
export function createGuardedFetch(privateHosts: string[]): GuardedFetch {
  const toPublic = createAgent(publicLookup);
  const toPrivate = createAgent();

  return async (input, { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, signal, ...init } = {}) => {
    checkOutsideTransaction("a request to another server");
    leaveSlot();
    const url = new URL(input);
    const isPrivate = isPrivateUrl(privateHosts, url);
    checkUrl(url, isPrivate);
    const timeout = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, {
      ...(init as UndiciRequestInit),
      redirect: "manual",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      dispatcher: isPrivate ? toPrivate : toPublic,
    });
    return limitBody(response, maxBytes);
  };
}

/** Whether PRIVATE_HOSTS names the host, or the host with this port. */
export const isPrivateAllowed = (privateHosts: string[], host: string, port: number) =>
  privateHosts.includes(host.toLowerCase()) || privateHosts.includes(`${host.toLowerCase()}:${port}`);
const isPrivateUrl = (privateHosts: string[], { hostname, port, protocol }: URL) =>
  isPrivateAllowed(privateHosts, hostname, Number(port) || (protocol === "https:" ? 443 : 80));

/**
 * Rejects with `RefusedAddress` if a request to this URL would currently be refused, also because of the address that
 * its name resolves to. A name that cannot be resolved now is accepted.
 */
export async function checkResolvedUrl(privateHosts: string[], url: URL) {
  const isPrivate = isPrivateUrl(privateHosts, url);
  if (!isPrivate)
    await promisify(publicLookup)(withoutBrackets(url.hostname), {}).catch((error: unknown) => {
      if (error instanceof RefusedAddress) throw error;
    });
  checkUrl(url, isPrivate);
}

/** Whether a connection to this host would be refused. A name that cannot be resolved is accepted. */
export async function isPrivateAddress(privateHosts: string[], host: string, port: number) {
  if (isPrivateAllowed(privateHosts, host, port)) return false;
  const outcome = await promisify(publicLookup)(host, {}).catch((error: unknown) => error);
  return outcome instanceof RefusedAddress;
}

/** Throws `RefusedAddress` if a request to this URL would be refused, wherever its name resolves to. */
export const checkUnresolvedUrl = (privateHosts: string[], url: URL) => checkUrl(url, isPrivateUrl(privateHosts, url));

function checkUrl(url: URL, isPrivate: boolean) {
  if (url.protocol !== "https:" && !(isPrivate && url.protocol === "http:"))
    throw new RefusedAddress("notHttps", `${url.origin} is not an HTTPS address`);
  if (url.username || url.password)
    throw new RefusedAddress("credentials", "the address contains a user name or password");
  const host = withoutBrackets(url.hostname);
  // Names are checked when they are resolved; the URL parser has normalised every notation of an IP address.
  if (!isPrivate && isIP(host) && !isPublicAddress(host))
    throw new RefusedAddress("private", `${host} is not a public address`);
}

/** Resolves a name; fails if one of its addresses is not public. */
export const publicLookup: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, "");
    const refused = addresses.find(({ address }) => !isPublicAddress(address));
    if (refused) return callback(new RefusedAddress("private", `${hostname} has the address ${refused.address}`), "");
    const [first] = addresses;
    if (options.all) return callback(null, addresses);
    callback(null, first?.address ?? "", first?.family);
  });

const createAgent = (resolve?: LookupFunction) =>
  new Agent({
    connect: buildConnector({ timeout: CONNECT_TIMEOUT_MS, ...(resolve && { lookup: resolve }) }),
    // Each request has its own time limit (`timeoutMs`).
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 4000,
  });

/** The same response, whose body fails beyond `maxBytes`. */
function limitBody(response: Awaited<ReturnType<typeof fetch>>, maxBytes: number) {
  const body = response.body && ReadableStream.from(limitBytes(response.body, maxBytes));
  const limited = new Response(body as BodyInit | null, {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
  });
  Object.defineProperty(limited, "url", { value: response.url });
  return limited;
}

async function* limitBytes(body: AsyncIterable<Uint8Array | undefined>, maxBytes: number) {
  let bytes = 0;
  for await (const chunk of body) {
    if (!chunk) continue;
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error(`the reply is longer than ${maxBytes} bytes`);
    yield chunk;
  }
}
