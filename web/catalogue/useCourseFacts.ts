import { useTranslation } from "react-i18next";
import { formatDuration } from "#web/core/format/format.ts";
import { languageName } from "#web/core/format/languageName.ts";
import type { CatalogueCourse } from "#shared/catalogue/catalogue.ts";
import { formatPrice } from "#shared/catalogue/prices.ts";

type Facts = Pick<CatalogueCourse, "minutes" | "languages" | "priceMinor" | "currency">;

/** Length, languages and price of a course as texts; null for what is not known. */
export function useCourseFacts({ minutes, languages, priceMinor, currency }: Facts) {
  const { t, i18n } = useTranslation();
  return {
    length:
      minutes === null ? t("catalogue.course") : t("catalogue.lengthOf", { minutes: formatDuration(minutes * 60) }),
    languages: languages.length > 0 ? languages.map(languageName).join(", ") : null,
    price: formatPrice(i18n.language, priceMinor, currency),
  };
}
