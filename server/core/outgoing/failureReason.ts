const reasons: Record<string, string> = {
  ENOTFOUND: "No server was found at this address.",
  EAI_AGAIN: "The name of the server could not be resolved.",
  ECONNREFUSED: "The server refused the connection.",
  ECONNRESET: "The server closed the connection without an answer.",
  UND_ERR_SOCKET: "The server closed the connection without an answer.",
  ETIMEDOUT: "The server did not answer in time.",
  UND_ERR_CONNECT_TIMEOUT: "The server did not answer in time.",
  EHOSTUNREACH: "The server could not be reached.",
  ENETUNREACH: "The server could not be reached.",
  CERT_HAS_EXPIRED: "The certificate of the server has expired.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate of the server is self-signed.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate belongs to another server name.",
};

/** Why a request got no answer, in words for admins; the message of the error if its code is unknown. */
export function failureReason(error: Error) {
  const cause = error.cause instanceof Error ? error.cause : error;
  return reasons[(cause as NodeJS.ErrnoException).code ?? ""] ?? cause.message;
}
