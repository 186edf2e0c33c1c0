import { defineDomain } from "#server/core/domains/domain.ts";
import { rows } from "#server/core/domains/tables.ts";
import { settingsRoutes } from "#server/settings/routes.ts";
import { personalData } from "#server/settings/personalData.ts";

export const settings = defineDomain({
  name: "settings",
  routes: [settingsRoutes],
  openTo: { guests: ["settings.read", "settings.policy"] },
  tables: {
    settings: {
      growth: rows(1, "installation"),
      kept: "for good",
      authors: { updated_by: "Settings you last changed" },
      notPersonal: {
        "the academy": "academy_name about color headline tagline time_zone logo logo_type",
        "the hash of ADMIN_EMAIL, which the operator has set": "admin_email_hash",
      },
      notExported: "published: the contact address of the academy",
    },
    consent_texts: {
      growth: rows(5, "installation"),
      kept: "for good: proof of what people agreed to",
      authors: { published_by: "Privacy policies you published" },
      notPersonal: { "published text": "body locale sha256" },
    },
  },
  personalData,
});
