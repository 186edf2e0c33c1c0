import { ActionIcon, Anchor, Button, Menu } from "@mantine/core";
import {
  IconArrowBackUp,
  IconBan,
  IconDots,
  IconDownload,
  IconPencil,
  IconTrash,
  IconUserMinus,
  IconUserPlus,
} from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { Fragment, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams } from "react-router";
import { queryFor, useApiMutation } from "#web/core/api/api.ts";
import { PersonMark } from "#web/core/brand/PersonMark.tsx";
import { EmailAddress } from "#web/core/display/EmailAddress.tsx";
import { StatTile, StatTiles } from "#web/core/display/StatTiles.tsx";
import { Time } from "#web/core/display/Time.tsx";
import { formatDate, formatNumber } from "#web/core/format/format.ts";
import { PageHead } from "#web/core/layout/PageHead.tsx";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";
import { DataTable } from "#web/core/table/DataTable.tsx";
import { toast } from "#web/core/toast/toast.ts";
import { GroupDialog } from "#web/groups/GroupDialog.tsx";
import classes from "#web/groups/groups.module.css";
import { PlaceDialog } from "#web/groups/PlaceDialog.tsx";
import { whoBelongs } from "#web/groups/ruleText.ts";
import { useGroupActions } from "#web/groups/useGroupActions.tsx";
import { type GroupDetail, groups, type Member, memberWhy } from "#shared/groups/groups.ts";
import { contactOf, nameOf } from "#web/core/display/person.ts";

const icon = { size: 18, stroke: 1.7 };

/** `/companies/:id/groups/:groupId`: who belongs to a group, and why. */
export function GroupPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { groupId = "" } = useParams();
  const { data: group } = useSuspenseQuery(queryFor(groups.get, { params: { id: groupId } }));
  const [isEditing, setEditing] = useState(false);
  const [placing, setPlacing] = useState<"in" | "out" | null>(null);
  const isPhone = useIsPhone();
  const list = `/companies/${group.companyId}?tab=groups`;
  const actions = useGroupActions(() => void navigate(list));
  const place = useApiMutation(groups.place);
  const params = { id: group.id };
  // Somebody or something else than a person decides who belongs to it.
  const isFollowed = group.rule !== null || group.provided;
  const freeLabel = ({ why }: Member) => {
    if (group.provided) return "groups.freeDirectory";
    return group.rule === null && why === "hand" ? "groups.takeOut" : "groups.free";
  };
  const move = async (row: Member, to: "in" | "out" | null) => {
    await place.mutateAsync({ params, body: { ids: [row.id], place: to } });
    const isTakenOut = to === null && !isFollowed;
    toast.done(
      isTakenOut
        ? t("groups.placed.takenOut", { name: row.name || row.email })
        : t(`groups.placed.${to ?? "free"}`, { count: 1 }),
    );
  };
  const whyText = ({ why, until }: Member) =>
    until ? t("groups.whyUntil", { why: t(`groups.why.${why}`), day: formatDate(until) }) : t(`groups.why.${why}`);
  const addButton = (
    <Button variant="default" leftSection={<IconUserPlus {...icon} />} onClick={() => setPlacing("in")}>
      {t("groups.addByHand")}
    </Button>
  );
  return (
    <>
      <PageHead
        title={group.name}
        line={whoBelongs(group)}
        parent={{ to: list, label: group.company }}
        actions={
          <>
            <Menu position="bottom-end" width={220}>
              <Menu.Target>
                <ActionIcon variant="default" size={36} aria-label={t("groups.actionsOf", { name: group.name })}>
                  <IconDots {...icon} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<IconBan {...icon} />} onClick={() => setPlacing("out")}>
                  {t("groups.keepOut")}
                </Menu.Item>
                <Menu.Item leftSection={<IconDownload {...icon} />} onClick={() => void actions.saveFile(group)}>
                  {t("groups.export")}
                </Menu.Item>
                <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => actions.askToRemove(group)}>
                  {t("groups.remove")}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
            <Button leftSection={<IconPencil {...icon} />} onClick={() => setEditing(true)}>
              {t("groups.edit")}
            </Button>
          </>
        }
      />
      <StatTiles>
        <StatTile label={t("groups.peopleLabel")} value={formatNumber(group.people)} />
        <StatTile label={t("groups.byHand")} value={formatNumber(group.byHand)} />
        <StatTile label={t("groups.keptOut")} value={formatNumber(group.keptOut)} />
      </StatTiles>
      <p className={classes.follows}>
        {[
          group.description,
          group.rule && t("groups.follows"),
          group.provided && t("groups.directoryText"),
          t("groups.change.text", { joined: formatNumber(group.joined), left: formatNumber(group.left) }),
        ]
          .filter(Boolean)
          .join(" ")}
        {group.usedBy.length > 0 && (
          <>
            {` ${t("groups.usedBy")}: `}
            {group.usedBy.map(({ id, name, kind }, at) => (
              <Fragment key={id}>
                {at > 0 && ", "}
                <Anchor
                  inherit
                  underline="always"
                  component={Link}
                  to={kind === "group" ? `/companies/${group.companyId}/groups/${id}` : `/enrolment-rules/${id}`}
                >
                  {name}
                </Anchor>
              </Fragment>
            ))}
          </>
        )}
      </p>
      {isPhone && <div className={classes.phoneTool}>{addButton}</div>}
      <DataTable
        list={groups.members}
        params={params}
        search={t("groups.memberSearch")}
        noun={t("groups.memberNoun")}
        filters={[
          {
            key: "why",
            label: t("groups.show"),
            unset: t("groups.shown.all"),
            options: memberWhy.options.map((value) => ({ value, label: t(`groups.shown.${value}`) })),
          },
        ]}
        {...(!isPhone && { tools: addButton })}
        rowKey={(row) => row.id}
        name={nameOf}
        mark={(row) => <PersonMark name={nameOf(row)} />}
        to={(row) => `/learners/report/${row.id}`}
        columns={[
          {
            key: "name",
            head: t("groups.csv.name"),
            render: (row) => (
              <>
                {row.name || row.email}
                {row.name && <EmailAddress email={contactOf(row)} />}
              </>
            ),
          },
          {
            key: "why",
            head: t("groups.reason"),
            render: (row) => [whyText(row), row.note].filter(Boolean).join(": "),
          },
          { key: "since", head: t("groups.since"), render: (row) => <Time at={row.since} /> },
        ]}
        phone={(row) => ({ line: whyText(row) })}
        menu={(row) => (
          <>
            {row.why !== "out" && isFollowed && (
              <Menu.Item leftSection={<IconBan {...icon} />} onClick={() => void move(row, "out").catch(() => {})}>
                {t("groups.keepOut")}
              </Menu.Item>
            )}
            {(row.why === "hand" || row.why === "out") && (
              <Menu.Item
                leftSection={!isFollowed ? <IconUserMinus {...icon} /> : <IconArrowBackUp {...icon} />}
                onClick={() => void move(row, null).catch(() => {})}
              >
                {t(freeLabel(row))}
              </Menu.Item>
            )}
          </>
        )}
        empty={{
          title: t("groups.noMembers"),
          text: emptyText(group, t),
          action: addButton,
        }}
      />
      {isEditing && <GroupDialog companyId={group.companyId} group={group} onClose={() => setEditing(false)} />}
      {placing && <PlaceDialog group={group} place={placing} onClose={() => setPlacing(null)} />}
    </>
  );
}

function emptyText({ rule, provided }: GroupDetail, t: TFunction) {
  if (provided) return t("groups.noMembersProvided");
  return t(rule ? "groups.noMembersRule" : "groups.noMembersHand");
}
