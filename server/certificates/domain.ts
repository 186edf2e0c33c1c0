import { issueForCompletion, revokeForCompletion } from "#server/certificates/issuing/courseCertificates.ts";
import { isOfCompletion, mailCertificates } from "#server/certificates/issuing/mail.ts";
import {
  deleteRetained,
  issueMissing,
  issueMissingOfPath,
  sealCertificates,
  stampHeads,
} from "#server/certificates/jobs.ts";
import { personalData } from "#server/certificates/personalData.ts";
import { sealIssuer } from "#server/certificates/proofs/sealing.ts";
import { certificateRoutes } from "#server/certificates/routes.ts";
import { defineDomain } from "#server/core/domains/domain.ts";
import { forGood, rows } from "#server/core/domains/tables.ts";

/** To everybody. */
const open = [
  "certificates.verify",
  "certificates.publicProof",
  "certificates.heads",
  "certificates.headFeed",
  "certificates.head",
  "certificates.timestamp",
];
const HASHES = "hashes of certificates";

export const certificates = defineDomain({
  name: "certificates",
  uses: ["companies", "courses"],
  routes: [certificateRoutes],
  jobs: [sealCertificates, issueMissing, issueMissingOfPath, deleteRetained, stampHeads],
  openTo: {
    guests: open,
    learners: [
      ...open,
      "certificates.mine",
      "certificates.offer",
      "certificates.pathOffer",
      "certificates.get",
      "certificates.pdf",
      "certificates.proof",
      "certificates.share",
    ],
  },
  completions: {
    within: (tx, { id }) => issueForCompletion(tx, id),
    // The certificate was issued in the transaction of the completion, unless that has failed.
    async after(services, tx, { id, companyId }) {
      await issueForCompletion(tx, id);
      await sealIssuer(services, tx, companyId);
      await mailCertificates(services, tx, isOfCompletion(id));
    },
    withdrawn: (tx, { id }) => revokeForCompletion(tx, id),
  },
  personalData,
  tables: {
    certificate_designs: {
      growth: rows(1, "course"),
      kept: "as long as the course or the learning path",
      authors: { updated_by: "Certificates of courses and learning paths you last changed" },
    },
    certificate_design_versions: {
      growth: rows(3, "course"),
      kept: "for good: certificates keep the design they were issued with",
      authors: { created_by: "Designs of certificates you made" },
      notPersonal: { "the design": "content" },
    },
    certificate_pictures: {
      growth: rows(3, "course"),
      kept: "for good: certificates keep the pictures they were issued with",
      notPersonal: { "logos, and signatures that a company prints on certificates": "hash type bytes" },
    },
    certificates: {
      growth: rows(6, "learner"),
      kept: "until the person is erased; then as the company has chosen",
      authors: { revoked_by: "Certificates you revoked" },
      notPersonal: {
        "what was achieved, under a random number": "number facts brand leaf keep_ground",
      },
    },
    certificate_trees: { growth: rows(1, "company"), kept: forGood },
    certificate_nodes: { growth: rows(12, "learner"), kept: forGood, notPersonal: { [HASHES]: "hash" } },
    certificate_gaps: { growth: rows(0.2, "learner"), kept: forGood },
    certificate_heads: {
      growth: rows(200, "company"),
      kept: forGood,
      notPersonal: { "a hash and its signature": "root key_id signature" },
    },
    certificate_timestamps: {
      growth: rows(200, "company"),
      kept: forGood,
      notPersonal: { "what an authority says of a hash": "reply authority" },
    },
    certificate_keys: {
      growth: rows(1, "installation"),
      kept: forGood,
      notPersonal: { "keys of the academy": "id public_key sealed_key" },
    },
  },
});
