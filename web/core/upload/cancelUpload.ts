import { ApiError } from "#web/core/http/http.ts";
import type { UploadProtocol } from "#web/core/upload/uploadProtocol.ts";
import { uploadTimes } from "#shared/files/files.ts";

/**
 * Cancels an upload on the server and deletes an object that was stored meanwhile. False if the server could not be
 * reached.
 */
export async function cancelUploadOnServer(
  protocol: UploadProtocol,
  fullPath: string,
  url: string | null,
  mayBeStored: boolean,
  timeoutMs = uploadTimes.parse({}).cancelTimeoutMs,
): Promise<boolean> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    if (url) await protocol.cancel(url, signal);
    if (mayBeStored) await protocol.remove(fullPath, signal);
    return true;
  } catch (error) {
    return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 401;
  }
}
