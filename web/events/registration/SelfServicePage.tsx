import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { queryFor } from "#web/core/api/api.ts";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { Heading } from "#web/core/layout/Heading.tsx";
import { isStatus } from "#web/core/http/http.ts";
import { PageSkeleton } from "#web/core/layout/PageSkeleton.tsx";
import { SelfService } from "#web/events/registration/SelfService.tsx";
import { PublicPage } from "#web/events/public/PublicPage.tsx";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";

/** /events/registration/{token}: a registration, opened by the link in the email. Opening it changes nothing. */
export function SelfServicePage() {
  const { t } = useTranslation();
  const { token = "" } = useParams();
  const { data, error } = useQuery(queryFor(eventRegistrations.mine, { params: { token } }));
  if (error && !data && !isStatus(error, 404) && !isStatus(error, 410) && !isStatus(error, 400)) throw error;
  if (error && !data) {
    return (
      <PublicPage>
        <EmptyState
          title={t("events.selfService.expired")}
          heading={<Heading>{t("events.selfService.expired")}</Heading>}
          text={t("events.selfService.expiredText")}
          action={
            <Button component={Link} to="/events" variant="default">
              {t("events.seeAll")}
            </Button>
          }
        />
      </PublicPage>
    );
  }
  return <PublicPage>{data ? <SelfService registration={data} token={token} /> : <PageSkeleton />}</PublicPage>;
}
