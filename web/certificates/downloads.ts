import { download } from "#web/core/api/download.ts";
import { urlOf } from "#web/core/http/http.ts";
import { toast } from "#web/core/toast/toast.ts";
import { type BadgeFormat, badges } from "#shared/badges/badges.ts";
import { type Certificate, certificates } from "#shared/certificates/certificates.ts";

type Named = Pick<Certificate, "id" | "number">;
const save = (url: string, name: string) => download(url, name).catch((error: unknown) => toast.failed(error));

export const savePdf = ({ id, number }: Named) => save(urlOf(certificates.pdf, { params: { id } }), `${number}.pdf`);
export const saveProof = ({ id, number }: Named) =>
  save(urlOf(certificates.proof, { params: { id } }), `${number}.proof.json`);
export const saveBadge = ({ id, number }: Named, format: BadgeFormat) =>
  save(urlOf(badges.get, { params: { id }, query: { format } }), `${number}.badge.${format}`);
