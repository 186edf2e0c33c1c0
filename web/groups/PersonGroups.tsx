import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { formatDate } from "#web/core/format/format.ts";
import classes from "#web/groups/groups.module.css";
import { groups } from "#shared/groups/groups.ts";

/** The groups that a person is in, each with the reason, for admins. */
export function PersonGroups({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(queryFor(groups.ofPerson, { params: { id } }));
  if (!data || data.items.length === 0) return null;
  return (
    <dl className={classes.ofPerson}>
      <dt>{t("groups.ofPerson")}</dt>
      {data.items.map(({ id: groupId, companyId, name, why, until }) => (
        <dd key={groupId}>
          <Anchor component={Link} to={`/companies/${companyId}/groups/${groupId}`} fw={500}>
            {name}
          </Anchor>{" "}
          <span>
            {(until
              ? t("groups.whyUntil", { why: t(`groups.why.${why}`), day: formatDate(until) })
              : t(`groups.why.${why}`)
            ).toLowerCase()}
          </span>
        </dd>
      ))}
    </dl>
  );
}
