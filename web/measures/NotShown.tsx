import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryFor } from "#web/core/api/api.ts";
import { formatDateIn } from "#web/core/format/format.ts";
import { kindNames } from "#web/measures/kindNames.ts";
import type { MeasuredKind } from "#shared/core/measuredKinds.ts";
import { measures } from "#shared/measures/measures.ts";

type Props = {
  hidden: MeasuredKind[];
  /** Null for several companies. */
  companyId: string | null;
  /** What the page would show. */
  of?: MeasuredKind[];
};

/** That a company has switched off what a page would show, and since when; nothing if it has not. */
export function NotShown({ hidden, companyId, of = hidden }: Props) {
  const kinds = hidden.filter((kind) => of.includes(kind));
  if (kinds.length === 0) return null;
  return companyId ? <OfCompany kinds={kinds} id={companyId} /> : <OfSome kinds={kinds} />;
}

function OfCompany({ kinds, id }: { kinds: MeasuredKind[]; id: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(measures.get, { params: { id } }));
  if (!data?.since) return null;
  const { company, since, zone, version } = data;
  const values = { company, version, day: formatDateIn(since, zone), what: kindNames(kinds) };
  return (
    <Text size="sm" c="dimmed" my="sm">
      {t("measures.notShownKinds", values)}
    </Text>
  );
}

function OfSome({ kinds }: { kinds: MeasuredKind[] }) {
  const { t } = useTranslation();
  return (
    <Text size="sm" c="dimmed" my="sm">
      {t("measures.notShownSomewhere", { what: kindNames(kinds) })}
    </Text>
  );
}
