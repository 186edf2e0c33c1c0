import { useTranslation } from "react-i18next";

const reasons = ["isActive", "inOtherCompany", "isAdmin", "wasAdmin", "limitReached"] as const;

/** Returns a function for the text of a problem code because of which a person is not invited. */
export function useSkipReason() {
  const { t } = useTranslation();
  return (code: string | null) => {
    const known = reasons.find((reason) => code === `learners.${reason}`);
    return known ? t(`learners.reason.${known}`) : (code ?? "");
  };
}
