import { defineDomain } from "#server/core/domains/domain.ts";
import { addressedTo, emptyText } from "#server/core/domains/personalData.ts";
import { rows } from "#server/core/domains/tables.ts";
import { settingsRoutes } from "#server/settings/routes.ts";

export const settings = defineDomain({
  name: "settings",
  routes: [settingsRoutes],
  openTo: { guests: ["settings.read", "settings.policy"] },
  tables: {
    settings: {
      growth: rows(1, "installation"),
      kept: "for good",
      authors: { updated_by: "Settings you last changed" },
      notPersonal: { "the academy": "academy_name about color headline tagline" },
      notExported: "published: the contact address of the academy",
    },
    consent_texts: {
      growth: rows(5, "installation"),
      kept: "for good: proof of what people agreed to",
      authors: { published_by: "Privacy policies you published" },
      notPersonal: { "published text": "body locale sha256" },
    },
  },
  personalData: {
    entries: [
      {
        key: "support",
        table: "settings",
        what: "Your address as public contact of the academy",
        fate: "delete",
        why: "Only your contact details are removed",
        where: (person) => addressedTo("support_email", person),
        set: { support_email: emptyText },
      },
    ],
  },
});
