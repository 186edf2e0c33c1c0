import { Button } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { copyText } from "#web/core/display/copyText.ts";
import { formatOffset } from "#web/core/format/format.ts";
import { type ReplayClock, secondOf, useClock } from "#web/reports/replay/replayClock.ts";

/** Copies the address of the second at the position. */
export function CopyLink({ linkTo, clock }: { linkTo: (second: number) => string; clock: ReplayClock }) {
  const { t } = useTranslation();
  const second = useClock(clock, secondOf);
  return (
    <Button
      variant="default"
      leftSection={<IconLink size={17} stroke={1.6} />}
      onClick={() => void copyText(linkTo(second), t("replay.copied"))}
    >
      {t("replay.copy", { time: formatOffset(second * 1000) })}
    </Button>
  );
}
