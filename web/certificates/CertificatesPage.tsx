import { lazyWithPreload } from "#web/core/rendering/lazyWithPreload.tsx";
import { readStoredUser } from "#web/core/storage/storedUser.ts";
import { useUser } from "#web/core/session/session.tsx";
import { canListIssued } from "#shared/certificates/certificates.ts";
import { isAdmin } from "#shared/core/users.ts";

const Issued = lazyWithPreload(() =>
  import("#web/certificates/IssuedCertificates.tsx").then(({ IssuedCertificates }) => IssuedCertificates),
);
const Own = lazyWithPreload(() =>
  import("#web/certificates/OwnCertificates.tsx").then(({ OwnCertificates }) => OwnCertificates),
);
// Preloads the variant for the role that was signed in last.
void (isAdmin(readStoredUser()) ? Issued : Own).preload().catch(() => {});

/** `/certificates`: those that were issued for admins, their own for learners. */
export function CertificatesPage() {
  return canListIssued(useUser()) ? <Issued /> : <Own />;
}
