import { createHash, randomBytes } from "node:crypto";

// Time stamps of RFC 3161: the request, and what a reply proves. Without network and database

/** Bytes of a reply, and characters of the name of an authority. */
export const MAX_REPLY = 64 * 1024;
const MAX_NAME = 200;
const SHA_256 = "2.16.840.1.101.3.4.2.1";
const COMMON_NAME = "2.5.4.3";
const ORGANISATION = "2.5.4.10";
const GRANTED = [0, 1];
const TST_INFO = "1.2.840.113549.1.9.16.1.4";
const EXTENDED_KEY_USAGE = "2.5.29.37";
const TIME_STAMPING = "1.3.6.1.5.5.7.3.8";

/** When an authority has seen a text, and as whom it has signed. */
export type Timestamp = { at: Date; authority: string };
export class BadTimestamp extends Error {}

// Both are large, and few academies use an authority.
const load = () => Promise.all([import("pkijs"), import("asn1js")]);
const sha256 = (text: string) => createHash("sha256").update(text).digest();

/** A request for a time stamp of a text, and its nonce. */
export async function createRequest(text: string) {
  const [pkijs, asn1] = await load();
  const nonce = randomBytes(16);
  // A positive number, in as few bytes as possible.
  nonce.writeUInt8((nonce.readUInt8(0) & 0x3f) | 0x40, 0);
  const request = new pkijs.TimeStampReq({
    version: 1,
    messageImprint: new pkijs.MessageImprint({
      hashAlgorithm: new pkijs.AlgorithmIdentifier({ algorithmId: SHA_256, algorithmParams: new asn1.Null() }),
      hashedMessage: new asn1.OctetString({ valueHex: Uint8Array.from(sha256(text)).buffer }),
    }),
    nonce: new asn1.Integer({ valueHex: Uint8Array.from(nonce).buffer }),
    certReq: true,
  });
  return { bytes: Buffer.from(request.toSchema().toBER()), nonce };
}

/**
 * Reads a reply about a text. Throws `BadTimestamp` unless it grants a time stamp of exactly this text, with this nonce
 * if one is given, signed by the certificate in it. Whether to trust that certificate is for the reader to decide.
 */
export async function readReply(reply: Uint8Array, text: string, nonce?: Buffer): Promise<Timestamp> {
  if (reply.length > MAX_REPLY) throw new BadTimestamp("the reply is too large");
  try {
    return await parseReply(reply, text, nonce);
  } catch (error) {
    if (error instanceof BadTimestamp) throw error;
    throw new BadTimestamp("the reply is not a time stamp", { cause: error });
  }
}

async function parseReply(reply: Uint8Array, text: string, nonce?: Buffer): Promise<Timestamp> {
  const [pkijs] = await load();
  const { status, timeStampToken } = pkijs.TimeStampResp.fromBER(Uint8Array.from(reply).buffer);
  if (!GRANTED.includes(status.status) || !timeStampToken)
    throw new BadTimestamp(`the authority has refused with status ${status.status}`);
  const signed = new pkijs.SignedData({ schema: timeStampToken.content as never });
  const content = signed.encapContentInfo.eContent;
  if (!content || signed.encapContentInfo.eContentType !== TST_INFO || signed.signerInfos.length !== 1)
    throw new BadTimestamp("the reply is not a time stamp");
  const { messageImprint, nonce: returned, genTime } = pkijs.TSTInfo.fromBER(content.getValue());
  const isOfText =
    messageImprint.hashAlgorithm.algorithmId === SHA_256 &&
    sha256(text).equals(messageImprint.hashedMessage.valueBlock.valueHexView);
  if (!isOfText) throw new BadTimestamp("the time stamp is of something else");
  if (nonce && !(returned && nonce.equals(returned.valueBlock.valueHexView)))
    throw new BadTimestamp("the time stamp answers another request");
  const { signatureVerified, signerCertificate } = await signed.verify({
    signer: 0,
    data: Uint8Array.from(Buffer.from(text)).buffer,
    checkChain: false,
    extendedMode: true,
  });
  if (!signatureVerified || !signerCertificate) throw new BadTimestamp("the signature is not valid");
  const usage = signerCertificate.extensions?.find(({ extnID }) => extnID === EXTENDED_KEY_USAGE)?.parsedValue as
    { keyPurposes?: string[] } | undefined;
  if (!usage?.keyPurposes?.includes(TIME_STAMPING))
    throw new BadTimestamp("the certificate is not one for time stamps");
  const names = signerCertificate.subject.typesAndValues;
  const name = names.find(({ type }) => type === COMMON_NAME) ?? names.find(({ type }) => type === ORGANISATION);
  return { at: genTime, authority: printable(String(name?.value.valueBlock.value ?? "")) };
}

const printable = (name: string) =>
  name
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
    .slice(0, MAX_NAME) || "unnamed";
