import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { JoinDialog } from "#web/catalogue/JoinDialog.tsx";
import { useApiMutation } from "#web/core/api/api.ts";
import { confirm } from "#web/core/dialog/confirm.ts";
import { toast } from "#web/core/toast/toast.ts";
import { catalogue, type CatalogueDetail } from "#shared/catalogue/catalogue.ts";

/** What the learner can do with a course of the catalogue. */
export function JoinButtons({ course }: { course: CatalogueDetail }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<"ask" | "wait" | null>(null);
  const join = useApiMutation(catalogue.join);
  const leave = useApiMutation(catalogue.leave, { quiet: true });
  const withdraw = useApiMutation(catalogue.withdraw, { quiet: true });
  const { id, title, can, isMine, canLeave, isKept, status, courseId } = course;
  const params = { id };
  const enrol = () =>
    join.mutate(
      { params, body: { as: "enrol" } },
      { onSuccess: () => toast.done(t("catalogue.done.enrol", { course: title })) },
    );
  const askToLeave = () =>
    confirm({
      title: t("catalogue.leaveTitle", { course: title }),
      text: t(isKept ? "catalogue.leaveTextKept" : "catalogue.leaveText"),
      confirmLabel: t("catalogue.do.leave"),
      cancelLabel: t("catalogue.keep.course"),
      onConfirm: async () => {
        await leave.mutateAsync({ params });
        toast.done(t(isKept ? "catalogue.done.leavePlace" : "catalogue.done.leave"));
      },
    });
  const askToWithdraw = () =>
    confirm({
      title: t(status === "waiting" ? "catalogue.leaveListTitle" : "catalogue.withdrawTitle"),
      text: t(status === "waiting" ? "catalogue.leaveListText" : "catalogue.withdrawText"),
      confirmLabel: t(status === "waiting" ? "catalogue.do.leaveList" : "catalogue.do.withdraw"),
      cancelLabel: t(status === "waiting" ? "catalogue.keep.list" : "catalogue.keep.request"),
      onConfirm: async () => {
        await withdraw.mutateAsync({ params });
        toast.done(t(status === "waiting" ? "catalogue.done.leaveList" : "catalogue.done.withdraw"));
      },
    });
  return (
    <>
      {isMine && (
        <Button component={Link} to={`/courses/${courseId}`} size="md">
          {t("catalogue.do.start")}
        </Button>
      )}
      {canLeave && (
        <Button variant="default" size="md" onClick={askToLeave}>
          {t("catalogue.do.leave")}
        </Button>
      )}
      {can === "enrol" && (
        <Button size="md" loading={join.isPending} onClick={enrol}>
          {t("catalogue.do.enrol")}
        </Button>
      )}
      {(can === "ask" || can === "wait") && (
        <Button size="md" onClick={() => setAsking(can)}>
          {t(`catalogue.do.${can}`)}
        </Button>
      )}
      {(status === "open" || status === "waiting") && (
        <Button variant="default" size="md" onClick={askToWithdraw}>
          {t(status === "waiting" ? "catalogue.do.leaveList" : "catalogue.do.withdraw")}
        </Button>
      )}
      {asking && <JoinDialog course={course} as={asking} onClose={() => setAsking(null)} />}
    </>
  );
}
