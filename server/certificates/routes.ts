import { getCertificate, getOffer, listCertificates, listOwn } from "#server/certificates/certificateRows.ts";
import { addPicture, getDesign, orderMissing, saveDesign, sendPicture } from "#server/certificates/designs/designs.ts";
import { sendCertificate, sendSample } from "#server/certificates/pdf/sendPdf.ts";
import { listHeads, sendFeed, sendHead, sendTimestamp } from "#server/certificates/proofs/heads.ts";
import { sendProof, sendPublicProof, verifyNumber } from "#server/certificates/proofs/publicPage.ts";
import { reissueCertificate, revokeCertificate, shareCertificate } from "#server/certificates/service.ts";
import { courseOf, pathOf } from "#server/certificates/subjects.ts";
import type { Mount } from "#server/core/http/http.ts";
import {
  canDesign,
  canListIssued,
  canRevoke,
  canSeeOwn,
  canVerify,
  certificates,
} from "#shared/certificates/certificates.ts";

export function certificateRoutes(on: Mount) {
  on(certificates.design, canDesign, (call) => getDesign(call, courseOf(call.params.courseId)));
  on(certificates.saveDesign, canDesign, (call) => saveDesign(call, courseOf(call.params.courseId), call.body));
  on(certificates.addPicture, canDesign, (call) => addPicture(call, call.body.dataUrl));
  on(certificates.picture, canDesign, (call) => sendPicture(call, call.params.hash));
  on(certificates.sample, canDesign, (call) => sendSample(call, courseOf(call.params.courseId), call.body));
  on(certificates.issueMissing, canDesign, (call) => orderMissing(call, courseOf(call.params.courseId)));
  on(certificates.pathDesign, canDesign, (call) => getDesign(call, pathOf(call.params.pathId)));
  on(certificates.savePathDesign, canDesign, (call) => saveDesign(call, pathOf(call.params.pathId), call.body));
  on(certificates.pathSample, canDesign, (call) => sendSample(call, pathOf(call.params.pathId), call.body));
  on(certificates.issueMissingOfPath, canDesign, (call) => orderMissing(call, pathOf(call.params.pathId)));
  on(certificates.list, canListIssued, (call) => listCertificates(call, call.query));
  on(certificates.mine, canSeeOwn, (call) => listOwn(call, call.query));
  on(certificates.offer, canSeeOwn, (call) => getOffer(call, courseOf(call.params.courseId)));
  on(certificates.pathOffer, canSeeOwn, (call) => getOffer(call, pathOf(call.params.pathId)));
  on(certificates.get, canSeeOwn, (call) => getCertificate(call, call.params.id));
  on(certificates.pdf, canSeeOwn, (call) => sendCertificate(call, call.params.id));
  on(certificates.proof, canSeeOwn, (call) => sendProof(call, call.params.id));
  on(certificates.share, canSeeOwn, (call) => shareCertificate(call, call.params.id, call.body));
  on(certificates.revoke, canRevoke, (call) => revokeCertificate(call, call.params.id, call.body.reason));
  on(certificates.reissue, canListIssued, (call) => reissueCertificate(call, call.params.id));
  on(certificates.verify, canVerify, (call) => verifyNumber(call, call.params.number));
  on(certificates.publicProof, canVerify, (call) => sendPublicProof(call, call.params.number));
  on(certificates.heads, canVerify, (call) => listHeads(call, call.params.id));
  on(certificates.headFeed, canVerify, (call) => sendFeed(call, call.params.id));
  on(certificates.head, canVerify, (call) => sendHead(call, call.params.id, call.params.day));
  on(certificates.timestamp, canVerify, (call) => sendTimestamp(call, call.params.id, call.params.day));
}
