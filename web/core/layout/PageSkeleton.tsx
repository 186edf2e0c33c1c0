import { Skeleton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "#web/core/layout/PageSkeleton.module.css";

/** Placeholder of a loading page; appears after 200 ms, so that fast pages do not flicker. */
export function PageSkeleton() {
  const { t } = useTranslation();
  return (
    <div className={classes.page} role="status" data-loading aria-label={t("core.loading")}>
      <Skeleton width={220} height={30} />
      <Skeleton width={380} maw="100%" height={14} mt={14} mb={34} />
      <SkeletonRows rows={6} />
    </div>
  );
}

export function SkeletonRows({ rows }: { rows: number }) {
  return (
    <div className={classes.rows} aria-hidden data-loading>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={classes.row}>
          <Skeleton width={28} height={28} />
          <Skeleton width={`${[38, 29, 34, 25][index % 4]}%`} height={12} radius="xl" />
          <Skeleton width={48} height={12} radius="xl" ml="auto" />
        </div>
      ))}
    </div>
  );
}
