import { Button, Menu } from "@mantine/core";
import { IconCalendarPlus, IconCopy, IconDownload, IconExternalLink } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { copyText } from "#web/core/display/copyText.ts";
import { CALENDAR_PATH } from "#shared/events/events.ts";

const icon = { size: 18, stroke: 1.6 };

/** The calendar feed of public events: subscribe, copy the link, or download it. */
export function FeedMenu() {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={250}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconCalendarPlus {...icon} />}>
          {t("events.feed")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <FeedItems />
      </Menu.Dropdown>
    </Menu>
  );
}

function FeedItems() {
  const { t } = useTranslation();
  const url = location.origin + CALENDAR_PATH;
  return (
    <>
      <Menu.Item component="a" href={url.replace(/^https?:/, "webcal:")} leftSection={<IconExternalLink {...icon} />}>
        {t("events.feedOpen")}
      </Menu.Item>
      <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => void copyText(url, t("events.feedCopied"))}>
        {t("events.feedCopy")}
      </Menu.Item>
      <Menu.Item component="a" href={CALENDAR_PATH} download leftSection={<IconDownload {...icon} />}>
        {t("events.feedSave")}
      </Menu.Item>
    </>
  );
}
